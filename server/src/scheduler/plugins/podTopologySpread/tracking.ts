import type { PodModel } from '../../../cluster/pods/podModel';
import type { ComparisonOperators } from '../../../cluster/pods/tolerations';
import type { Cycle, Tracker } from '../../framework/interface';
import { nodeClasses } from '../../framework/nodeClasses';
import { MAX_NODE_SCORE } from '../../framework/normalize';
import type { BorrowedNumbers } from '../../framework/sharedWork';
import { type Topology, topologyOf } from '../../framework/topology';
import { constraintsFor, type Defaults, HOSTNAME, type SpreadConstraint } from './constraints';
import { countersOf, lackingKeys } from './counting';
import { type Extent, extentOf, ignoredNodes, keysFor, nameless } from './scoring';

/** The matching Pods of a constraint, by domain. */
interface Tally {
  /** By `NodeInfo.index`: the domain to which the Pods of the node count; -1: none. */
  readonly domains: Int32Array;
  /** By `NodeInfo.index`: the numbers as last counted. */
  readonly counted: Float64Array;
  /** By domain. */
  readonly sums: Float64Array;
}

function tallyOf(topology: Topology, cycle: Cycle, isCounted: (index: number) => boolean): Tally {
  const other = nameless(topology);
  const domains = topology.of.map((domain, index) => {
    if (!isCounted(index)) return -1;
    return domain < 0 ? other : domain;
  });
  return {
    domains,
    counted: new Float64Array(cycle.nodes.length),
    sums: new Float64Array(topology.values.length + 1),
  };
}

/** Brings the sums up to date; returns whether one has changed. */
function followTally(
  { domains, counted, sums }: Tally,
  matching: BorrowedNumbers,
  changed: readonly number[],
): boolean {
  let isChanged = false;
  for (let i = 0; i < changed.length; i++) {
    const index = changed[i]!;
    const by = matching[index]! - counted[index]!;
    if (by === 0) continue;
    counted[index] = matching[index]!;
    const domain = domains[index]!;
    if (domain < 0) continue;
    sums[domain]! += by;
    isChanged = true;
  }
  return isChanged;
}

/**
 * The same answers as `spreadState` with `filterSpread`, and as `scoreState` with `scoreSpread` and `normalizeSpread`.
 */
export function spreadTracker(
  pod: PodModel,
  cycle: Cycle,
  defaults: Defaults,
  comparison: ComparisonOperators,
): Tracker {
  const hard = hardTracker(constraintsFor(pod, cycle, 'DoNotSchedule', defaults), pod, cycle, comparison);
  const soft = softTracker(pod, cycle, defaults, comparison);
  return {
    follow(like, now, changed) {
      hard?.follow(like, now, changed);
      soft?.follow(like, now, changed);
    },
    refused: () => hard?.refused(),
    scores: (feasible, weight) => soft?.scores(feasible, weight),
  };
}

/** A hard constraint and its matching Pods. */
interface HardPart {
  readonly constraint: SpreadConstraint;
  readonly topology: Topology;
  readonly tally: Tally;
  /** The domains of the nodes that count. */
  readonly present: readonly number[];
  /** 1 where the constraint matches the Pod itself. */
  readonly self: number;
  /** By domain; 1: full. */
  readonly isOver: Uint8Array;
}

/** Upstream: calPreFilterState and Filter. */
function hardTracker(
  constraints: readonly SpreadConstraint[],
  pod: PodModel,
  cycle: Cycle,
  comparison: ComparisonOperators,
): Pick<Tracker, 'follow' | 'refused'> | undefined {
  if (constraints.length === 0) return undefined;
  const lacking = lackingKeys(constraints, cycle);
  const counters = countersOf(constraints, pod, cycle, comparison);
  const parts = constraints.map((constraint, i): HardPart => {
    const topology = topologyOf(constraint.topologyKey, cycle);
    const { counted } = counters[i]!;
    const tally = tallyOf(topology, cycle, index => lacking[index] !== 1 && counted[index] === true);
    const present = [...new Set(tally.domains)].filter(it => it >= 0);
    const self = constraint.selector.matches(pod.labels) ? 1 : 0;
    return { constraint, topology, tally, present, self, isOver: new Uint8Array(tally.sums.length) };
  });
  let refused: Uint8Array | undefined;
  return {
    follow(like, now, changed) {
      const counters = countersOf(constraints, like, now, comparison);
      let isSame = refused !== undefined;
      for (let i = 0; i < parts.length; i++) {
        const isMoved = followTally(parts[i]!.tally, counters[i]!.matching, changed);
        if ((isMoved || refused === undefined) && isLimitMoved(parts[i]!)) isSame = false;
      }
      if (!isSame) refused = refusedBy(parts, lacking);
    },
    refused: () => refused,
  };
}

/** By `NodeInfo.index`. */
function refusedBy(parts: readonly HardPart[], lacking: Uint8Array): Uint8Array {
  const refused = lacking.slice();
  for (const { isOver, topology } of parts) {
    const { of } = topology;
    for (let i = 0; i < refused.length; i++) if (of[i]! >= 0 && isOver[of[i]!] === 1) refused[i] = 1;
  }
  return refused;
}

