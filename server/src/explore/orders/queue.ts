import type { OrdersProblem } from './problem';
import type { OrdersState } from './state';

/** The waiting Pods with one more: by the QueueSort plugin of the profiles, else by priority, then by arrival. */
export function queued(
  pod: number,
  { waiting }: Pick<OrdersState, 'waiting'>,
  { pods, profiles, scenario }: OrdersProblem,
): readonly number[] {
  const sort = [...profiles.values()].find(it => it.queueSort.length > 0)?.queueSort[0];
  if (sort) {
    const numbers = new Map([...waiting, pod].map(it => [pods[it]!.model, it]));
    return sort.queueSort!([...numbers.keys()], scenario.cluster).map(it => numbers.get(it)!);
  }
  const { priority } = pods[pod]!.model;
  const at = waiting.findIndex(it => pods[it]!.model.priority < priority);
  return at < 0 ? [...waiting, pod] : waiting.toSpliced(at, 0, pod);
}
