import { t } from '../../base/l10n';
import { OutOfTime, runToEnd, type Steps } from '../../base/steps';
import { type ExploreLimits, exploreOrders, type OrdersExploration } from '../../explore/orders/explore';
import { type OrdersProblem, ordersProblem } from '../../explore/orders/problem';
import { podsNotQueued } from '../../scheduler/gangs/queue';
import { type PreparedRun, prepareSteps } from '../../scheduler/scenario';
import type { ScenarioInputs } from './scenario';

export interface ExploredOrders extends OrdersExploration {
  /** Pods that admission refuses, NAMESPACE/NAME with the reason; they never arrive. */
  readonly refused: readonly { readonly pod: string; readonly message: string }[];
  /** What is not simulated, a sentence each. */
  readonly notes: readonly string[];
  /** One sentence, with its line, for each part of a text that cannot be read. */
  readonly unread: readonly string[];
}

/** What becomes of the Pods to place in every order of arrival. Throws OutOfTime if not even the objects are read in time. */
export function exploreOrdersOf(
  inputs: Pick<ScenarioInputs, 'objects' | 'run' | 'unread'>,
  limits: ExploreLimits,
): ExploredOrders {
  return runToEnd(orderSteps(inputs, limits));
}

/** The Pods to place, and the cluster that they arrive in. */
export function problemOf({ scenario, profiles, gangs }: PreparedRun): OrdersProblem {
  const held = runToEnd(podsNotQueued(scenario, profiles, gangs));
  return ordersProblem({ scenario, profiles, gangs }, new Set(held.keys()));
}

/** The same in steps. */
export function* orderSteps(
  { objects, run, unread }: Pick<ScenarioInputs, 'objects' | 'run' | 'unread'>,
  limits: ExploreLimits,
): Steps<ExploredOrders> {
  const prepared = yield* prepareSteps(objects, run);
  const { scenario, gangs, notes } = prepared;
  if (run.isCancelled?.() === true) throw new OutOfTime();
  const problem = problemOf(prepared);
  const found = yield* exploreOrders(problem, limits);
  const hasGroups = (gangs.native?.size ?? 0) + gangs.batch.size > 0 && scenario.cluster.nodes.length > 1;
  const refused = scenario.rejected.map(({ id, message }) => ({ pod: id, message }));
  return {
    ...found,
    alwaysPlaced: found.alwaysPlaced && refused.length === 0,
    cut: [...found.cut, ...(hasGroups ? [oneWay()] : [])],
    refused,
    notes: [...new Set([...notes.map(it => it.message), ...(isQuotaMet(refused) ? [quotaOrder()] : [])])],
    unread,
  };
}

/** Upstream: resourcequota.CheckRequest. */
const isQuotaMet = (refused: ExploredOrders['refused']): boolean =>
  refused.some(it => /: (?:exceeded|failed) quota: /.test(it.message));

const quotaOrder = (): string =>
  t('Quotas let Pods in by the order of the files. Which Pods they refuse in another order is not explored.');

/** What `cut` says where a whole group was tried with one choice of each tie. */
export const oneWay = (): string => t('Ties within the cycle of a group were broken in one way.');
