import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { compareText } from '../../cluster/scenario';
import { withExtenderScores } from '../extenders/chain';
import { noNominatedPods, type PreFilterOutcome, runFilterWithNominated, runPreFilter } from '../framework/cycle';
import { countReasons, eventNote, fitErrorMessage, type ReasonCounts } from '../framework/fitError';
import type { Decision, PostFilterAnswer, PostFilterContext, Profile, Refusal } from '../framework/interface';
import type { NodeInfo } from '../framework/nodeInfo';
import { type RankedNodes, rankNodes } from '../framework/nodeRanking';
import { runScore, type Scores } from '../framework/scores';
import type { BorrowedNumbers } from '../framework/sharedWork';
import { unresolvable } from '../framework/status';
import { rankByTracking } from '../framework/tracking';
import type { Attempt, NodeVerdict, Rejection } from '../result';
import {
  type Diagnosis,
  extenderRefusal,
  findNodesThatFitPod,
  type NodeSnapshot,
  rejectorsOf,
  verdictsOf,
  withExtenders,
  withNominated,
} from './findNodes';

/** Upstream: schedulePod, then PostFilter when no node fits. */
export function schedulePod(pod: PodModel, cycle: NodeSnapshot, profile: Profile): Decision {
  const base = baseOf(pod);
  const nodes = cycle.among ?? cycle.nodes;
  if (nodes.length === 0) {
    return {
      attempt: { ...base, status: 'unschedulable', message: 'no nodes available to schedule pods' },
      evaluatedNodes: 0,
    };
  }
  const isSimple = isRankable(pod, cycle, profile);
  const tracked = isSimple ? rankByTracking(pod, cycle, profile) : undefined;
  if (tracked) return fromRanking(tracked, pod, cycle, () => decideWithVerdicts(pod, cycle, profile).nodes?.() ?? []);
  const before = runPreFilter(profile, pod, cycle);
  if ('rejection' in before) return rejectedByPreFilter(pod, cycle, profile, before);
  const { run, nodeNames } = before;
  const ranking = isSimple && nodeNames === undefined ? rankNodes(run, pod, cycle, profile) : undefined;
  if (!ranking) return decideWithAllVerdicts(pod, cycle, profile, before);
  const verdicts = (): readonly NodeVerdict[] => decideWithAllVerdicts(pod, cycle, profile, before).nodes?.() ?? [];
  return { ...fromRanking(ranking, pod, cycle, verdicts), run };
}

function fromRanking(
  { feasible, totals }: RankedNodes,
  pod: PodModel,
  { nodes }: NodeSnapshot,
  verdicts: () => readonly NodeVerdict[],
): Decision {
  const attempt = selectHost(baseOf(pod), totals, i => nodes[feasible[i]!]!.name, nodes.length);
  return { attempt, nodes: verdicts, evaluatedNodes: nodes.length };
}

function decideWithVerdicts(pod: PodModel, cycle: NodeSnapshot, profile: Profile): Decision {
  const before = runPreFilter(profile, pod, cycle);
  return 'rejection' in before
    ? rejectedByPreFilter(pod, cycle, profile, before)
    : decideWithAllVerdicts(pod, cycle, profile, before);
}

type PreFilterPassed = Extract<PreFilterOutcome, { run: unknown }>;

type AttemptBase = Pick<Attempt, 'pod' | 'attempt' | 'priority'>;

const baseOf = ({ id, priority }: PodModel): AttemptBase => ({ pod: id, attempt: 1, priority });

/** Whether filters and scores over all nodes decide alone, and there are nodes to choose from. */
function isRankable(pod: PodModel, cycle: NodeSnapshot, profile: Profile): boolean {
  if (cycle.nodes.length < 2) return false;
  const considersAllNodes = cycle.among === undefined && !cycle.bindsLater;
  const isNominated = pod.nominatedNodeName !== undefined || cycle.nominated !== noNominatedPods;
  const scores = profile.score.length > 0 && profile.scoreFailure === undefined && profile.extenders === undefined;
  return considersAllNodes && !isNominated && scores;
}

