import { jsonText } from '../../base/printed';
import type { RunMemory } from '../incremental/runCache';
import type { RunOptions } from '../scenario';
import type { ChangeCandidate, Ladder, Proposal, Situation } from './candidate';
import { withEdits } from './edits';
import { changedPod, differs, editedSpec, runFilters } from './look';
import { type ChangeOutcome, lastAttempts, outcomeOf } from './outcome';
import { proposalsFor } from './propose/index';
import { raisePriority } from './propose/priority';
import { fewerReplicas } from './propose/replicas';
import { podsOfHolder, runOver, type StudyRun, situationIn } from './study';

/** Sets of more changes than these are not looked for. */
export const MOST_CHANGES = 3;
/** So many ways to go on are kept from one size of sets to the next. */
const MOST_PARTIAL = 10;
const MOST_SUGGESTIONS = 8;
/** How often the filters are asked about a changed Pod, and about how many nodes in all. */
const MOST_LOOKS = 300;
const MOST_NODES_ASKED = 300_000;
/** How often everything is placed anew, and how many Pods are asked about how many nodes in all; a few are always tried. */
const MOST_RUNS = 16;
const FEWEST_RUNS = 4;
const MOST_RUN_WORK = 2_000_000;
/** Plugins that say the same whether one thing is wrong or several, so that mending one shows in nothing. */
const HIDES_CAUSES: ReadonlySet<string> = new Set([
  'TaintToleration',
  'NodeAffinity',
  'InterPodAffinity',
  'PodTopologySpread',
  'NodePorts',
]);
/** Of a ladder that only runs can tell about. */
const MOST_STEPS_RUN = 4;

export interface Path {
  readonly candidates: readonly ChangeCandidate[];
  readonly situation: Situation;
}

export interface Verified extends Path {
  readonly outcome: ChangeOutcome;
}

/** What may still be asked. */
interface Budget {
  looks: number;
  nodes: number;
  runs: number;
  runWork: number;
  untried: number;
}

/**
 * The smallest sets of changes that give a Pod a node (or make it fit on `node`), each tried by placing everything anew,
 * and how many more changes there were for which the budget was too small. Undefined: the Pod is written nowhere.
 */
export function search(
  base: StudyRun,
  options: Remembering,
  pod: string,
  { node, allows = () => true }: Narrowed = {},
): { readonly verified: readonly Verified[]; readonly untried: number } | undefined {
  const first = situationIn(base, pod, node);
  if (first === undefined) return undefined;
  const budget: Budget = {
    looks: MOST_LOOKS,
    nodes: MOST_NODES_ASKED,
    runs: MOST_RUNS,
    runWork: MOST_RUN_WORK,
    untried: 0,
  };
  const quest: Quest = { base, options, pod, budget, allows, seen: new Set(), ...(node !== undefined && { node }) };
  let frontier: readonly Path[] = [{ candidates: [], situation: first }];
  for (let size = 1; size <= MOST_CHANGES && frontier.length > 0; size += 1) {
    const { verified, partial } = oneMore(frontier, quest, size === 1 ? extraProposals(base, first, pod) : []);
    if (verified.length > 0) return { verified, untried: budget.untried };
    frontier = partial.slice(0, MOST_PARTIAL);
  }
  return { verified: [], untried: budget.untried };
}

/** Each run takes over from the first what is the same. */
export type Remembering = RunOptions & { readonly memory: RunMemory };

/** What counts as an answer. */
interface Narrowed {
  /** The Pod shall fit there, which it may do without landing there. */
  readonly node?: string | undefined;
  /** Changes that may be made; absent: all. */
  readonly allows?: (candidate: ChangeCandidate) => boolean;
}

interface Quest {
  readonly allows: (candidate: ChangeCandidate) => boolean;
  readonly base: StudyRun;
  readonly options: Remembering;
  readonly pod: string;
  readonly node?: string;
  readonly budget: Budget;
  /** Sets of changes that were tried, as text. */
  readonly seen: Set<string>;
}

/** What helps whichever plugin said no; only for Pods that were tried or are made by a workload. */
function extraProposals({ result, scenario }: StudyRun, situation: Situation, pod: string): readonly Proposal[] {
  const siblings = podsOfHolder(situation.holder, scenario);
  const landed = siblings.filter(it => result.placements[it] !== undefined).length;
  const running = scenario.cluster.running.filter(it => it.id !== pod).length;
  const classes = situation.tried && !situation.held && running > 0 ? raisePriority(situation) : [];
  const priority: Ladder = { count: classes.length, at: i => classes[i]! };
  return [...(classes.length > 0 ? [priority] : []), ...fewerReplicas(situation, landed)];
}

