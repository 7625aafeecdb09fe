import { t, withAnd } from '../../base/l10n';
import { type Steps, unlessStepsOutOfTime } from '../../base/steps';
import { USUAL_QUESTIONS } from '../../explore/cluster/answer';
import { type Blame, blaming } from '../../explore/cluster/blame';
import { type Cure, titleOfObject } from '../../explore/cluster/cures/cure';
import type { CuredAnswer } from '../../explore/cluster/explore';
import type { ClusterStep } from '../../explore/cluster/search';
import type { Trail } from '../../explore/cluster/trail';
import type { AskedPods, ExploreLimits } from '../../explore/orders/explore';
import type { WorkspaceObject } from '../../workspace/object';
import { clusterAnswerSteps } from '../placement/clusterQuestions';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import { type OrderFix, orderFixSteps } from '../placement/orderFixes';
import { type ExploredOrders, orderSteps } from '../placement/orders';
import { inARow, inDigits, namesIn } from '../placement/orderWords';

/** Something that could go wrong. */
export interface ExplorationFinding {
  /** Names it among the findings of its exploration. */
  readonly key: string;
  /** A clause. */
  readonly says: string;
  readonly steps: readonly ClusterStep[];
  /** Steps that repeat for ever after `steps`; absent: it ends there. */
  readonly cycle?: readonly ClusterStep[];
  /** After `cycle` equal nodes have exchanged their names. */
  readonly upToNames?: true;
  /** The fields that it comes from, the first one most of all. */
  readonly blamed: readonly Blame[];
  /** Each was tried: with it there is no such finding. */
  readonly cures: readonly Cure[];
  readonly trail?: Trail;
  /** The order of arrival in which it happens, NAMESPACE/NAME. */
  readonly order?: readonly string[];
}

/** What could happen in one environment. */
export interface ClusterExploration {
  readonly findings: readonly ExplorationFinding[];
  /** What is true whatever happens, a clause each. */
  readonly holds: readonly string[];
  /** What a limit left open, a clause each. */
  readonly open: readonly string[];
}

export interface ExplorationLimits {
  /** The share of the time that is used up; the search is over soon after it is 1. */
  readonly timeUsed: () => number;
  /** Called before each question with the share of the questions that have been asked. */
  readonly onQuestion: (share: number) => void;
}

/** More states are not visited for one question. */
const MOST_STATES = 50_000;
/** Of the time, for the orders of arrival. */
const SHARE_OF_ORDERS = 0.3;

/** Asks every question of an environment. `objects`: those of its files. */
export function* exploreEnvironment(
  placement: EnvironmentPlacement,
  objects: readonly WorkspaceObject[],
  { timeUsed, onQuestion }: ExplorationLimits,
): Steps<ClusterExploration> {
  const { inputs } = placement;
  onQuestion(0);
  const ofOrders = yield* ordersIn(placement, objects, { timeUsed: () => timeUsed() / SHARE_OF_ORDERS });
  let asked = 0;
  const next = (): void => onQuestion(++asked / (USUAL_QUESTIONS.length + 1));
  const limits = { states: MOST_STATES, timeUsed, onQuestion: next };
  const answers = yield* clusterAnswerSteps(inputs, USUAL_QUESTIONS, limits);
  const isOpen = (it: CuredAnswer): boolean => it.holds === undefined;
  return {
    findings: [...(ofOrders?.findings ?? []), ...answers.flatMap(findingOf)],
    holds: [...(ofOrders?.holds ?? []), ...answers.filter(it => it.holds === true).map(it => it.claim)],
    open: [...(ofOrders?.open ?? []), ...answers.filter(isOpen).map(openInWords)],
  };
}

const openInWords = ({ claim, why }: CuredAnswer): string => (why === undefined ? claim : `${claim}: ${why}`);

function findingOf({ question, about = '', trouble, cures }: CuredAnswer): readonly ExplorationFinding[] {
  if (trouble === undefined) return [];
  const { says, steps, cycle, upToNames, blamed, trail } = trouble;
  const key = `${question} ${about}`.trim();
  const again = { ...(cycle && { cycle }), ...(upToNames && { upToNames }) };
  return [{ key, says, steps, blamed, cures, ...again, ...(trail && { trail }) }];
}

const placedClaim = (): string => t('every Pod that arrives has a node, in whatever order they arrive');