/** Decides and keeps what is needed for the verdict of each node. */
function decideWithAllVerdicts(
  pod: PodModel,
  cycle: NodeSnapshot,
  profile: Profile,
  before: PreFilterPassed,
): Decision {
  const base = baseOf(pod);
  const nodes = cycle.among ?? cycle.nodes;
  const { run, nodeNames, narrowedBy } = before;
  const nominated = pod.nominatedNodeName;
  const nominatedNode = nominated === undefined ? undefined : nodes.find(it => it.name === nominated);
  const atNominated =
    nominatedNode &&
    (runFilterWithNominated(run, pod, nominatedNode, cycle, cycle.nominated) ??
      extenderRefusal(nominatedNode, pod, profile));
  if (nominatedNode && !atNominated) {
    const diagnosis: Diagnosis = { feasible: [nominatedNode], refusals: [], evaluatedNodes: 0 };
    return {
      ...onlyFeasible(base, nominatedNode, 0),
      nodes: () => verdictsOf(cycle, diagnosis, nodeNames, undefined),
      run,
    };
  }

  const filtered = withNominated(findNodesThatFitPod(run, pod, cycle, profile, nodeNames), nominatedNode, atNominated);
  const diagnosis = withExtenders(filtered, pod, profile);
  const verdicts = (scores?: Scores) => () => verdictsOf(cycle, diagnosis, nodeNames, scores);
  const { feasible, evaluatedNodes } = diagnosis;
  if (diagnosis.error) return { ...failedDecision(base, diagnosis.error, evaluatedNodes), nodes: verdicts(), run };
  if (feasible.length === 0) {
    // Upstream uses one set for plugins that narrowed the nodes and plugins that rejected nodes so far.
    const named = new Set([...narrowedBy, ...(atNominated ? [atNominated.plugin] : [])]);
    const excluded = unresolvable(`node(s) didn't satisfy plugin(s) [${[...named].sort(compareText).join(' ')}]`);
    const statusOf = ({ index }: NodeInfo): Refusal => diagnosis.refusals[index]?.status ?? excluded;
    const answer = postFilter(profile, pod, {
      cycle,
      run,
      preFiltered: profile.preFilter.map(it => it.name),
      statusOf,
      filter: (state, node) => runFilterWithNominated(state, pod, node, cycle, cycle.nominated),
      hasNominated: it => cycle.nominated(it.name).length > 0,
    });
    const reasons = countReasons(nodes, it => statusOf(it).reasons);
    const rejected = { ...base, rejectedBy: rejectorsOf(diagnosis, narrowedBy) };
    return {
      ...unschedulableDecision(rejected, verdicts(), fitMessage(cycle, reasons, answer), answer, evaluatedNodes),
      run,
    };
  }
  if (feasible.length === 1) return { ...onlyFeasible(base, feasible[0]!, evaluatedNodes), nodes: verdicts(), run };
  if (profile.scoreFailure !== undefined) {
    const failure: Refusal = { code: 'Error', reasons: [profile.scoreFailure] };
    return { ...failedDecision(base, failure, evaluatedNodes), nodes: verdicts(), run };
  }
  const scores = withExtenderScores(profile.extenders, pod, feasible, runScore(profile, pod, cycle, feasible));
  const attempt = selectHost(base, scores.totals, i => feasible[i]!.name, nodes.length);
  return { attempt, nodes: verdicts(scores), evaluatedNodes, run };
}

/**
 * The first of the nodes with the highest total. Upstream's selectHost chooses one of them at random. Weights beyond all numbers
 * make totals that are none: such a node is behind the others, and where all are such all are tied.
 */
function selectHost(
  { pod, attempt, priority }: AttemptBase,
  totals: BorrowedNumbers,
  nameOf: (index: number) => string,
  of: number,
): Decision['attempt'] {
  let top = Number.NEGATIVE_INFINITY;
  let count = 0;
  let first = 0;
  for (let i = 0; i < totals.length; i++) {
    const total = totals[i]!;
    if (total === top) count += 1;
    else if (total > top) {
      count = 1;
      top = total;
      first = i;
    }
  }
  // Its length is known: an array that grows is copied several times, once for each Pod.
  const tiedNodes = new Array<string>(count === 0 ? totals.length : count);
  for (let i = first, k = 0; k < tiedNodes.length; i++)
    if (count === 0 || totals[i] === top) tiedNodes[k++] = nameOf(i);
  const fits = { feasible: totals.length, of };
  return { pod, attempt, priority, status: 'scheduled', node: tiedNodes[0]!, tiedNodes, fits };
}

