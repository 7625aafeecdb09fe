import { t } from '../../base/l10n';
import { int, records, text } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/ssh-port',
    summary: 'A container listens on port 22.',
    why: 'A way into the container beside the API server: nobody authorises it, nobody logs it, and its keys are not rotated.',
    remedy: 'Use `kubectl exec` or `kubectl debug`, and take the server out of the image.',
    after: ['kube-linter ssh-port', 'Kubescape C-0042'],
    check: ({ container, at, name }) =>
      records(container, 'ports').flatMap((it, i) => {
        const isSsh = int(it, 'containerPort') === 22 && ['', 'TCP'].includes(text(it, 'protocol'));
        if (!isSsh) return [];
        return [
          { at: at.child('ports').index(i).child('containerPort'), message: t`container "${name}" listens for SSH` },
        ];
      }),
  }),
);
