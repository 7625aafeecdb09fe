import { jsonText } from '../../base/printed';
import type { Steps } from '../../base/steps';
import type { PodModel } from '../../cluster/pods/podModel';
import type { RunMemory } from '../incremental/runCache';
import type { RunOptions } from '../scenario';
import type { ChangeCandidate, Ladder, Proposal, Situation } from './candidate';
import { withEdits } from './edits';
import { changedPod, differs, editedSpec, runFilters } from './filterResult';
import { type ChangeOutcome, lastAttempts, outcomeOf } from './outcome';
import { proposalsFor } from './propose/index';
import { raisePriority } from './propose/priority';
import { fewerReplicas } from './propose/replicas';
import { podsOfHolder, runStudySteps, type StudyRun, situationIn } from './study';

/** Limit on the size of a set of changes. */
export const MAX_CHANGES = 3;
/** How many partial sets are extended to the next size. */
const MAX_PARTIAL = 10;
const MAX_SUGGESTIONS = 8;
/** How many changes are looked at to extend one set. */
const MAX_PROPOSALS = 1_000;
/** Limits on filter runs for changed Pods, and on the nodes filtered in all, each for every few terms of the Pod. */
const MAX_FILTER_RUNS = 300;
const MAX_FILTERED_NODES = 300_000;
/** What a run prepares costs as much as so many nodes. */
const LEAST_NODES = 16;
const FEW_TERMS = 10;
/** Limits on complete runs, and on Pods times nodes in all of them; a few runs are always made. */
const MAX_RUNS = 16;
const MIN_RUNS = 4;
const MAX_RUN_WORK = 2_000_000;
/** Plugins with the same reason for one cause or several, so that resolving one cause does not show. */
const HIDES_CAUSES: ReadonlySet<string> = new Set([
  'TaintToleration',
  'NodeAffinity',
  'InterPodAffinity',
  'PodTopologySpread',
  'NodePorts',
]);
/** Limit for a ladder that only complete runs can verify. */
const MAX_STEPS_RUN = 4;

export interface Path {
  readonly candidates: readonly ChangeCandidate[];
  readonly situation: Situation;
}

export interface Verified extends Path {
  readonly outcome: ChangeOutcome;
}

/** What is left of the limits. */
interface Budget {
  filterRuns: number;
  nodes: number;
  runs: number;
  runWork: number;
  untried: number;
}

/**
 * The smallest sets of changes that give a Pod a node (or make it fit on `node`), each verified by a complete run, and
 * the number of changes that were not tried for lack of budget. undefined: the Pod is written in no document.
 */
export function* searchSteps(
  base: StudyRun,
  options: SearchOptions,
  pod: string,
  { node, allows = () => true }: Constraints = {},
): Steps<Found | undefined> {
  const first = situationIn(base, pod, node);
  if (first === undefined) return undefined;
  const budget: Budget = {
    filterRuns: MAX_FILTER_RUNS,
    nodes: MAX_FILTERED_NODES,
    runs: MAX_RUNS,
    runWork: MAX_RUN_WORK,
    untried: 0,
  };
  const input: SearchInput = {
    base,
    options,
    pod,
    budget,
    allows,
    triedSets: new Set(),
    ...(node !== undefined && { node }),
  };
  let frontier: readonly Path[] = [{ candidates: [], situation: first }];
  for (let size = 1; size <= MAX_CHANGES && frontier.length > 0; size += 1) {
    const { verified, partial } = yield* extendPaths(
      frontier,
      input,
      size === 1 ? extraProposals(base, first, pod) : [],
    );
    if (verified.length > 0) return { verified, untried: budget.untried };
    frontier = partial.slice(0, MAX_PARTIAL);
  }
  return { verified: [], untried: budget.untried };
}

/** Each run reuses what is the same as in the first. */
export type SearchOptions = RunOptions & { readonly memory: RunMemory };

/** What counts as a solution. */
interface Constraints {
  /** The Pod must fit there, though it may be placed elsewhere. */
  readonly node?: string | undefined;
  /** Permitted changes; absent: all. */
  readonly allows?: (candidate: ChangeCandidate) => boolean;
}

/** The changes that help, and the number of those that were not tried. */
export interface Found {
  readonly verified: readonly Verified[];
  readonly untried: number;
}

interface SearchInput {
  readonly allows: (candidate: ChangeCandidate) => boolean;
  readonly base: StudyRun;
  readonly options: SearchOptions;
  readonly pod: string;
  readonly node?: string;
  readonly budget: Budget;
  /** The sets of changes tried so far, as text. */
  readonly triedSets: Set<string>;
}

