import { t } from '../../base/l10n';
import { record, text } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/headless-service',
    cost: 'workspace',
    summary: 'The Service of a StatefulSet is not headless.',
    why: 'Its Pods then have no names of their own in DNS, which is most often why it is a StatefulSet.',
    remedy: 'Write `clusterIP: None` in a Service of its own, and name that in `serviceName`.',
    after: ['kube-score statefulset-has-servicename'],
    url: 'https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#stable-network-id',
    on: ['StatefulSet'],
    check: ({ object, value }, { snapshot }) => {
      const name = text(record(value, 'spec'), 'serviceName');
      const [service] = snapshot.find('', 'Service', object.namespace ?? 'default', name);
      if (service === undefined || text(record(service.manifest.value, 'spec'), 'clusterIP') === 'None')
        return undefined;
      return { at: FieldPath.of('spec', 'serviceName'), message: t`Service "${name}" is not headless` };
    },
  }),
);