/** PreFilter rejects the Pod before any node is evaluated. */
function rejectedByPreFilter(
  pod: PodModel,
  cycle: NodeSnapshot,
  profile: Profile,
  { rejection, plugin, ran }: Extract<PreFilterOutcome, { rejection: Refusal }>,
): Decision {
  const base = baseOf(pod);
  if (rejection.code === 'Error') return { ...failedDecision(base, rejection, 0), preFiltered: ran };
  const { code, reasons } = rejection;
  const preFilterRejection: Rejection = { plugin, point: 'PreFilter', code, reasons };
  const answer = postFilter(profile, pod, {
    cycle,
    preFiltered: ran,
    statusOf: () => rejection,
    filter: () => undefined,
    hasNominated: () => false,
  });
  const message = fitMessage(cycle, { preFilter: reasons.join(', ') }, answer);
  const decision = unschedulableDecision(
    { ...base, preFilterRejection, rejectedBy: [plugin] },
    undefined,
    message,
    answer,
    0,
  );
  return { ...decision, preFiltered: ran };
}

/** The only feasible node, or the nominated one; nothing is scored then. */
function onlyFeasible(base: AttemptBase, { name }: NodeInfo, evaluatedNodes: number): Decision {
  const attempt = { ...base, status: 'scheduled' as const, node: name, tiedNodes: [name] };
  return { attempt, nodes: () => [{ node: name, verdict: 'feasible' }], evaluatedNodes };
}

/** A plugin failed: nothing is decided and no Pod is evicted. */
function failedDecision(base: AttemptBase, { reasons }: Refusal, evaluatedNodes: number): Decision {
  const message = eventNote(reasons.join(', '));
  return { attempt: { ...base, status: 'error', message }, nomination: 'none', evaluatedNodes };
}

function fitMessage(
  { nodes, among = nodes }: NodeSnapshot,
  reasons: ReasonCounts | { readonly preFilter: string },
  answer: PostFilterAnswer | undefined,
): string {
  return eventNote(fitErrorMessage(among.length, reasons, answer?.message ?? ''));
}

function unschedulableDecision(
  base: AttemptBase & Pick<Attempt, 'preFilterRejection' | 'rejectedBy'>,
  nodes: (() => readonly NodeVerdict[]) | undefined,
  message: string,
  answer: PostFilterAnswer | undefined,
  evaluatedNodes: number,
): Decision {
  const nomination = answer?.nomination;
  const chosen = nomination === undefined || nomination === 'none' ? undefined : nomination;
  const preemption = answer && {
    ...(chosen && { nominatedNode: chosen.node, victims: chosen.victims.map(it => it.id) }),
    message: answer.message,
  };
  return {
    attempt: { ...base, status: 'unschedulable', ...(preemption && { preemption }), message },
    ...(nodes && { nodes }),
    ...((nomination ?? !answer) && { nomination: nomination ?? 'none' }),
    ...(answer?.cluster && { cluster: answer.cluster }),
    ...(answer?.rejectsWaiting && { rejectsWaiting: answer.rejectsWaiting }),
    evaluatedNodes,
  };
}

/** Upstream: RunPostFilterPlugins. undefined when the profile has none. */
function postFilter(profile: Profile, pod: PodModel, context: PostFilterContext): PostFilterAnswer | undefined {
  let last: PostFilterAnswer | undefined;
  const messages: string[] = [];
  let cluster: ClusterModel | undefined;
  let rejectsWaiting: PostFilterAnswer['rejectsWaiting'];
  const withExtenders = { ...context, ...(profile.extenders && { extenders: profile.extenders }) };
  for (const plugin of profile.postFilter) {
    const before = { ...(cluster && { cluster }), ...(rejectsWaiting && { rejectsWaiting }) };
    const answer = { ...before, ...plugin.postFilter!(pod, withExtenders) };
    cluster = answer.cluster;
    rejectsWaiting = answer.rejectsWaiting;
    if (answer.status.code === 'Success' || answer.status.code === 'UnschedulableAndUnresolvable') return answer;
    if (answer.status.code === 'Error') return answer;
    if (answer.message) messages.push(answer.message);
    if (!last || answer.nomination) last = answer;
  }
  return (
    last && {
      ...last,
      ...(cluster && { cluster }),
      ...(rejectsWaiting && { rejectsWaiting }),
      message: messages.join(', '),
    }
  );
}
