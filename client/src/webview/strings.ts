/** Every sentence and label of the preview, in one place, so that it can be translated. */

import { english as movers } from './moverStrings';
import { japanese } from './strings.ja';

/** "1 node", "3 nodes". */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const nodes = (count: number) => counted(count, 'node', 'nodes');
const pods = (count: number) => counted(count, 'Pod', 'Pods');

/** "a", "a and b", "a, b and c"; after `limit` names the rest is counted: "a, b, c and 7 more". */
export function listed(names: readonly string[], limit = Number.POSITIVE_INFINITY): string {
  const { comma, and, more } = strings.lists;
  const shown = names.length > limit ? [...names.slice(0, limit), more(names.length - limit)] : names;
  if (shown.length <= 1) return shown.join('');
  return `${shown.slice(0, -1).join(comma)}${and}${shown.at(-1)}`;
}

/** Rounded up: never nearer than is proven. */
const percentOf = (gap = 1): string => `${Math.ceil(100 * gap)} %`;

export const english = {
  lists: { comma: ', ', and: ' and ', more: (count: number) => `${count} more` },
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
    } as Readonly<Record<'core' | 'millicore' | 'byte' | 'pod', readonly [one: string, many: string]>>,
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
    promised: (pod: string, node: string) => `${pod} lands on ${node}, which preemption kept for it.`,
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
  views: { label: 'What to look at', nodes: 'Nodes', workloads: 'Workloads', compare: 'Compare' },
  movers,
  tries: {
    label: 'What is tried',
    strategy: 'Scoring',
    strategies: {
      configured: 'as configured',
      default: 'default',
      pack: 'pack (MostAllocated)',
      spread: 'spread (LeastAllocated)',
    },
    environment: 'Environment',
    source: 'Cluster…',
    sources: {
      auto: 'The cluster of the settings',
      default: 'Default cluster',
      workspace: 'Nodes of the workspace',
    } as Readonly<Record<string, string>>,
    live: 'Live cluster…',
    configuration: 'Scheduler',
    profile: 'Profile',
    asWritten: 'as the Pods say',
    zone: 'Zone down…',
    double: 'All ×2',
    doubleTitle: 'Try twice as many replicas of every workload',
    scaleAll: 'All ×n…',
    scaling: {
      open: 'Scale…',
      of: (workload: string) => `Scale ${workload}`,
      all: 'All ×n: scale every workload',
      number: 'Number',
      unit: 'Unit',
      replicas: 'replicas',
      times: 'times as many',
      try: 'Try',
    },
    nodeDown: (node: string) => `${node} down`,
    zoneDown: (zone: string) => `zone ${zone} down`,
    drain: (node: string) => `${node} drained`,
    cordon: (node: string) => `${node} cordoned`,
    scale: (workload: string, replicas: number) => `${workload} with ${counted(replicas, 'replica', 'replicas')}`,
    scaleBy: (workload: string | undefined, factor: number) => `${workload ?? 'all workloads'} ×${factor}`,
    remove: (workload: string) => `without ${workload}`,
    apply: (count: number) => counted(count, 'more object', 'more objects'),
    nodeDownOf: (node: string) => `Try ${node} down`,
    drainOf: (node: string) => `Try draining ${node}`,
    cordonOf: (node: string) => `Try cordoning ${node}`,
    oneMoreOf: (workload: string) => `Try +1 replica of ${workload}`,
    twiceOf: (workload: string) => `Try ×2 replicas of ${workload}`,
    removeOf: (workload: string) => `Try without ${workload}`,
    takeBack: (what: string) => `No longer: ${what}`,
    reset: 'Reset',
    difference: {
      nothing: 'Nothing changes',
      between: ', ',
      pending: (count: number) => `${pods(count)} without a node`,
      lost: (count: number) => `${pods(count)} lost`,
      evicted: (count: number) => `${pods(count)} evicted`,
      moved: (count: number) => `${pods(count)} moved`,
      placed: (count: number) => `${pods(count)} newly placed`,
      removed: (count: number) => `${pods(count)} gone`,
    },
  },
  workloads: {
    label: 'Workloads of the environment',
    workload: 'Workload',
    placed: 'Placed',
    pending: 'Pending',
    nodes: 'Nodes',
    zones: 'Zones',
    victims: 'Victims',
    tryIt: 'Try',
    of: (some: number, all: number) => `${some} of ${all}`,
  },
  compare: {
    label: 'Ways to place everything, side by side',
    explained:
      'The same Pods on the same nodes, placed under each way to score, and as well as possible. Bold is best.',
    waiting: 'Waiting for the first placement…',
    placing: (done: number, of: number, name: string) => `${done} of ${of} are there; placing everything: ${name}…`,
    solving: (done: number, of: number, seconds: number) =>
      `${done} of ${of} are there; looking for the best possible placement; the solver may take ${seconds} s…`,
    finished: 'All are there.',
    states: { placing: 'placing…', solving: 'solving…', waiting: 'waiting', failed: 'not there' },
    best: 'best',
    show: 'Show',
    showOf: (strategy: string) => `Show ${strategy}`,
    shown: 'Shown',
    below: 'see below',
    names: { configured: 'as configured', default: 'default', pack: 'pack', spread: 'spread', optimal: 'optimal' },
    optimalExplained:
      'The best possible placement by the objective, found by an exact solver. kube-scheduler does not look for it.',
    rows: {
      placed: 'Pods on nodes',
      pending: 'Pods without a node',
      nodesUsed: 'Nodes used',
      freeCpu: 'CPU free',
      freeMemory: 'Memory free',
      zones: 'Pods by zone',
      room: 'Room for more Pods',
      fragmentation: 'Fragmentation',
      objective: 'Objective',
      gap: 'How near to the best',
    },
    explain: {
      placed: 'Pods that have a node after the simulation',
      pending: 'Pending and evicted Pods',
      nodesUsed: 'Nodes with at least one Pod that no DaemonSet made',
      freeCpu: 'Of what all nodes have together',
      freeMemory: 'Of what all nodes have together',
      zones: 'Pods that this simulation placed, zones in order of their names; the most even is best',
      room: 'How many more Pods of the mean size fit',
      fragmentation: 'How many Pods of the mean size do not fit only because the free room lies on different nodes',
      objective:
        'What the best possible placement has least of, as in berth place --compare: a Pod without a node costs more than all nodes (one of a higher priority more than those of lower ones together), and each node in use costs one',
      gap: 'How much lower the objective of any placement may be',
    },
    gaps: {
      none: 'proven best',
      atMost: (percent: number) => `at most ${percent} % from the best possible`,
      unknown: 'not known',
    },
    proofs: {
      optimal: () => 'Proven: no placement that evicts nobody else has a lower objective.',
      within: (gap: number | undefined) =>
        `The solver ended near enough: at most ${percentOf(gap)} from the best possible.`,
      stopped: (gap: number | undefined, seconds: number) =>
        gap === undefined
          ? `The solver was stopped after ${seconds} s, and nothing is proven.`
          : `The solver was stopped after ${seconds} s: at most ${percentOf(gap)} from the best possible.`,
      outside: () => 'One of the strategies does better by something that the solver does not know.',
    } as Readonly<
      Record<'optimal' | 'within' | 'stopped' | 'outside', (gap: number | undefined, seconds: number) => string>
    >,
    kept: (count: number, why: string) => `${pods(count)} for ${why}`,
    keeps: (what: string) => `Kept where the best of the others puts them: ${what}.`,
    sides: {
      title: 'Two of them side by side',
      left: 'Left',
      right: 'Right',
      waiting: 'Waiting for both…',
      same: 'Both put every Pod on the same node, or on one as good.',
      elsewhere: (count: number, nodeCount: number) =>
        `${counted(count, 'Pod lies', 'Pods lie')} elsewhere; ${counted(nodeCount, 'node differs', 'nodes differ')}.`,
      figures: 'Their figures',
      nodes: 'Nodes that differ',
      load: (count: number, cpu: number, memory: number) =>
        `${pods(count)}, CPU\u00a0${cpu}\u00a0%, memory\u00a0${memory}\u00a0%`,
      moves: 'Pods that lie elsewhere',
      noNode: 'no node',
      count: 'Pods',
      more: (count: number) => `Show ${count} more`,
    },
  },
  why: {
    title: 'Why',
    ask: 'Work out why',
    suggestions: { aNode: 'What would give it a node', whatItPrefers: 'What would bring it where it prefers to be' },
    apply: 'Apply',
    applyOf: (title: string) => `Apply: ${title}`,
    cannotApply: 'No file can be changed so',
  },
  timeline: {
    label: 'Turns of the scheduling queue',
    first: 'Before the first turn',
    back: 'One turn back',
    forth: 'One turn on',
    last: 'After the last turn',
    before: 'nothing is placed yet',
    turn: (turn: number, of: number) => `Turn ${turn} of ${of}`,
    lands: (pod: string, node: string) => `${pod} lands on ${node}`,
    noNode: (pod: string) => `${pod} finds no node`,
    victims: (count: number) => `${pods(count)} must leave`,
  },
  exports: { label: 'Export…', svg: 'Picture (SVG)', png: 'Picture (PNG)', json: 'JSON', md: 'Report (Markdown)' },
  report: {
    title: 'Placement',
    tried: 'Tried',
    nodes: 'Nodes',
    node: 'Node',
    zone: 'Zone',
    pending: 'Pods without a node',
    pod: 'Pod',
    reason: 'Reason',
    difference: 'Differences',
    moved: (pod: string, from: string, to: string) => `${pod} moves from ${from} to ${to}`,
    lost: (pod: string) => `${pod} is lost: nobody makes it again`,
    waits: (pod: string) => `${pod} has no node`,
    evicted: (pod: string) => `${pod} is evicted`,
    free: 'free',
  },
};

export type Strings = typeof english;

/** The page says the language of the editor; outside a page it is English. */
const language = typeof document === 'undefined' ? 'en' : document.documentElement.lang;

export const strings: Strings = language.startsWith('ja') ? japanese : english;
