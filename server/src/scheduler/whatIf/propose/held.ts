import { t } from '../../../base/l10n';
import { nearestNames } from '../../../base/nearest';
import { type ChangeCandidate, type Propose, type Situation, specEdit } from '../candidate';

/** A nodeName in a template pins every Pod to one node. */
export const freeNodeName: Propose = ({ holder, cluster }) => {
  const { nodeName } = holder.spec;
  if (!nodeName) return [];
  const change = (words: string, cost: number, edit: ChangeCandidate['edits'][number]): ChangeCandidate => ({
    kind: 'nodeName',
    plugin: 'NodeName',
    words,
    edits: [edit],
    cost,
    verifiedBy: 'run',
  });
  const near = nearestNames(
    nodeName,
    cluster.nodes.map(it => it.name),
  ).slice(0, 1);
  return [
    ...near.map(it =>
      change(t`name the node ${it} instead of ${nodeName}`, 1, specEdit(holder, ['nodeName'], 'set', it)),
    ),
    change(t`do not name a node (now ${nodeName})`, 3, specEdit(holder, ['nodeName'], 'remove')),
  ];
};

/** Removes what keeps a Pod from being tried at all. */
export function release(situation: Situation): readonly ChangeCandidate[] {
  const { holder, pod, heldBack, profiles } = situation;
  if (heldBack === undefined) return [];
  const { spec } = holder;
  const change = (
    kind: ChangeCandidate['kind'],
    words: string,
    cost: number,
    edit: ChangeCandidate['edits'][number],
  ): ChangeCandidate => ({
    kind,
    plugin: heldBack.plugin,
    words,
    edits: [edit],
    cost,
    verifiedBy: 'run',
  });
  const gates = (spec.schedulingGates ?? []).map(it => it.name ?? '');
  return [
    ...(gates.length === 0
      ? []
      : [
          change(
            'schedulingGates',
            gates.length === 1
              ? t`remove the scheduling gate ${gates.join()}`
              : t`remove the scheduling gates ${gates.join(', ')}`,
            3,
            specEdit(holder, ['schedulingGates'], 'remove'),
          ),
        ]),
    ...(heldBack.plugin === 'Profile'
      ? [
          ...nearestNames(pod.schedulerName, profiles).slice(0, 1),
          ...(profiles.includes(DEFAULT_SCHEDULER) ? [DEFAULT_SCHEDULER] : []),
        ]
          .filter((it, i, all) => all.indexOf(it) === i)
          .map((it, i) =>
            change(
              'schedulerName',
              t`let the scheduler ${it} place it instead of ${pod.schedulerName}`,
              1 + i,
              specEdit(holder, ['schedulerName'], 'set', it),
            ),
          )
      : []),
  ];
}

const DEFAULT_SCHEDULER = 'default-scheduler';
