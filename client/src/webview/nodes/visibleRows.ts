import type { PreviewNode } from '../../../../server/src/analysis/previewModel';

/** Cards beside each other. */
export type Row = readonly PreviewNode[];

export const rowsOf = (nodes: readonly PreviewNode[], columns: number): readonly Row[] =>
  Array.from({ length: Math.ceil(nodes.length / columns) }, (_, at) => nodes.slice(at * columns, (at + 1) * columns));

/**
 * Rows that are always drawn, so that the keyboard reaches them: those of `kept` nodes, the first and the last, those before and
 * after that of the first of `kept`, and from the end of a zone those at which others begin.
 */
export function alwaysDrawn(
  zones: readonly (readonly Row[])[],
  [stop, ...kept]: readonly (string | undefined)[],
): readonly Row[] {
  const all = zones.flat();
  const rowOf = (name: string | undefined) => all.findIndex(row => row.some(node => node.name === name));
  const at = rowOf(stop);
  const own = zones.findIndex(rows => at >= 0 && rows.includes(all[at]!));
  const below = own >= 0 && zones[own]!.at(-1) === all[at] ? zones.slice(own + 1).map(rows => rows[0]) : [];
  const above = own >= 0 && zones[own]![0] === all[at] ? zones.slice(0, own).map(rows => rows.at(-1)) : [];
  const beside = own < 0 ? [] : [all[at - 1], all[at], all[at + 1]];
  const others = kept.map(name => all[rowOf(name)]);
  return [all[0], all.at(-1), ...beside, ...others, ...below, ...above].filter(it => it !== undefined);
}

/** A range of indexes; `last` is exclusive. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/** The rows, one below the other from `start` on, that lie between two heights; all in pixels. */
export function rowsBetween(heights: readonly number[], start: number, top: number, bottom: number): RowRange {
  let edge = start;
  let first = 0;
  while (first < heights.length && edge + heights[first]! <= top) edge += heights[first++]!;
  let last = first;
  while (last < heights.length && edge < bottom) edge += heights[last++]!;
  return { first, last };
}

/** Rows of one zone: drawn ones, visible ones, and those to draw ahead of scrolling. */
export interface ZoneRanges {
  readonly drawn: RowRange;
  readonly inSight: RowRange;
  readonly ahead: RowRange;
}

/** What is drawn next: all visible rows, and one more of those ahead, so that no frame has much to do. */
export function drawnNext(zones: readonly ZoneRanges[]): readonly RowRange[] {
  const kept = zones.map(keptOf);
  const lacking = zones.map(({ ahead }, at) => lackingOf(kept[at]!, ahead));
  const most = Math.max(0, ...lacking);
  const grown = most === 0 ? -1 : lacking.indexOf(most);
  return kept.map((range, at) => (at === grown ? grow(range, zones[at]!.ahead) : range));
}

function keptOf({ drawn, inSight, ahead }: ZoneRanges): RowRange {
  if (drawn.first > inSight.last || drawn.last < inSight.first) return inSight;
  return {
    first: Math.min(inSight.first, Math.max(drawn.first, ahead.first)),
    last: Math.max(inSight.last, Math.min(drawn.last, ahead.last)),
  };
}

const lackingOf = (range: RowRange, ahead: RowRange): number =>
  Math.max(range.first - ahead.first, ahead.last - range.last);

function grow({ first, last }: RowRange, ahead: RowRange): RowRange {
  return first - ahead.first > ahead.last - last ? { first: first - 1, last } : { first, last: last + 1 };
}
