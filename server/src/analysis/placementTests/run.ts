import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { lazy } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { ownOf } from '../../base/ownOf';
import { shortened } from '../../base/shortened';
import { type IsCancelled, type Steps, unlessStepsOutOfTime, withinTime } from '../../base/steps';
import { type Changed, type ClusterChange, changeSteps, withChanges } from '../../cluster/changes';
import { unreadableSteps } from '../../cluster/decode/documents';
import type { PodModel } from '../../cluster/pods/podModel';
import { expressionCompiler } from '../../kube/cel/compilers';
import type { CheckResult } from '../../kube/cel/environment';
import { createRunMemory } from '../../scheduler/incremental/runCache';
import { type RunOptions, type Simulation, simulateSteps } from '../../scheduler/scenario';
import { celVariables, failureIn, failureOfCel, list, noPodIs, unplaced } from './expectations';
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

/** What the changes of a test lead to. */
interface Run extends Changed {
  readonly simulation: Simulation;
  readonly outcome: TestOutcome;
  readonly placements: TestResult['placements'];
  /** What could not be decoded, a sentence each. */
  readonly unreadable: readonly string[];
}

/** Runs tests one after the other, each unless its time is over before. Those without changes share one run. */
export function* testsSteps(tests: readonly PlacementTest[], stage: Stage): Steps<readonly TestResult[]> {
  let unchanged: Run | undefined;
  function* runAfter(changes: PlacementTest['changes']): Steps<Run> {
    if (changes.length > 0) return yield* runSteps(changes, stage);
    unchanged ??= yield* runSteps(changes, stage);
    return unchanged;
  }
  const refusals = lazy(() => refusalsByName(stage.refusals));
  const results: TestResult[] = [];
  for (const it of tests) results.push(yield* testSteps(it, { ...stage, runAfter, refusals }));
  return results;
}

function* runSteps(changes: PlacementTest['changes'], { objects, options }: Stage): Steps<Run> {
  const changed = yield* changeSteps(objects, changes);
  const simulation = yield* simulateSteps(changed.objects, options);
  const outcome = outcomeOf(simulation);
  const unreadable = yield* unreadableSteps(changed.objects);
  return { ...changed, simulation, outcome, placements: placementsOf(outcome), unreadable };
}

/** What the tests of a file share. */
interface SharedStage extends Omit<Stage, 'refusals'> {
  readonly runAfter: (changes: PlacementTest['changes']) => Steps<Run>;
  readonly refusals: () => RefusalsByName;
}

type RefusalsByName = ReadonlyMap<string, readonly RefusedObject[]>;

/** Under `prod/Deployment/web`, `Deployment/web` and `web`. */
function refusalsByName(refusals: readonly RefusedObject[]): RefusalsByName {
  const named = refusals.flatMap(refusal => {
    const [, second = '', ...others] = refusal.object.split('/');
    const rest = others.join('/');
    const names = others.length === 0 ? [second] : [`${second}/${rest}`, rest];
    return [refusal.object, ...names].map(name => ({ name, refusal }));
  });
  return new Map([...grouped(named, it => it.name)].map(([name, its]) => [name, its.map(it => it.refusal)]));
}

function* testSteps(test: PlacementTest, stage: SharedStage): Steps<TestResult> {
  const decided = yield* unlessStepsOutOfTime(withinTime(decidingSteps(test, stage), stage.isOver));
  if (decided !== undefined) return decided;
  const message = t('the time was over before this was decided');
  const failures = test.expect.slice(0, 1).map(expected => ({ expected, message }));
  return { test, failures, placements: {}, notes: [], isUndecided: true };
}

/** Lost Pods that are named, each in a note. */
const MOST_LOST = 20;
/** The same of objects that could not be decoded, of which each test tells. */
const MOST_UNREADABLE = 3;

function* decidingSteps(test: PlacementTest, stage: SharedStage): Steps<TestResult> {
  const { objects, lost, problems, simulation, outcome, placements, unreadable } = yield* stage.runAfter(test.changes);
  const lostPods = lost.map(it => t`${it} is lost: nothing makes it again.`);
  const notes = new Set([...firstNotes(lostPods, MOST_LOST), ...firstNotes(unreadable, MOST_UNREADABLE)]);
  const compile = expressionCompiler(['pods', 'nodes', 'evicted']);
  const variables = lazy(() => celVariables(outcome));
  const given = { stage, test, objects, simulation, outcome, placements, compile, variables };
  const failures: TestResult['failures'][number][] = [];
  for (const expected of test.expect) {
    const onNote = (it: string): void => void notes.add(it);
    const message = problems[0] ?? (yield* verdictOn(expected.expectation, { ...given, onNote }));
    if (message !== undefined) failures.push({ expected, message: shortened(message) });
    yield;
  }
  return { test, failures, placements, notes: [...notes] };
}

function firstNotes(notes: readonly string[], most: number): readonly string[] {
  if (notes.length <= most) return notes;
  return [...notes.slice(0, most), t`and ${notes.length - most} more`];
}

