import { t } from '../../base/l10n';
import { flag, record } from '../../kube/goFields';
import { addInstead } from '../edits/fix';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/read-only-root-filesystem',
    summary: 'A container can change its own files.',
    why: 'Whoever gets in can replace programs and leave tools behind; and what is written there is lost with the container.',
    remedy: 'Write `readOnlyRootFilesystem: true`, and give an emptyDir volume to what must be written.',
    after: [
      'kube-linter no-read-only-root-fs',
      'Polaris notReadOnlyRootFilesystem',
      'kube-score container-security-context-readonlyrootfilesystem',
      'Kubescape C-0017',
    ],
    url: 'https://kubernetes.io/docs/tasks/configure-pod-container/security-context/',
    lists: ['containers', 'initContainers'],
    check: ({ container, at, name, spec }) => {
      if (record(spec, 'os')?.name === 'windows') return undefined;
      if (flag(record(container, 'securityContext'), 'readOnlyRootFilesystem') === true) return undefined;
      const field = at.child('securityContext', 'readOnlyRootFilesystem');
      return {
        at: field,
        part: 'key',
        message: t`container "${name}" can write to its root file system`,
        fixes: [addInstead(field, true)],
      };
    },
  }),
);
