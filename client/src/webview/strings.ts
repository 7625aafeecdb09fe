/** Every sentence and label of the preview, in one place, so that it can be translated. */

/** "1 node", "3 nodes". */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const nodes = (count: number) => counted(count, 'node', 'nodes');
const pods = (count: number) => counted(count, 'Pod', 'Pods');

/** "a", "a and b", "a, b and c"; after `limit` names the rest is counted: "a, b, c and 7 more". */
export function listed(names: readonly string[], limit = Number.POSITIVE_INFINITY): string {
  const shown = names.length > limit ? [...names.slice(0, limit), `${names.length - limit} more`] : names;
  if (shown.length <= 1) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

export const strings = {
  header: {
    title: 'Placement preview',
    kubernetes: (version: string) => `Kubernetes ${version}`,
    cluster: 'Cluster',
    counts: 'Result of the simulation',
    placed: (count: number) => `${count} placed`,
    pending: (count: number) => `${count} pending`,
    evicted: (count: number) => `${count} evicted`,
    notes: 'What this simulation leaves out',
  },
  empty: {
    title: 'No placement to show',
    waiting: 'Waiting for the first simulation…',
    noNodes: 'This cluster has no nodes, so no Pod can be placed.',
    noPods: 'Nothing in this workspace makes a Pod that the scheduler would have to place.',
  },
  list: {
    label: 'Pods tried',
    filter: 'Filter Pods',
    noMatch: (filter: string) => `No Pod matches “${filter}”.`,
    groups: { pending: 'Pending', evicted: 'Evicted', placed: 'Placed' },
    state: {
      running: (node: string) => `runs on ${node}`,
      placed: (node: string) => `placed on ${node}`,
      pending: 'pending',
      victim: (node: string) => `evicted from ${node}`,
    },
  },
  status: {
    scheduled: 'scheduled',
    unschedulable: 'no node fits',
    error: 'error',
    gated: 'gated',
    rejected: 'not admitted',
    ignored: 'not tried',
    superseded: 'superseded',
  },
  board: {
    label: 'Nodes by zone',
    zone: (zone: string) => (zone === '' ? 'no zone' : zone),
    zoneCount: (count: number) => nodes(count),
    afterwards: 'Bars and tiles: after the simulation. Verdicts: when the chosen Pod was tried.',
    notReady: 'NotReady',
    cordoned: 'SchedulingDisabled',
    taints: 'Taints',
    pods: (node: string) => `Pods on ${node}`,
    noPods: 'no Pods',
    more: (count: number) => `${count} more`,
    fewer: 'Show fewer',
    legend: {
      running: 'ran before',
      placed: 'placed now',
      chosen: 'chosen Pod',
      victim: 'evicted',
    },
  },
  tile: {
    running: (pod: string) => `${pod}, ran before`,
    placed: (pod: string) => `${pod}, placed by this simulation`,
    pending: (pod: string) => `${pod}, pending`,
    victim: (pod: string, by: string | undefined) => `${pod}, evicted${by === undefined ? '' : ` for ${by}`}`,
    evictedFor: (by: string) => `for ${by}`,
    chosen: (label: string) => `${label}, chosen`,
    priority: (priority: number) => `priority ${priority}`,
  },
  resource: {
    names: { cpu: 'CPU', memory: 'Memory', pods: 'Pods', 'ephemeral-storage': 'Disk' } as Readonly<
      Record<string, string>
    >,
    units: {
      core: ['core', 'cores'],
      millicore: ['millicore', 'millicores'],
      byte: ['byte', 'bytes'],
      pod: ['Pod', 'Pods'],
    } as const,
    free: (amount: string) => `${amount} free`,
    of: (part: string, whole: string) => `${part} of ${whole}`,
    over: (amount: string) => `${amount} too much`,
    breakdown: (name: string, running: string, placed: string, whole: string) =>
      `${name}: ${running} by Pods that ran before, ${placed} by Pods placed now, of ${whole}`,
    breakdownChosen: (amount: string) => `, ${amount} of it by the chosen Pod`,
  },
  verdict: {
    winner: 'Lands here',
    winnerTied: 'Lands here, by lot',
    tied: 'Equally good',
    feasible: 'Fits',
    onlyFit: 'the only node that fits',
    score: (total: number) => `score ${total}`,
    rank: (rank: number, of: number) => `rank ${rank} of ${of}`,
    unscored: 'not scored',
    rejected: (plugin: string) => plugin,
    excluded: 'Left out',
    excludedWhy: 'by a PreFilter plugin, before it was looked at',
    nominated: 'Nominated',
    nominatedWhy: (victims: number) => `${pods(victims)} must go first`,
    runsHere: 'Runs here',
    ranBefore: 'it ran before the simulation',
    placedHere: 'Lands here',
    evictedHere: 'Evicted from here',
    evictedFor: (by: string) => `to make room for ${by}`,
    none: 'Not looked at',
    noneWhy: 'the Pod was turned away before any node',
    notTried: 'Not tried',
    notTriedWhy: 'the scheduler had nothing to decide for this Pod',
  },
  decision: {
    best: (pod: string, node: string, feasible: number) =>
      `${pod} lands on ${node}: best score of ${feasible} feasible nodes.`,
    only: (pod: string, node: string, looked: number) =>
      looked <= 1
        ? `${pod} lands on ${node}: it is the only node.`
        : `${pod} lands on ${node}: the only feasible node of ${looked}.`,
    plain: (pod: string, node: string) => `${pod} lands on ${node}.`,
    tie: (pod: string, tied: string, node: string) =>
      `${pod} lands on one of the best nodes. ${tied} are equal: kube-scheduler draws one by lot (shown here on ${node}).`,
    room: (victims: number) => `To make room, ${counted(victims, 'Pod is', 'Pods are')} evicted.`,
    noNode: (pod: string, looked: number) =>
      looked === 1
        ? `${pod} stays Pending: the only node does not fit.`
        : `${pod} stays Pending: none of ${looked} nodes fits.`,
    turnedAway: (pod: string, plugin: string) =>
      `${pod} stays Pending: ${plugin} turns it away before any node is looked at.`,
    pending: (pod: string) => `${pod} stays Pending.`,
    comesBack: (what: string) => `The scheduler looks at it again when ${what}.`,
    backoff: 'The scheduler looks at it again by itself, after its backoff.',
    nominated: (pod: string, node: string, victims: number) =>
      `${pod} waits for ${node}: ${counted(victims, 'Pod has', 'Pods have')} to leave it first.`,
    gated: (pod: string) => `${pod} is held back before the scheduling queue.`,
    gatedBy: (pod: string, plugin: string) => `${pod} is held back before the scheduling queue by ${plugin}.`,
    rejected: (pod: string) => `${pod} is not admitted: the API server would refuse to create it.`,
    ignored: (pod: string) => `${pod} is not tried: no profile of this scheduler has its schedulerName.`,
    superseded: (pod: string) => `${pod} was looked at within a gang, and a later look replaced this one.`,
    error: (pod: string) => `${pod} cannot be decided: the scheduler reports an error.`,
    running: (pod: string, node: string) => `${pod} ran on ${node} before the simulation and stays there.`,
    victim: (pod: string, node: string, by: string | undefined) =>
      by === undefined ? `${pod} is evicted from ${node}.` : `${pod} is evicted from ${node} to make room for ${by}.`,
    nothing: 'Choose a Pod to see where it lands.',
  },
  details: {
    label: (pod: string) => `Details of ${pod}`,
    reveal: 'Show in file',
    noSource: 'This Pod is not written in the workspace',
    namespace: (namespace: string) => `namespace ${namespace}`,
    owner: (owner: string) => `of ${owner}`,
    priority: (priority: number) => `priority ${priority}`,
    asks: (amounts: string) => `asks for ${amounts}`,
    asksNothing: 'asks for no CPU or memory',
    secondAttempt: 'second attempt, after its own preemption',
    message: 'FailedScheduling',
    otherMessage: 'Message',
    preemption: 'Preemption',
    preemptionText: (node: string, victims: number) => `${pods(victims)} evicted on ${node}, most important first`,
    preemptionWaiting: (node: string, victims: number) => `${pods(victims)} to evict on ${node}, most important first`,
    rejected: (count: number) => `Rejected ${count === 1 ? 'node' : 'nodes'} (${count})`,
    rejectedHere: (count: number) => nodes(count),
    excluded: 'left out by a PreFilter plugin',
    unresolvable: 'evicting Pods would not help',
    scores: 'Scores',
    scoresCaption: (pod: string) => `Scores of the feasible nodes for ${pod}: weighted, with raw and normalised score`,
    node: 'Node',
    total: 'Total',
    rank: 'Rank',
    sortBy: (column: string) => `Sort by ${column}`,
    cell: (weighted: number, raw: number, normalized: number) =>
      `${weighted} weighted, ${raw} raw, ${normalized} normalised`,
    cellSmall: (raw: number, normalized: number) => `${raw} → ${normalized}`,
    cellKey: 'weighted; below it raw → normalised; – the plugin skipped',
    skipped: 'skipped',
    winner: 'lands here',
    tied: 'equally good',
    unscoredOne: (node: string) => `Only ${node} fits, so the scheduler does not score.`,
    nothingMore: 'The scheduler took no decision about this Pod.',
  },
};