interface Given extends Pick<Run, 'objects' | 'simulation' | 'outcome' | 'placements'> {
  readonly stage: SharedStage;
  readonly test: PlacementTest;
  readonly compile: (text: string) => CheckResult;
  readonly variables: () => ReturnType<typeof celVariables>;
  readonly onNote: (note: string) => void;
}

function* verdictOn(expectation: Expectation, given: Given): Steps<string | undefined> {
  const { stage, test, outcome, placements, compile, variables } = given;
  switch (expectation.kind) {
    case 'fits':
      return yield* expectation.even === 'inAnyOrder'
        ? inAnyOrder(expectation, given)
        : withAnyNodeDown(expectation, given);
    case 'whatever':
      return yield* notWhatever(expectation, { ...given, options: stage.options });
    case 'refused':
      return notRefused(expectation.object, expectation.because, stage.refusals());
    case 'unmoved':
      return moved(ownOf(stage.accepted, test.name), placements);
    case 'holds':
      return failureOfCel(expectation.expression, compile, variables());
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
  const ids = new Set(selected(outcome.pods, wanted).map(it => it.id));
  if (ids.size === 0) return noPodIs(wanted);
  const settled = settledOn(objects, outcome);
  for (const { name } of nodes) {
    const change: ClusterChange = { do: 'nodeDown', node: name };
    const after = withChanges(settled, [change]);
    const lost = after.lost.find(it => ids.has(it));
    if (lost !== undefined) return t`without ${name}, ${lost} is lost: it has no controller that makes it again`;
    const { pods } = outcomeOf(yield* simulateSteps(after.objects, stage.options));
    const failure = unplaced(selected(pods, wanted));
    if (failure !== undefined) return t`without ${name}, ${failure}`;
  }
  return undefined;
}

/** Pods of an order, or Pods that moved, which a message names. */
const MOST_NAMED = 50;
/** Refusals of an object that a message tells. */
const MOST_REASONS = 5;

function* inAnyOrder(
  { pods: wanted }: Fits,
  { stage, objects, simulation, outcome, onNote }: Given,
): Steps<string | undefined> {
  const workloads = new Map(outcome.pods.map(it => [it.id, it.workload]));
  const { orders, count, total } = ordersOf(simulation.scenario.pending, it => workloads.get(it.id) ?? '');
  const tried = count < total ? t`${count} of ${inNumbers(total)}` : `${total}`;
  if (count < total) onNote(t`Of all orders in which the Pods may come, ${tried} were tried.`);
  if (selected(outcome.pods, wanted).length === 0) return noPodIs(wanted);
  // What the orders have in common at their beginning is decided once.
  const options = { ...stage.options, memory: createRunMemory() };
  let bad = 0;
  let first: { readonly order: readonly PodModel[]; readonly failure: string } | undefined;
  for (const order of orders) {
    const failure = unplaced(selected((yield* inOrder(objects, order, options)).pods, wanted));
    if (failure === undefined) continue;
    bad += 1;
    first ??= { order, failure };
  }
  if (first === undefined) return undefined;
  const order = list(first.order, it => it.name, MOST_NAMED);
  return t`in ${bad} of ${tried} orders not all fit; when they come as ${order}: ${first.failure}`;
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

function notRefused(object: string, { field, message, code }: Because, refusals: RefusalsByName): string | undefined {
  const own = refusals.get(object) ?? [];
  if (own.length === 0) return t`${object} is not refused`;
  const isMeant = (it: RefusedObject): boolean =>
    (field === undefined || it.field === field) &&
    (code === undefined || it.code === code) &&
    (message === undefined || it.message.includes(message));
  if (own.some(isMeant)) return undefined;
  const reasons = list(own, it => `${it.field} ${it.message} (${it.code})`, MOST_REASONS, '; ');
  return t`${object} is refused for another reason: ${reasons}`;
}

function moved(before: Accepted[string] | undefined, now: Accepted[string]): string | undefined {
  if (before === undefined) return t('no placement was accepted yet; accept this one with `berth test --update`');
  const all = new Set([...Object.keys(before), ...Object.keys(now)]);
  const changes = [...all].flatMap(pod => {
    const [was, is] = [ownOf(before, pod), ownOf(now, pod)];
    return was === is ? [] : [{ pod, was, is }];
  });
  return changes.length === 0 ? undefined : list(changes, moveInWords, MOST_NAMED, '; ');
}

interface Move {
  readonly pod: string;
  /** null: it had no node; undefined: it was not there. */
  readonly was: string | null | undefined;
  readonly is: string | null | undefined;
}

function moveInWords({ pod, was, is }: Move): string {
  const nodeOr = (node: string | null): string => node ?? t('no node');
  if (is === undefined) return t`${pod} is gone`;
  return was === undefined ? t`${pod} is new, on ${nodeOr(is)}` : t`${pod} moved from ${nodeOr(was)} to ${nodeOr(is)}`;
}

/** By the name of the Pod, so that a diff of two accepted placements is short. */
function placementsOf({ pods }: TestOutcome): Accepted[string] {
  const sorted = pods.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return Object.fromEntries(sorted.map(it => [it.id, it.node ?? null]));
}
