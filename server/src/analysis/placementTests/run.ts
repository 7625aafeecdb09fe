import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { type IsCancelled, type Steps, unlessStepsOutOfTime, withinTime } from '../../base/steps';
import { type ClusterChange, withChanges } from '../../cluster/changes';
import type { PodModel } from '../../cluster/pods/podModel';
import { expressionCompiler } from '../../kube/cel/compilers';
import type { CheckResult } from '../../kube/cel/environment';
import { createRunMemory } from '../../scheduler/incremental/runCache';
import { type RunOptions, type Simulation, simulateSteps } from '../../scheduler/scenario';
import { failureIn, failureOfCel, noPodIs, unplaced } from './expectations';
import type { Because, Expectation, Expected, PlacementTest } from './format';
import { ordersOf } from './orders';
import { outcomeOf, selected, type TestOutcome } from './outcome';
import { settledOn } from './settledOn';
import { MOST_NODES, notWhatever } from './whatever';

/** A refusal of the API server, as `berth check` reports it. */
export interface RefusedObject {
  /** `PriorityClass/high` */
  readonly object: string;
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

/** Pod → node, null for one without; by the name of the test. */
export type Accepted = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

/** What tests are run on. */
export interface Stage {
  /** The cluster and what is deployed on it. */
  readonly objects: readonly UnknownObject[];
  readonly options: RunOptions;
  readonly refusals: readonly RefusedObject[];
  readonly accepted: Accepted;
  /** Whether the time of all tests is over. */
  readonly isOver: IsCancelled;
}

export interface TestResult {
  readonly test: PlacementTest;
  readonly failures: readonly { readonly expected: Expected; readonly message: string }[];
  /** Where each Pod is in the end, to be accepted. */
  readonly placements: Accepted[string];
  /** What was not tried, a sentence each. */
  readonly notes: readonly string[];
  /** Present where the time was over before all that the test expects was decided, which counts as a failure. */
  readonly isUndecided?: true;
}

/** Runs one test, unless its time is over before. */
export function* testSteps(test: PlacementTest, stage: Stage): Steps<TestResult> {
  const decided = yield* unlessStepsOutOfTime(withinTime(decidingSteps(test, stage), stage.isOver));
  if (decided !== undefined) return decided;
  const message = t('the time was over before this was decided');
  const failures = test.expect.slice(0, 1).map(expected => ({ expected, message }));
  return { test, failures, placements: {}, notes: [], isUndecided: true };
}

function* decidingSteps(test: PlacementTest, stage: Stage): Steps<TestResult> {
  const { objects, lost, problems } = withChanges(stage.objects, test.changes);
  const simulation = yield* simulateSteps(objects, stage.options);
  const outcome = outcomeOf(simulation);
  const notes: string[] = lost.map(it => t`${it} is lost: nothing makes it again.`);
  const compile = expressionCompiler(['pods', 'nodes', 'evicted']);
  const given: Given = { stage, test, objects, simulation, outcome, compile, onNote: it => notes.push(it) };
  const failures: TestResult['failures'][number][] = [];
  for (const expected of test.expect) {
    const message = problems[0] ?? (yield* verdictOn(expected.expectation, given));
    if (message !== undefined) failures.push({ expected, message });
  }
  return { test, failures, placements: placementsOf(outcome), notes };
}

interface Given {
  readonly stage: Stage;
  readonly test: PlacementTest;
  readonly objects: readonly UnknownObject[];
  readonly simulation: Simulation;
  readonly outcome: TestOutcome;
  readonly compile: (text: string) => CheckResult;
  readonly onNote: (note: string) => void;
}

function* verdictOn(expectation: Expectation, given: Given): Steps<string | undefined> {
  const { stage, test, outcome, compile } = given;
  switch (expectation.kind) {
    case 'fits':
      return yield* expectation.even === 'inAnyOrder'
        ? inAnyOrder(expectation, given)
        : withAnyNodeDown(expectation, given);
    case 'whatever':
      return yield* notWhatever(expectation, { ...given, options: stage.options });
    case 'refused':
      return notRefused(expectation.object, expectation.because, stage.refusals);
    case 'unmoved':
      return moved(stage.accepted[test.name], placementsOf(outcome));
    case 'holds':
      return failureOfCel(expectation.expression, compile, outcome);
    default:
      return failureIn(expectation, outcome);
  }
}

type Fits = Extract<Expectation, { readonly kind: 'fits' }>;

function* withAnyNodeDown(
  { pods: wanted }: Fits,
  { stage, objects, outcome, onNote }: Given,
): Steps<string | undefined> {
  const nodes = outcome.nodes.slice(0, MOST_NODES);
  if (nodes.length < outcome.nodes.length)
    onNote(t`Of ${outcome.nodes.length} nodes the first ${MOST_NODES} were taken down.`);
  if (selected(outcome.pods, wanted).length === 0) return noPodIs(wanted);
  for (const { name } of nodes) {
    const change: ClusterChange = { do: 'nodeDown', node: name };
    const after = withChanges(settledOn(objects, outcome), [change]);
    const [lost] = after.lost.filter(id => selected(outcome.pods, wanted).some(it => it.id === id));
    if (lost !== undefined) return t`without ${name}, ${lost} is lost: it has no controller that makes it again`;
    const { pods } = outcomeOf(yield* simulateSteps(after.objects, stage.options));
    const failure = unplaced(selected(pods, wanted));
    if (failure !== undefined) return t`without ${name}, ${failure}`;
  }
  return undefined;
}

function* inAnyOrder(
  { pods: wanted }: Fits,
  { stage, objects, simulation, outcome, onNote }: Given,
): Steps<string | undefined> {
  const workloads = new Map(outcome.pods.map(it => [it.id, it.workload]));
  const { orders, total } = ordersOf(simulation.scenario.pending, it => workloads.get(it.id) ?? '');
  const tried = orders.length < total ? t`${orders.length} of ${inNumbers(total)}` : `${total}`;
  if (orders.length < total) onNote(t`Of all orders in which the Pods may come, ${tried} were tried.`);
  if (selected(outcome.pods, wanted).length === 0) return noPodIs(wanted);
  // What the orders have in common at their beginning is decided once.
  const options = { ...stage.options, memory: createRunMemory() };
  const bad: { readonly order: readonly PodModel[]; readonly failure: string }[] = [];
  for (const order of orders) {
    const failure = unplaced(selected((yield* inOrder(objects, order, options)).pods, wanted));
    if (failure !== undefined) bad.push({ order, failure });
  }
  const [first] = bad;
  if (first === undefined) return undefined;
  const order = first.order.map(it => it.name).join(', ');
  return t`in ${bad.length} of ${tried} orders not all fit; when they come as ${order}: ${first.failure}`;
}

function inNumbers(total: number): string {
  if (!Number.isFinite(total)) return t('countless');
  return total < 1e6 ? String(total) : t`about ${total.toExponential(0)}`;
}

function* inOrder(
  objects: readonly UnknownObject[],
  order: readonly PodModel[],
  options: RunOptions,
): Steps<TestOutcome> {
  const turn = new Map(order.map((it, i) => [it.id, i]));
  const arrival = (pods: readonly PodModel[]): readonly PodModel[] =>
    pods.toSorted((a, b) => (turn.get(a.id) ?? 0) - (turn.get(b.id) ?? 0));
  return outcomeOf(yield* simulateSteps(objects, { ...options, arrival }));
}

function notRefused(
  object: string,
  { field, message, code }: Because,
  refusals: readonly RefusedObject[],
): string | undefined {
  const own = refusals.filter(it => it.object === object || it.object.endsWith(`/${object}`));
  if (own.length === 0) return t`${object} is not refused`;
  const isMeant = (it: RefusedObject): boolean =>
    (field === undefined || it.field === field) &&
    (code === undefined || it.code === code) &&
    (message === undefined || it.message.includes(message));
  if (own.some(isMeant)) return undefined;
  return t`${object} is refused for another reason: ${own.map(it => `${it.field} ${it.message} (${it.code})`).join('; ')}`;
}

function moved(before: Accepted[string] | undefined, now: Accepted[string]): string | undefined {
  if (before === undefined) return t('no placement was accepted yet; accept this one with `berth test --update`');
  const all = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changes = all.flatMap(pod => {
    const [was, is] = [before[pod], now[pod]];
    if (was === is) return [];
    const nodeOr = (node: string | null): string => node ?? t('no node');
    if (was === undefined) return is === undefined ? [] : [t`${pod} is new, on ${nodeOr(is)}`];
    return [is === undefined ? t`${pod} is gone` : t`${pod} moved from ${nodeOr(was)} to ${nodeOr(is)}`];
  });
  return changes.length === 0 ? undefined : changes.join('; ');
}

/** By the name of the Pod, so that a diff of two accepted placements is short. */
function placementsOf({ pods }: TestOutcome): Accepted[string] {
  const sorted = pods.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return Object.fromEntries(sorted.map(it => [it.id, it.node ?? null]));
}
