import { t } from '../../../base/l10n';
import type { Container } from '../../../kube/types';
import { type ChangeCandidate, type Propose, type Situation, specEdit } from '../candidate';
import type { PathStep } from '../edits';

/** Host ports without conflicts: none at all, or the next one that is free on all nodes. */
export const changePorts: Propose = (situation, { nodes }) => {
  const { holder } = situation;
  // On the host network the host port is the container's own port, which placement must not change.
  if (holder.spec.hostNetwork) return [];
  const used = new Set(nodes.flatMap(it => it.usedPorts.map(port => port.port)));
  const of = (field: 'containers' | 'initContainers'): readonly ChangeCandidate[] =>
    (holder.spec[field] ?? []).flatMap((it, i) => portsOf(situation, it, [field, i], used));
  return [...of('containers'), ...of('initContainers')];
};

function portsOf(
  { holder }: Situation,
  { ports = [] }: Container,
  path: readonly PathStep[],
  used: ReadonlySet<number>,
): readonly ChangeCandidate[] {
  const change = (words: string, cost: number, edit: ChangeCandidate['edits'][number]): ChangeCandidate => ({
    kind: 'hostPort',
    plugin: 'NodePorts',
    words,
    edits: [edit],
    cost,
    verifiedBy: 'filters',
  });
  return ports.flatMap(({ hostPort = 0 }, i) => {
    if (!used.has(hostPort)) return [];
    const at = [...path, 'ports', i, 'hostPort'];
    const free = nextFree(hostPort, used);
    return [
      ...(free === undefined
        ? []
        : [change(t`take the host port ${free} instead of ${hostPort}`, 2, specEdit(holder, at, 'set', free))]),
      change(
        t`take no host port (now ${hostPort}); a Service can reach the Pod without one`,
        3,
        specEdit(holder, at, 'remove'),
      ),
    ];
  });
}

const LAST_PORT = 65_535;

function nextFree(from: number, used: ReadonlySet<number>): number | undefined {
  for (let port = from + 1; port <= LAST_PORT; port += 1) if (!used.has(port)) return port;
  return undefined;
}
