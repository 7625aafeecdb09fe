import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import { type ClusterChange, withChanges } from '../../cluster/changes';
import { countedBudget } from '../../cluster/disruptions';
import type { PodModel } from '../../cluster/pods/podModel';
import type { ClusterQuestion } from '../../explore/cluster/answer';
import { isStranding } from '../../explore/orders/explore';
import { wayInWords } from '../../explore/orders/shortestWay';
import { exploreTies } from '../../explore/orders/ties';
import type { CheckResult } from '../../kube/cel/environment';
import { settledAfter } from '../../scheduler/queries';
import { prepareSteps, type RunOptions, type Simulation } from '../../scheduler/scenario';
import { clusterAnswerSteps } from '../placement/clusterQuestions';
import { orderSteps, problemOf } from '../placement/orders';
import { celVariables, failureOfCel, noPodIs } from './expectations';
import type { Expectation } from './format';
import { selected, type TestedPod, type TestOutcome } from './outcome';
import { settledOn } from './settledOn';

type Whatever = Extract<Expectation, { readonly kind: 'whatever' }>;

/** What a test is run on. */
export interface Happened {
  /** After the changes of the test. */
  readonly objects: readonly UnknownObject[];
  readonly options: RunOptions;
  readonly simulation: Pick<Simulation, 'scenario' | 'result'>;
  readonly outcome: TestOutcome;
  readonly compile: (text: string) => CheckResult;
  readonly onNote: (note: string) => void;
}

/** So many arrivals in states of the cluster are decided, fewer where there are many nodes and Pods. */
const MOST_STATES = 50_000;
/** Nodes and Pods that are looked at for these arrivals. */
const MOST_LOOKS = 5_000_000;
/** So many states that ties lead to are followed at once. */
const MOST_TIES = 2_000;
/** No more nodes than this are taken one after the other. */
export const MOST_NODES = 500;

/** Why Pods do not have nodes in everything that could happen; undefined: they have. */
export function* notWhatever({ pods: wanted, happens, holds }: Whatever, given: Happened): Steps<string | undefined> {
  if (holds !== undefined) return yield* notInEveryOrder(holds, given);
  const ids = new Set(selected(given.outcome.pods, wanted).map(it => it.id));
  if (ids.size === 0) return noPodIs(wanted);
  const isWanted = (id: string): boolean => ids.has(id);
  switch (happens) {
    case 'order':
      return yield* inSomeOrder(isWanted, given);
    case 'ties':
      return yield* withSomeTies(given.objects, isWanted, given);
    case 'oneNodeDown':
      return yield* withSomeNode('nodeDown', isWanted, given);
    case 'drain':
      return yield* withSomeNode('drain', isWanted, given);
    default:
      return yield* troubleOf(happens, isWanted, given);
  }
}

/** What controllers may do that the question rules out, for the workloads of the wanted Pods. */
function* troubleOf(
  question: ClusterQuestion,
  isWanted: IsWanted,
  { objects, options, outcome, onNote }: Happened,
): Steps<string | undefined> {
  const titles = new Set(
    outcome.pods
      .filter(it => isWanted(it.id))
      .map(({ workload, namespace }) => workload.replace('/', namespace === 'default' ? ' ' : ` ${namespace}/`)),
  );
  const limits = { states: MOST_STATES, timeUsed: () => 0 };
  const answers = yield* clusterAnswerSteps({ objects, run: options }, [question], limits);
  for (const { about, claim, holds, trouble, states, why } of answers) {
    if (about !== undefined && !titles.has(about)) continue;
    if (trouble)
      return `${trouble.says}: ${trouble.steps.map(it => `${it.actor}: ${it.step}`).join(', ') || t('at once')}`;
    if (holds === undefined)
      onNote(
        why === undefined ? t`${claim}: so in the first ${states} states.` : t`${question}: not explored, as ${why}.`,
      );
  }
  return undefined;
}

/** Outcomes that the expression is asked about, at most. */
const MOST_OUTCOMES = 1_000;

/** Whether an expression is true of every outcome of every order of arrival. */
function* notInEveryOrder(
  expression: string,
  { objects, options, outcome, compile, onNote }: Happened,
): Steps<string | undefined> {
  const size = outcome.nodes.length + outcome.pods.length;
  const states = Math.min(MOST_STATES, MOST_LOOKS / Math.max(1, size));
  const limits = { states, outcomes: MOST_OUTCOMES, timeUsed: () => 0 };
  const found = yield* orderSteps({ objects, run: options, unread: [] }, limits);
  for (const it of found.cut) onNote(it);
  for (const { placements, evicted, witness } of found.outcomes) {
    const gone = new Set(evicted);
    const arriving = new Set(witness);
    const pods = outcome.pods.map((pod): TestedPod => {
      if (gone.has(pod.id)) return withoutNode(pod, 'evicted');
      const node = placements[pod.id];
      if (!arriving.has(pod.id)) return pod.status === 'evicted' ? { ...pod, status: 'running' } : pod;
      return node === undefined ? withoutNode(pod, 'unschedulable') : { ...withoutNode(pod, 'scheduled'), node };
    });
    const failure = failureOfCel(expression, compile, celVariables({ ...outcome, pods }));
    if (failure !== undefined) return t`${failure}, where the Pods arrive as ${witness.join(', ')}`;
    yield;
  }
  return undefined;
}

