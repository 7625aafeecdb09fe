import { t } from '../../base/l10n';
import { podKinds } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { practice } from './practice';

export default defineRule(
  practice({
    code: 'practice/default-namespace',
    severity: 'info',
    summary: 'A workload lives in the namespace default.',
    why: 'Quotas, network policies and rights are given by namespace; what lives together in default cannot be told apart.',
    remedy: 'Give it a namespace of its own.',
    details: 'A manifest without a namespace is skipped: its namespace is chosen when it is applied.',
    after: ['kube-linter use-namespace', 'Kubescape C-0061'],
    url: 'https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/',
    on: podKinds,
    check: ({ object }) => {
      const at = FieldPath.of('metadata', 'namespace');
      if (object.namespace !== 'default' || !object.manifest.has(at)) return undefined;
      return { at, message: t`this ${object.kind} lives in the namespace default` };
    },
  }),
);