/** Proposals that help whichever plugin refused; only for Pods that were tried or that a workload makes. */
function extraProposals({ result, scenario }: StudyRun, situation: Situation, pod: string): readonly Proposal[] {
  const siblings = podsOfHolder(situation.holder, scenario);
  const landed = siblings.filter(it => result.placements[it] !== undefined).length;
  const running = scenario.cluster.running.filter(it => it.id !== pod).length;
  const classes = situation.tried && !situation.heldBack && running > 0 ? raisePriority(situation) : [];
  const priority: Ladder = { count: classes.length, at: i => classes[i]! };
  return [...(classes.length > 0 ? [priority] : []), ...fewerReplicas(situation, landed)];
}

function* extendPaths(
  frontier: readonly Path[],
  input: SearchInput,
  extra: readonly Proposal[],
): Steps<{ readonly verified: readonly Verified[]; readonly partial: readonly Path[] }> {
  const hits: Path[] = [];
  const partial: Path[] = [];
  const unclear: Path[] = [];
  const runs: { readonly path: Path; readonly steps: readonly ChangeCandidate[] }[] = [];
  for (const path of frontier) {
    const proposals = proposalsFor(path.situation);
    input.budget.untried += Math.max(0, proposals.length - MAX_PROPOSALS);
    for (const proposal of [...proposals.slice(0, MAX_PROPOSALS), ...extra]) {
      const steps = 'at' in proposal ? proposal : { count: 1, at: () => proposal };
      if (!input.allows(steps.at(0))) continue;
      if (steps.at(0).verifiedBy === 'run') {
        const some = Array.from({ length: Math.min(MAX_STEPS_RUN, steps.count) }, (_, i) => steps.at(i));
        runs.push({ path, steps: some });
        continue;
      }
      const attempt = yield* filterOnly(path, steps, input);
      if (attempt?.effect === 'fits') hits.push(attempt.path);
      else if (attempt?.effect === 'moves') partial.push(attempt.path);
      else if (attempt) unclear.push(attempt.path);
    }
  }
  const verified: Verified[] = [];
  /** The first of some paths that helps is enough. */
  function* tryInOrder(paths: readonly Path[]): Steps<undefined> {
    for (const path of paths) {
      const tried = yield* verify(path, input);
      if (tried === undefined) continue;
      if ('outcome' in tried) {
        verified.push(tried);
        return undefined;
      }
      partial.push(tried);
    }
    return undefined;
  }
  const costOf = ({ path, steps }: (typeof runs)[number]): number => cost([...path.candidates, steps[0]!]);
  const all = [
    ...hits.map(it => ({ cost: cost(it.candidates), paths: [it] })),
    ...runs.map(it => ({
      cost: costOf(it),
      paths: it.steps.map(step => ({ ...it.path, candidates: [...it.path.candidates, step] })),
    })),
  ].sort((a, b) => a.cost - b.cost);
  for (const it of all) {
    if (verified.length >= MAX_SUGGESTIONS) input.budget.untried += 1;
    else yield* tryInOrder(it.paths);
  }
  return { verified, partial: [...cheapest(partial, MAX_PARTIAL), ...cheapest(unclear, MAX_PARTIAL)] };
}

export const cost = (candidates: readonly ChangeCandidate[]): number =>
  candidates.reduce((sum, it) => sum + it.cost, 0);

const cheapest = (paths: readonly Path[], most: number): readonly Path[] =>
  [...paths].sort((a, b) => cost(a.candidates) - cost(b.candidates)).slice(0, most);

const keyOf = (candidates: readonly ChangeCandidate[]): string =>
  candidates
    .map(it => jsonText(it.edits))
    .sort()
    .join('\n');

/**
 * Runs the filters only: returns the smallest step that opens a node, otherwise the first step if it changes the result
 * on any node.
 */