/** What the order of arrival decides; undefined: there are no orders. */
function* ordersIn(
  placement: EnvironmentPlacement,
  objects: readonly WorkspaceObject[],
  { timeUsed }: Pick<ExplorationLimits, 'timeUsed'>,
): Steps<ClusterExploration | undefined> {
  const waiting = new Set(placement.pods.slice(placement.cluster.running.length).map(it => it.id));
  if (waiting.size < 2) return undefined;
  const arriving = objects
    .map(object => ({ object, pods: new Set(placement.podsOf(object).filter(it => waiting.has(it))) }))
    .filter(it => it.pods.size > 0);
  const asked = arriving.map(it => (pod: string) => it.pods.has(pod));
  const limits: ExploreLimits = { states: MOST_STATES, outcomes: 100, timeUsed, asked };
  const explored = yield* unlessStepsOutOfTime(orderSteps({ ...placement.inputs, unread: [] }, limits));
  if (explored === undefined) return { findings: [], holds: [], open: [placedClaim()] };
  const fixes = explored.alwaysPlaced ? [] : yield* orderFixSteps(placement.inputs, explored, { timeUsed });
  const findings = [
    ...strandedIn(explored, arriving, namesIn(placement), fixes),
    ...togetherIn(explored, objects, fixes),
  ];
  if (findings.length > 0 || !explored.alwaysPlaced) return { findings, holds: [], open: [] };
  return {
    findings,
    holds: explored.cut.length > 0 ? [] : [placedClaim()],
    open: explored.cut.length > 0 ? [placedClaim()] : [],
  };
}

/** What is stranded in some orders and not in all: that a Pod fits nowhere is told without an exploration. */
function strandedIn(
  explored: ExploredOrders,
  arriving: readonly { readonly object: WorkspaceObject }[],
  nameOf: (pod: string) => string,
  fixes: readonly OrderFix[],
): readonly ExplorationFinding[] {
  return explored.asked.flatMap((found, i): readonly ExplorationFinding[] => {
    const { isStranded, witness = [], orders } = found;
    if (!isStranded || orders === explored.followed) return [];
    const { value } = arriving[i]!.object.manifest;
    const title = titleOfObject(value);
    const says = t`${title} is without a node ${inOrders(found, explored)}: ${inARow(witness.map(nameOf)).join(', ')}`;
    const cures = fixes.filter(it => it.ends === 'stranded');
    return [
      { key: `order ${title}`, says, steps: [], blamed: [blaming(value, 'metadata', 'name')], cures, order: witness },
    ];
  });
}

/** Groups that wait for each other, and groups of which preemption leaves too few Pods. */
function togetherIn(
  explored: ExploredOrders,
  objects: readonly WorkspaceObject[],
  fixes: readonly OrderFix[],
): readonly ExplorationFinding[] {
  const { deadlock, broken } = explored;
  const found = (key: string, titles: readonly string[], says: string, cures: readonly Cure[]): ExplorationFinding => {
    const named = new Set(titles);
    const blamed = objects.flatMap(({ manifest: { value } }) =>
      named.has(titleOfObject(value)) ? [blaming(value, 'metadata', 'name')] : [],
    );
    return { key, says, steps: [], blamed, cures };
  };
  return [
    ...(deadlock
      ? [
          found(
            'deadlock',
            deadlock.between,
            t`${withAnd(deadlock.between)} wait for each other for ever ${inOrders(deadlock, explored)}: each holds room that the other needs`,
            fixes.filter(it => it.ends === 'deadlock'),
          ),
        ]
      : []),
    ...(broken
      ? [
          found(
            'broken',
            broken.groups,
            t`preemption leaves ${withAnd(broken.groups)} fewer Pods than it needs ${inOrders(broken, explored)}`,
            [],
          ),
        ]
      : []),
  ];
}

function inOrders(
  { orders }: Pick<AskedPods, 'orders'>,
  { permutations, renamings, followed }: ExploredOrders,
): string {
  if (orders === undefined) return t('in some orders of arrival');
  const [some, all] = [inDigits(orders / renamings), inDigits(followed / renamings)];
  return followed === permutations
    ? t`in ${some} of ${all} orders of arrival`
    : t`in ${some} of ${all} orders of arrival that were followed`;
}