/** Computes which domains are full; returns whether that has changed. */
function isLimitMoved({ constraint, tally: { sums }, present, self, isOver }: HardPart): boolean {
  const { maxSkew, minDomains } = constraint;
  let min = present.length < minDomains ? 0 : 2 ** 31 - 1;
  for (const it of present) min = Math.min(min, sums[it]!);
  let isMoved = false;
  for (let domain = 0; domain < isOver.length; domain++) {
    const now = sums[domain]! + self - min > maxSkew ? 1 : 0;
    if (isOver[domain] !== now) isMoved = true;
    isOver[domain] = now;
  }
  return isMoved;
}

/** A soft constraint and its matching Pods. */
interface SoftPart {
  readonly topology: Topology;
  /** Absent: the domains are hostnames, whose Pods are counted directly. */
  readonly tally?: Tally;
  /** By `NodeInfo.index`. */
  matching: BorrowedNumbers;
}

/** Upstream: initPreScoreState, PreScore, Score and NormalizeScore. */
function softTracker(
  pod: PodModel,
  cycle: Cycle,
  defaults: Defaults,
  comparison: ComparisonOperators,
): Pick<Tracker, 'follow' | 'scores'> | undefined {
  const constraints = constraintsFor(pod, cycle, 'ScheduleAnyway', defaults);
  if (constraints.length === 0) return undefined;
  const keys = keysFor(pod, defaults);
  const ignored = ignoredNodes(constraints, cycle, keys);
  const counters = countersOf(constraints, pod, cycle, comparison);
  const parts = constraints.map(({ topologyKey }, i): SoftPart => {
    const topology = topologyOf(topologyKey, cycle);
    const { counted, matching } = counters[i]!;
    if (topologyKey === HOSTNAME) return { topology, matching };
    const tally = tallyOf(topology, cycle, it => ignored[it] !== 1 && counted[it] === true);
    return { topology, matching, tally };
  });
  const classes = nodeClasses(cycle.nodes.length);
  const tuples = tupleNumbers();
  let extent: Extent | undefined;
  return {
    follow(like, now, changed) {
      const counters = countersOf(constraints, like, now, comparison);
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i]!;
        part.matching = counters[i]!.matching;
        if (part.tally) followTally(part.tally, part.matching, changed);
      }
      for (let i = 0; i < changed.length; i++) {
        const index = changed[i]!;
        if (ignored[index] !== 1) classes.move(index, tuples.numberOf(parts, index));
      }
    },
    scores(feasible, weight) {
      if (extent?.feasible !== feasible) extent = extentOf(constraints, feasible, cycle, keys);
      classes.count(feasible);
      const raw = tuples.all.map(it => (it ? rawScore(it, parts, extent!) : 0));
      return { classes: classes.of, worth: normalized(raw, classes.sizes, weight) };
    },
  };
}

/**
 * Nodes with the same domains have the same score; where hostnames are the domains, nodes with the same number of
 * matching Pods. For each constraint a tuple holds 0 where the node lacks the key, otherwise the domain, or the number
 * of Pods, plus 1.
 */
interface TupleNumbers {
  /** By number; undefined for 0, the class of ignored nodes. */
  readonly all: readonly (readonly number[] | undefined)[];
  numberOf(parts: readonly SoftPart[], index: number): number;
}

/** A trie: by the first value of a tuple the branches for the rest; a number after the last value. */
type Branches = (Branches | number | undefined)[];

function tupleNumbers(): TupleNumbers {
  const all: (readonly number[] | undefined)[] = [undefined];
  const root: Branches = [];
  const partOf = ({ topology, tally, matching }: SoftPart, index: number): number => {
    const domain = topology.of[index]!;
    if (domain < 0) return 0;
    return 1 + (tally ? domain : matching[index]!);
  };
  return {
    all,
    numberOf(parts, index) {
      let branches = root;
      const last = parts.length - 1;
      for (let i = 0; i < last; i++) {
        const value = partOf(parts[i]!, index);
        const next = (branches[value] ?? []) as Branches;
        branches[value] = next;
        branches = next;
      }
      const value = partOf(parts[last]!, index);
      const found = branches[value] as number | undefined;
      if (found !== undefined) return found;
      branches[value] = all.length;
      all.push(parts.map(it => partOf(it, index)));
      return all.length - 1;
    },
  };
}

/** The same sum as `scoreSpread`, in the same order of additions. */
function rawScore(tuple: readonly number[], parts: readonly SoftPart[], extent: Extent): number {
  let score = 0;
  for (let i = 0; i < parts.length; i++) {
    const value = tuple[i]!;
    if (value === 0) continue;
    const { weight, maxSkew } = extent.parts[i]!;
    const { tally } = parts[i]!;
    score += (tally ? tally.sums[value - 1]! : value - 1) * weight + (maxSkew - 1);
  }
  return Math.round(score);
}

/**
 * The same result as `normalizeSpread`, by class; class 0 is ignored, and classes without feasible nodes do not count.
 */
function normalized(raw: readonly number[], sizes: readonly number[], weight: number): readonly number[] {
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  for (let i = 1; i < raw.length; i++) {
    if (sizes[i] === 0) continue;
    min = Math.min(min, raw[i]!);
    max = Math.max(max, raw[i]!);
  }
  return raw.map((it, i) => {
    if (i === 0) return 0;
    return weight * (max === 0 ? MAX_NODE_SCORE : Math.trunc((MAX_NODE_SCORE * (max + min - it)) / max));
  });
}