function* filterOnly(
  path: Path,
  steps: Ladder,
  input: SearchInput,
): Steps<{ readonly effect: 'fits' | 'moves' | 'may'; readonly path: Path } | undefined> {
  const after = (i: number): Path | undefined => filtered(path, steps.at(i), input);
  const fits = (it: Path | undefined): boolean =>
    (it?.situation.filterResult.feasible.length ?? 0) >
    (input.node === undefined ? path.situation.filterResult.feasible.length : 0);
  const first = after(0);
  yield;
  if (first && fits(first)) return { effect: 'fits', path: first };
  let best = steps.count > 1 ? after(steps.count - 1) : undefined;
  if (!best || !fits(best)) {
    if (first === undefined) return undefined;
    const isMoved = differs(path.situation.filterResult, first.situation.filterResult);
    return isMoved || HIDES_CAUSES.has(steps.at(0).plugin)
      ? { effect: isMoved ? 'moves' : 'may', path: first }
      : undefined;
  }
  // A larger step opens every node that a smaller one opens.
  let [no, yes] = [0, steps.count - 1];
  while (yes - no > 1) {
    const middle = (no + yes) >> 1;
    const there = after(middle);
    yield;
    if (there && fits(there)) [yes, best] = [middle, there];
    else no = middle;
  }
  return { effect: 'fits', path: best };
}

function filtered(
  { candidates, situation }: Path,
  candidate: ChangeCandidate,
  { budget, triedSets, node }: SearchInput,
): Path | undefined {
  const { tried, pod, holder, documents } = situation;
  if (tried === undefined) return undefined;
  const nodes = Math.max(LEAST_NODES, tried.cycle.nodes.length) * Math.max(1, Math.ceil(termsOf(pod) / FEW_TERMS));
  if (budget.filterRuns <= 0 || budget.nodes < nodes) {
    budget.untried += 1;
    return undefined;
  }
  const all = [...candidates, candidate];
  const key = keyOf(all);
  if (triedSets.has(key)) return undefined;
  triedSets.add(key);
  budget.filterRuns -= 1;
  budget.nodes -= nodes;
  const changed = changedPod(pod, holder, [...candidate.edits, ...(candidate.follows ?? [])]);
  const filterResult = runFilters(changed, tried.cycle, tried.profile);
  const feasible = node === undefined ? filterResult.feasible : filterResult.feasible.filter(it => it.name === node);
  const spec = editedSpec(holder.spec, holder, candidate.edits);
  return {
    candidates: all,
    situation: {
      ...situation,
      pod: changed,
      holder: { ...holder, spec },
      filterResult: { ...filterResult, feasible },
      documents,
    },
  };
}

/** How much the filters read of a Pod for each node: constraints, terms of affinity, tolerations. */
function termsOf({ spec, terms }: PodModel): number {
  const affinity = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const lists = [spec.topologySpreadConstraints, spec.tolerations, affinity, terms.required, terms.requiredAnti];
  return lists.reduce((sum, it) => sum + (it?.length ?? 0), 0);
}

/**
 * Makes a complete run: its outcome, or the Pod's situation afterwards; undefined when there is nothing to continue
 * from.
 */
function* verify(path: Path, input: SearchInput): Steps<Verified | Path | undefined> {
  const { base, options, pod, node, budget } = input;
  const work = base.result.attempts.length * base.scenario.cluster.nodes.length;
  const isSpent = budget.runs <= 0 || (budget.runWork < work && budget.runs <= MAX_RUNS - MIN_RUNS);
  if (isSpent) {
    budget.untried += 1;
    return undefined;
  }
  budget.runs -= 1;
  budget.runWork -= work;
  const edits = path.candidates.flatMap(it => it.edits);
  const documents = withEdits(base.documents, edits);
  // A copy of the memory: a hypothetical run must not replace what the real one left.
  const after = yield* runStudySteps(documents, { ...options, memory: { ...options.memory } });
  const siblings = podsOfHolder(path.situation.holder, after.scenario);
  const outcome = outcomeOf(pod, base.result, after.result, siblings);
  if (isSolved(path, outcome, after, input)) return { ...path, outcome };
  if (path.candidates.length === MAX_CHANGES) return undefined;
  const observed = yield* runStudySteps(
    documents,
    { ...options, memory: { ...options.memory } },
    { wanted: node && pod },
  );
  const situation = situationIn(observed, pod, node);
  const isMoved =
    situation &&
    differs(path.situation.filterResult, situation.filterResult) &&
    situation.filterResult.feasible.length === 0;
  return isMoved ? { candidates: path.candidates, situation } : undefined;
}

function isSolved({ candidates }: Path, outcome: ChangeOutcome, after: StudyRun, { pod, node }: SearchInput): boolean {
  if (candidates.some(it => it.kind === 'replicas')) {
    const exists = lastAttempts(after.result).has(pod);
    return outcome.stillWithout.length === 0 && (!exists || outcome.node !== undefined);
  }
  if (node !== undefined) return outcome.opens.includes(node);
  return outcome.node !== undefined || outcome.nominatedNode !== undefined;
}
