import { t } from '../../base/l10n';
import type { Attempt } from '../../scheduler/result';
import { type ExplainedStep, type FeasibleVerdict, named } from './steps';

/** What a plugin's score is about. */
const ABOUT: Readonly<Record<string, () => string>> = {
  NodeResourcesFit: () => t('how much of its CPU and memory would be requested with the Pod'),
  NodeResourcesBalancedAllocation: () => t('how evenly CPU and memory would be used with the Pod'),
  ImageLocality: () => t('how much of the Pod’s images is there already'),
  InterPodAffinity: () => t('Pods there that the Pod would rather be near, or apart from'),
  NodeAffinity: () => t('labels that the Pod prefers'),
  PodTopologySpread: () => t('how evenly Pods like this one would be spread'),
  TaintToleration: () => t('PreferNoSchedule taints that the Pod does not tolerate'),
  VolumeBinding: () => t('how well the volumes fit'),
  DynamicResources: () => t('which of several alternatives of devices it has'),
  Extender: () => t('what extenders say'),
};

/** More plugins than these decide together. */
const MOST_PLUGINS = 4;

/** Why the winner won: against the runner-up, plugin by plugin, or by luck. */
export function scoreSentences({ node, nodes = [], tiedNodes = [], attempt }: Attempt): readonly ExplainedStep[] {
  const feasible = nodes.filter((it): it is FeasibleVerdict => it.verdict === 'feasible');
  const winner = feasible.find(it => it.node === node);
  if (winner === undefined || node === undefined) return [];
  if (winner.total === undefined) {
    const sentence =
      attempt > 1
        ? t`${node} is taken: the node that it was promised fits now, so that nothing is scored.`
        : t`${node} is taken: it is the only node that is left, so that nothing is scored.`;
    return [{ plugin: 'Scheduler', sentence, nodes: [node] }];
  }
  const ranked = feasible.filter(it => it.node !== node).sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
  const [second] = ranked;
  const fits = t`${named(feasible.map(it => it.node))} fit.`;
  if (second === undefined) return [{ plugin: 'Scheduler', sentence: fits, nodes: [node] }];
  if (tiedNodes.length > 1)
    return [tie(fits, node, tiedNodes, winner.total), ...decisive(winner, loserOf(ranked, winner))];
  const sentence = t`${fits} ${node} has the highest score, ${winner.total}, before ${second.node} with ${second.total ?? 0}.`;
  return [{ plugin: 'Scheduler', sentence, nodes: [node, second.node] }, ...decisive(winner, second)];
}

function tie(fits: string, node: string, tied: readonly string[], total: number): ExplainedStep {
  const sentence = t`${fits} ${tied.length} of them share the highest score, ${total}: ${tied.join(', ')}. kube-scheduler takes one of these by chance; shown is the first by name, ${node}.`;
  return { plugin: 'Scheduler', sentence, nodes: tied };
}

const loserOf = (ranked: readonly FeasibleVerdict[], { total = 0 }: FeasibleVerdict): FeasibleVerdict | undefined =>
  ranked.find(it => (it.total ?? 0) < total);

function decisive(winner: FeasibleVerdict, other: FeasibleVerdict | undefined): readonly ExplainedStep[] {
  if (other === undefined) return [];
  const points = (it: FeasibleVerdict, plugin: string): number => it.scores?.[plugin]?.weighted ?? 0;
  return Object.keys(winner.scores ?? {})
    .map(plugin => ({ plugin, own: points(winner, plugin), others: points(other, plugin) }))
    .filter(it => it.own !== it.others)
    .sort((a, b) => Math.abs(b.own - b.others) - Math.abs(a.own - a.others))
    .slice(0, MOST_PLUGINS)
    .map(({ plugin, own, others }) => {
      const by = Math.abs(own - others);
      const [better, worse] = own > others ? [winner.node, other.node] : [other.node, winner.node];
      const about = Object.hasOwn(ABOUT, plugin) ? (ABOUT[plugin]?.() ?? '') : '';
      const [more, less] = [Math.max(own, others), Math.min(own, others)];
      const sentence = given({ better, worse, by, more, less, about });
      return { plugin, sentence, nodes: [winner.node, other.node] };
    });
}

interface Given {
  readonly better: string;
  readonly worse: string;
  readonly by: number;
  readonly more: number;
  readonly less: number;
  /** Empty for a plugin that nothing is known of. */
  readonly about: string;
}

function given({ better, worse, by, more, less, about }: Given): string {
  if (about === '') return t`It gives ${better} ${by} more than ${worse} (${more} and ${less}).`;
  return by === 1
    ? t`It gives ${better} 1 point more than ${worse} (${more} and ${less}) for ${about}.`
    : t`It gives ${better} ${by} points more than ${worse} (${more} and ${less}) for ${about}.`;
}
