import { t } from '../../base/l10n';
import type { Attempt } from '../../scheduler/result';
import type { StudyRun } from '../../scheduler/whatIf/counterfactuals';
import type { ExplainedStep } from './steps';

const PLUGIN = 'DefaultPreemption';

/** Which Pods are evicted for a Pod and why these, or why none is. */
export function preemptionSentences({ scenario }: StudyRun, attempt: Attempt): readonly ExplainedStep[] {
  const { preemption, priority } = attempt;
  if (preemption === undefined) return [];
  const { nominatedNode, victims = [], message = '' } = preemption;
  const step = (sentence: string, nodes: readonly string[] = []): ExplainedStep => ({
    plugin: PLUGIN,
    sentence,
    nodes,
  });
  if (nominatedNode === undefined) return reasonsOf(message, priority).map(it => step(it));
  const models = new Map(scenario.cluster.running.map(it => [it.id, it]));
  const who = victims.map(it => t`${it} (priority ${(models.get(it)?.priority ?? 0).toLocaleString('en')})`);
  const own = priority.toLocaleString('en');
  return [
    step(
      who.length === 1
        ? t`It has priority ${own}, so Pods of lower priority may be evicted for it. On ${nominatedNode} that makes enough room: ${who.join()} has to go.`
        : t`It has priority ${own}, so Pods of lower priority may be evicted for it. On ${nominatedNode} that makes enough room: ${who.join(', ')} have to go.`,
      [nominatedNode],
    ),
    step(
      t(
        'Of all nodes where evicting helps, the one is taken that breaks the fewest PodDisruptionBudgets, then whose most important victim has the lowest priority, then with the lowest sum of priorities, the fewest victims, and those that started last; there no more Pods go than must.',
      ),
    ),
    step(t`The Pod is nominated to ${nominatedNode} meanwhile: others of lower priority do not get the room.`, [
      nominatedNode,
    ]),
  ];
}

/** Upstream's messages about nodes where evicting does not help, in plain words. */
const REASONS: readonly (readonly [RegExp, (count: string, priority: string) => string])[] = [
  [
    /(\d+) Preemption is not helpful for scheduling/,
    count => t`On ${nodes(count)} evicting other Pods would not help: it is not they that keep the Pod away.`,
  ],
  [
    /(\d+) No preemption victims found for incoming pod/,
    (count, priority) =>
      t`On ${nodes(count)} nobody can be evicted: no Pod of a priority lower than ${priority} runs there.`,
  ],
  [
    /not eligible due to preemptionPolicy=Never/,
    () => t('Its preemptionPolicy is Never, so that it waits and evicts nobody.'),
  ],
];

const nodes = (count: string): string => (count === '1' ? t('1 node') : t`${count} nodes`);

function reasonsOf(message: string, priority: number): readonly string[] {
  const found = REASONS.flatMap(([pattern, words]) => {
    const match = pattern.exec(message);
    return match ? [words(match[1] ?? '', priority.toLocaleString('en'))] : [];
  });
  return found.length > 0 || message === '' ? found : [t`It evicts nobody: ${message}`];
}
