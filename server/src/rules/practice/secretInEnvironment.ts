import { t } from '../../base/l10n';
import { record, records } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/secret-in-environment',
    severity: 'info',
    summary: 'A container gets a Secret as environment variables.',
    why: 'Child processes, crash reports and `kubectl exec … env` show them, and a changed Secret is not noticed until a restart.',
    remedy: 'Mount the Secret as a volume and read the file.',
    after: ['kube-linter read-secret-from-env-var', 'Kubescape C-0207'],
    url: 'https://kubernetes.io/docs/concepts/configuration/secret/',
    lists: ['containers', 'initContainers'],
    check: ({ container, at, name }) => [
      ...records(container, 'env').flatMap((it, i) => {
        if (record(record(it, 'valueFrom'), 'secretKeyRef') === undefined) return [];
        const field = at.child('env').index(i).child('valueFrom', 'secretKeyRef');
        return [
          { at: field, part: 'key' as const, message: t`container "${name}" reads a Secret from its environment` },
        ];
      }),
      ...records(container, 'envFrom').flatMap((it, i) => {
        if (record(it, 'secretRef') === undefined) return [];
        const field = at.child('envFrom').index(i).child('secretRef');
        return [
          { at: field, part: 'key' as const, message: t`container "${name}" has a whole Secret in its environment` },
        ];
      }),
    ],
  }),
);
