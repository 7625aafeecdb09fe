import { t } from '../../base/l10n';
import { record, text } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/exposed-service',
    severity: 'info',
    summary: 'A Service can be reached from outside the cluster.',
    why: 'A NodePort is open on every node, a LoadBalancer often to the whole Internet, with no TLS and no name.',
    remedy: 'Use ClusterIP behind an Ingress or a Gateway, or say with a suppression that it is meant.',
    after: ['kube-linter exposed-services', 'Kubescape C-0256'],
    url: 'https://kubernetes.io/docs/concepts/services-networking/service/#publishing-services-service-types',
    on: ['Service'],
    check: ({ value }) => {
      const type = text(record(value, 'spec'), 'type');
      if (type !== 'NodePort' && type !== 'LoadBalancer') return undefined;
      return { at: FieldPath.of('spec', 'type'), message: t`a Service of type ${type} is reached from outside` };
    },
  }),
);