function withoutNode({ node: _, message: __, ...pod }: TestedPod, status: TestedPod['status']): TestedPod {
  return { ...pod, status };
}

type IsWanted = (pod: string) => boolean;

function* inSomeOrder(isWanted: IsWanted, { objects, options, outcome, onNote }: Happened): Steps<string | undefined> {
  const size = outcome.nodes.length + outcome.pods.length;
  const states = Math.min(MOST_STATES, MOST_LOOKS / Math.max(1, size));
  const limits = { states, outcomes: 1, isWanted, timeUsed: () => 0 };
  const found = yield* orderSteps({ objects, run: options, unread: [] }, limits);
  const { strandedOrders, renamings, followed, permutations, shortest } = found;
  const total = permutations / renamings;
  if (followed < permutations)
    onNote(t`Of ${total} orders in which the Pods may arrive, ${followed / renamings} were followed.`);
  if (found.alwaysPlaced) return undefined;
  const share = strandedOrders === undefined ? t('some') : t`${strandedOrders / renamings} of ${followed / renamings}`;
  const example = found.groups.find(it => !it.isAllPlaced)?.example.witness ?? [];
  return t`stranded in ${share} orders: ${shortest?.length ? wayInWords(shortest) : example.join(', ')}`;
}

function* withSomeTies(
  objects: readonly UnknownObject[],
  isWanted: IsWanted,
  { options, onNote }: Pick<Happened, 'options' | 'onNote'>,
): Steps<string | undefined> {
  const problem = problemOf(yield* prepareSteps(objects, options));
  const bounds = { states: MOST_TIES, isOver: () => false };
  const { bad, isCut } = yield* exploreTies(problem, isStranding(problem, isWanted), bounds);
  if (isCut) onNote(t`Ties lead to more than ${MOST_TIES} states; the others were not followed.`);
  return bad && t`stranded where ties are broken so: ${wayInWords(bad)}`;
}

function* withSomeNode(change: 'nodeDown' | 'drain', isWanted: IsWanted, given: Happened): Steps<string | undefined> {
  const { objects, outcome, onNote } = given;
  const nodes = outcome.nodes.slice(0, MOST_NODES);
  if (nodes.length < outcome.nodes.length) {
    onNote(t`Of ${outcome.nodes.length} nodes the first ${MOST_NODES} were tried.`);
  }
  const settled = settledOn(objects, outcome);
  for (const { name } of nodes) {
    const blocked = change === 'drain' ? whyNotDrained(name, given) : undefined;
    if (blocked !== undefined) return t`the drain of ${name} never ends: ${blocked}`;
    const after = withChanges(settled, [{ do: change, node: name } satisfies ClusterChange]);
    const lost = after.lost.find(isWanted);
    if (lost !== undefined) return t`without ${name}, ${lost} is lost: it has no controller that makes it again`;
    const failure = yield* withSomeTies(after.objects, isWanted, given);
    if (failure !== undefined) return t`without ${name}, ${failure}`;
  }
  return undefined;
}

/** Why a Pod on the node is never evicted. Upstream: EvictionREST.Create. */
function whyNotDrained(node: string, { simulation: { scenario, result } }: Happened): string | undefined {
  const { running, budgets } = settledAfter(scenario, result).cluster;
  const counted = budgets.map(it => countedBudget(it, running));
  for (const pod of running.filter(it => it.nodeName === node && isEvictedByDrains(it))) {
    const own = counted.filter(it => it.namespace === pod.namespace && it.selector.matches(pod.labels));
    const [budget, second] = own.map(it => it.source.metadata?.name ?? '');
    if (second !== undefined)
      return t`${pod.id} has several budgets, ${budget} and ${second}, so that no eviction is served`;
    if (own[0]?.disruptionsAllowed === 0) return t`the budget ${budget} never allows to evict ${pod.id}`;
  }
  return undefined;
}

function isEvictedByDrains({ source: { metadata } }: PodModel): boolean {
  const isMirror = metadata?.annotations?.['kubernetes.io/config.mirror'] !== undefined;
  return !isMirror && !metadata?.ownerReferences?.some(it => it.controller === true && it.kind === 'DaemonSet');
}
