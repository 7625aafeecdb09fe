import { lazy } from '../../base/lazy';
import { isSameValue } from '../../base/sameValue';
import type { ListPiece, PreviewDelta, PreviewModel } from './model';

/** The difference from `before`, which has the revision `since`, to `now`. */
export function deltaOf(since: number, before: PreviewModel, now: PreviewModel): PreviewDelta {
  const { nodes, pods, workloads, steps, attempts, ...rest } = now;
  return {
    since,
    rest,
    lists: {
      nodes: piecesOf(before.nodes, nodes, it => it.name),
      pods: piecesOf(before.pods, pods, it => it.id),
      workloads: piecesOf(before.workloads, workloads, it => `${it.kind} ${it.namespace}/${it.name}`),
      steps: piecesOf(before.steps, steps, it => it.pod),
      attempts: piecesOf(Object.values(before.attempts), Object.values(attempts), it => it.pod),
    },
  };
}

/** Applies a delta. Unchanged parts are the same objects as in `before`. */
export function changedBy(before: PreviewModel, { rest, lists }: PreviewDelta): PreviewModel {
  const attempts = Object.values(before.attempts);
  const tried = joined(attempts, lists.attempts);
  return {
    ...rest,
    nodes: joined(before.nodes, lists.nodes),
    pods: joined(before.pods, lists.pods),
    workloads: joined(before.workloads, lists.workloads),
    steps: joined(before.steps, lists.steps),
    attempts: tried === attempts ? before.attempts : Object.fromEntries(tried.map(it => [it.pod, it])),
  };
}

/** `keyOf` finds items that moved. It need not be unique: equal keys only give more pieces. */
function piecesOf<T>(before: readonly T[], now: readonly T[], keyOf: (item: T) => string): readonly ListPiece<T>[] {
  const places = lazy(() => new Map(before.map((it, at) => [keyOf(it), at])));
  const pieces: ({ readonly from: number; count: number } | { readonly added: T[] })[] = [];
  let next = 0;
  for (const item of now) {
    const expected = before[next];
    const isExpected = expected !== undefined && (expected === item || keyOf(expected) === keyOf(item));
    const at = isExpected ? next : places().get(keyOf(item));
    const last = pieces.at(-1);
    if (at === undefined || !isSameValue(before[at], item)) {
      if (last && 'added' in last) last.added.push(item);
      else pieces.push({ added: [item] });
    } else if (last && 'from' in last && last.from + last.count === at) last.count++;
    else pieces.push({ from: at, count: 1 });
    if (at !== undefined) next = at + 1;
  }
  return pieces;
}

function joined<T>(before: readonly T[], pieces: readonly ListPiece<T>[]): readonly T[] {
  const [first] = pieces;
  if (first && 'from' in first && first.from === 0 && first.count === before.length && pieces.length === 1)
    return before;
  return pieces.flatMap(it => ('added' in it ? it.added : before.slice(it.from, it.from + it.count)));
}
