import { t } from '../../base/l10n';
import { optionalInt, record } from '../../kube/goFields';
import { defineRule } from '../framework/rule';
import { containerPractice } from './practice';

/** User ids of nodes are below this. */
const LOWEST = 10_000;

export default defineRule(
  containerPractice({
    code: 'practice/low-user-id',
    severity: 'info',
    summary: 'A container runs with a user or group id that a node may have too.',
    why: 'Whoever leaves the container is then that user of the node, and may read its files.',
    remedy: 'Use ids of 10000 and above.',
    after: ['kube-score container-security-context-user-group-id'],
    lists: ['containers', 'initContainers'],
    check: ({ container, at, name }) =>
      ['runAsUser', 'runAsGroup'].flatMap(field => {
        const id = optionalInt(record(container, 'securityContext'), field);
        if (id === undefined || id >= LOWEST) return [];
        return [
          {
            at: at.child('securityContext', field),
            message:
              field === 'runAsUser'
                ? t`container "${name}" runs as user ${id}`
                : t`container "${name}" runs as group ${id}`,
          },
        ];
      }),
  }),
);
