import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import {
  type AskedPods,
  type ExploreLimits,
  exploreOrders,
  type OrdersExploration,
} from '../../explore/orders/explore';
import { isSameProblem, signOf } from '../../explore/orders/problem';
import { prepareSteps } from '../../scheduler/scenario';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { AnalysisContext } from '../diagnostics/analysisContext';
import type { Explorations } from '../exploring/explorations';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import { problemOf } from '../placement/orders';
import { inARow, inDigits, namesIn } from '../placement/orderWords';
import type { Placements } from '../placement/placements';
import { firstLineOf } from './firstLine';

/** What a lens says of every order of arrival. */
export interface OrderTitle {
  /** At most 60 characters. */
  readonly title: string;
  /** One order in which the Pods are stranded, in words; absent: there is none. */
  readonly detail?: string;
  /** The same order, NAMESPACE/NAME. */
  readonly order?: readonly string[];
}

export interface OrderRequest {
  readonly uri: string;
  /** The share of the time that is used up; the search is over soon after it is 1. */
  readonly timeUsed: () => number;
}

/** Titles that say whether Pods and workloads have their nodes whatever the order of arrival. */
export interface OrderLenses {
  /** The first lines of the objects that such a title is for. Nothing is explored for that, but the file is placed. */
  orderLocations(uri: string): readonly Span[];
  /** The titles of a file, by the start of the object's first line; undefined where the time was too short to say anything. */
  orderTitles(request: OrderRequest): Steps<ReadonlyMap<number, OrderTitle | undefined>>;
}

export const orderLenses = ({ environmentOf, explorations }: AnalysisContext): OrderLenses => ({
  orderLocations: uri => arrivingIn(environmentOf(uri), uri).map(it => firstLineOf(it.object)),
  orderTitles: request => orderTitles(environmentOf(request.uri), request, explorations.orders),
});

interface LensEnvironment {
  readonly snapshot: Snapshot;
  readonly placements: Placements;
}

/** Where more Pods arrive, lenses say nothing of their orders. */
const MOST_PODS = 12;
/** More arrivals are not decided for a lens. */
const MOST_STATES = 20_000;
const MOST_CHARACTERS = 60;

interface Arriving {
  readonly object: WorkspaceObject;
  /** Ids of its Pods that are to be placed. */
  readonly pods: ReadonlySet<string>;
}

/** The objects of a file whose Pods arrive; none where all orders are the same, or where nothing describes the nodes. */
function arrivingIn({ snapshot, placements }: LensEnvironment, uri: string): readonly Arriving[] {
  if (!placements.knowsNodes(uri)) return [];
  const objects = snapshot
    .objectsIn(uri)
    .filter(it => placements.ofObject(it).some(({ object, placement }) => placement.counts(object) && object === it));
  if (objects.length === 0) return [];
  const placement = placements.of(uri);
  const pending = placement.pods.slice(placement.cluster.running.length);
  if (pending.length < 2 || pending.length > MOST_PODS) return [];
  if (new Set(pending.map(it => signOf(it, placement.cluster))).size < 2) return [];
  const waiting = new Set(pending.map(it => it.id));
  return objects
    .map(object => ({ object, pods: new Set(placement.podsOf(object).filter(it => waiting.has(it))) }))
    .filter(it => it.pods.size > 0);
}

function* orderTitles(
  environment: LensEnvironment,
  { uri, timeUsed }: OrderRequest,
  kept: Explorations['orders'],
): Steps<ReadonlyMap<number, OrderTitle | undefined>> {
  const arriving = arrivingIn(environment, uri);
  if (arriving.length === 0) return new Map();
  const placement = environment.placements.of(uri);
  const asked = arriving.map(it => (pod: string) => it.pods.has(pod));
  const limits: ExploreLimits = { states: MOST_STATES, outcomes: 1, timeUsed, asked };
  const subject = [uri, ...arriving.map(it => [...it.pods].join())].join(' ');
  const found = yield* exploredOnce(subject, placement.inputs, limits, kept);
  const nameOf = namesIn(placement);
  return new Map(
    arriving.map(({ object }, i) => [firstLineOf(object).start, titleOf(found.asked[i]!, found, nameOf)] as const),
  );
}

/**
 * Each edit of any file makes a new state, and an exploration takes seconds: what was found holds as long as the Pods would get
 * the same nodes. What policies answer is no part of the inputs, but the Pods that are read have it.
 */
function* exploredOnce(
  subject: string,
  inputs: EnvironmentPlacement['inputs'],
  limits: ExploreLimits,
  kept: Explorations['orders'],
): Steps<OrdersExploration> {
  const { objects, run } = inputs;
  const isAlone = run.askPolicies === undefined;
  const name = `${isAlone ? 'alone' : 'asked'} ${subject}`;
  const known = isAlone ? kept.known(name, inputs) : undefined;
  if (known !== undefined) return known.found;
  const problem = problemOf(yield* prepareSteps(objects, run));
  const alike = kept.alike(name, it => isSameProblem(it.problem, problem));
  const found = alike?.found ?? (yield* exploreOrders(problem, limits));
  kept.keep(name, inputs, { problem, found }, alike);
  return found;
}

function titleOf(
  { isStranded, orders, witness = [] }: AskedPods,
  { permutations, renamings, followed }: OrdersExploration,
  nameOf: (pod: string) => string,
): OrderTitle | undefined {
  const total = followed / renamings;
  const isAll = followed === permutations;
  // One order of many is what the lens over the placement tells.
  if (total <= 1n && !isAll && (!isStranded || orders !== undefined)) return undefined;
  if (!isStranded)
    return { title: isAll ? t('placed in every order') : t`placed in each of the ${inDigits(total)} orders tried` };
  const detail = t`Stranded when the Pods arrive in this order: ${witness.join(', ')}`;
  if (orders === followed && isAll) return { title: t('stranded in every order'), detail, order: witness };
  const head = headOf(orders === undefined ? undefined : orders / renamings, total, isAll);
  return { title: withOrder(head, inARow(witness.map(nameOf))), detail, order: witness };
}

function headOf(orders: bigint | undefined, total: bigint, isAll: boolean): string {
  if (orders === undefined) return t('stranded in some orders');
  if (orders === total) return t`stranded in each of the ${inDigits(total)} orders tried`;
  return isAll
    ? t`stranded in ${inDigits(orders)} of ${inDigits(total)} orders`
    : t`stranded in ${inDigits(orders)} of ${inDigits(total)} orders tried`;
}

/** As many names as there is room for. */
function withOrder(head: string, names: readonly string[]): string {
  for (let count = names.length; count > 0; count--) {
    const shown = names.slice(0, count).join(', ');
    const title = `${head}: ${shown}${count < names.length ? ', …' : ''}`;
    if (title.length <= MOST_CHARACTERS) return title;
  }
  return head;
}