function oneMore(
  frontier: readonly Path[],
  quest: Quest,
  extra: readonly Proposal[],
): { readonly verified: readonly Verified[]; readonly partial: readonly Path[] } {
  const hits: Path[] = [];
  const partial: Path[] = [];
  const vague: Path[] = [];
  const runs: { readonly path: Path; readonly steps: readonly ChangeCandidate[] }[] = [];
  for (const path of frontier) {
    for (const proposal of [...proposalsFor(path.situation), ...extra]) {
      const steps = 'at' in proposal ? proposal : { count: 1, at: () => proposal };
      if (!quest.allows(steps.at(0))) continue;
      if (steps.at(0).tells === 'run') {
        const some = Array.from({ length: Math.min(MOST_STEPS_RUN, steps.count) }, (_, i) => steps.at(i));
        runs.push({ path, steps: some });
        continue;
      }
      const told = looked(path, steps, quest);
      if (told?.says === 'fits') hits.push(told.path);
      else if (told?.says === 'moves') partial.push(told.path);
      else if (told) vague.push(told.path);
    }
  }
  const verified: Verified[] = [];
  const tryOut = (path: Path): boolean => {
    const tried = verify(path, quest);
    if (tried === undefined) return false;
    if ('outcome' in tried) verified.push(tried);
    else partial.push(tried);
    return 'outcome' in tried;
  };
  const costOf = ({ path, steps }: (typeof runs)[number]): number => cost([...path.candidates, steps[0]!]);
  const all = [
    ...hits.map(it => ({ cost: cost(it.candidates), go: () => tryOut(it) })),
    ...runs.map(it => ({
      cost: costOf(it),
      go: () => it.steps.some(step => tryOut({ ...it.path, candidates: [...it.path.candidates, step] })),
    })),
  ].sort((a, b) => a.cost - b.cost);
  for (const it of all) {
    if (verified.length >= MOST_SUGGESTIONS) quest.budget.untried += 1;
    else it.go();
  }
  return { verified, partial: [...cheapest(partial, MOST_PARTIAL), ...cheapest(vague, MOST_PARTIAL)] };
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

/** Asks the filters alone: the least step that opens a node, else the first if it moves any node on. */
function looked(
  path: Path,
  steps: Ladder,
  quest: Quest,
): { readonly says: 'fits' | 'moves' | 'may'; readonly path: Path } | undefined {
  const after = (i: number): Path | undefined => lookedAt(path, steps.at(i), quest);
  const fits = (it: Path | undefined): boolean =>
    (it?.situation.look.feasible.length ?? 0) > (quest.node === undefined ? path.situation.look.feasible.length : 0);
  const first = after(0);
  if (first && fits(first)) return { says: 'fits', path: first };
  let best = steps.count > 1 ? after(steps.count - 1) : undefined;
  if (!best || !fits(best)) {
    if (first === undefined) return undefined;
    const isMoved = differs(path.situation.look, first.situation.look);
    return isMoved || HIDES_CAUSES.has(steps.at(0).plugin)
      ? { says: isMoved ? 'moves' : 'may', path: first }
      : undefined;
  }
  // A greater step opens whatever a smaller one does.
  let [no, yes] = [0, steps.count - 1];
  while (yes - no > 1) {
    const middle = (no + yes) >> 1;
    const there = after(middle);
    if (there && fits(there)) [yes, best] = [middle, there];
    else no = middle;
  }
  return { says: 'fits', path: best };
}

function lookedAt(
  { candidates, situation }: Path,
  candidate: ChangeCandidate,
  { budget, seen, node }: Quest,
): Path | undefined {
  const { tried, pod, holder, documents } = situation;
  const all = [...candidates, candidate];
  const key = keyOf(all);
  if (tried === undefined || seen.has(key)) return undefined;
  const nodes = tried.cycle.nodes.length;
  if (budget.looks <= 0 || budget.nodes < nodes) {
    budget.untried += 1;
    return undefined;
  }
  seen.add(key);
  budget.looks -= 1;
  budget.nodes -= nodes;
  const changed = changedPod(pod, holder, [...candidate.edits, ...(candidate.follows ?? [])]);
  const look = runFilters(changed, tried.cycle, tried.profile);
  const feasible = node === undefined ? look.feasible : look.feasible.filter(it => it.name === node);
  const spec = editedSpec(holder.spec, holder, candidate.edits);
  return {
    candidates: all,
    situation: { ...situation, pod: changed, holder: { ...holder, spec }, look: { ...look, feasible }, documents },
  };
}

/** Places everything anew: what came of it, or where the Pod stands then; undefined when there is nothing to go on from. */
function verify(path: Path, quest: Quest): Verified | Path | undefined {
  const { base, options, pod, node, budget } = quest;
  const work = base.result.attempts.length * base.scenario.cluster.nodes.length;
  const isSpent = budget.runs <= 0 || (budget.runWork < work && budget.runs <= MOST_RUNS - FEWEST_RUNS);
  if (isSpent) {
    budget.untried += 1;
    return undefined;
  }
  budget.runs -= 1;
  budget.runWork -= work;
  const edits = path.candidates.flatMap(it => it.edits);
  const documents = withEdits(base.documents, edits);
  // What would be is worked out from what is, and not remembered in its place.
  const after = runOver(documents, { ...options, memory: { ...options.memory } });
  const siblings = podsOfHolder(path.situation.holder, after.scenario);
  const outcome = outcomeOf(pod, base.result, after.result, siblings);
  if (isReached(path, outcome, after, quest)) return { ...path, outcome };
  if (path.candidates.length === MOST_CHANGES) return undefined;
  const looked = runOver(documents, { ...options, memory: { ...options.memory } }, { wanted: node && pod });
  const situation = situationIn(looked, pod, node);
  const isMoved = situation && differs(path.situation.look, situation.look) && situation.look.feasible.length === 0;
  return isMoved ? { candidates: path.candidates, situation } : undefined;
}

function isReached({ candidates }: Path, outcome: ChangeOutcome, after: StudyRun, { pod, node }: Quest): boolean {
  if (candidates.some(it => it.kind === 'replicas')) {
    const made = lastAttempts(after.result).has(pod);
    return outcome.stillWithout.length === 0 && (!made || outcome.node !== undefined);
  }
  if (node !== undefined) return outcome.opens.includes(node);
  return outcome.node !== undefined || outcome.nominatedNode !== undefined;
}
