import { t } from '../../base/l10n';
import { int, records } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

export default defineRule(
  containerPractice({
    code: 'practice/privileged-port',
    severity: 'info',
    summary: 'A container listens on a port below 1024.',
    why: 'On some systems only root may, so that the container is run as root for nothing but its port.',
    remedy: 'Listen on a higher port; a Service can offer it under any number.',
    after: ['kube-linter privileged-ports'],
    check: ({ container, at, name }) =>
      records(container, 'ports').flatMap((it, i) => {
        const port = int(it, 'containerPort');
        if (port < 1 || port >= 1024) return [];
        return [
          {
            at: at.child('ports').index(i).child('containerPort'),
            message: t`container "${name}" listens on the privileged port ${port}`,
          },
        ];
      }),
  }),
);
