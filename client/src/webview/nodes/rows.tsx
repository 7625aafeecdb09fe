import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PreviewNode } from '../../../../server/src/analysis/previewModel';
import type { Zone } from '../state/selectors';
import { drawnNext, type Row, type RowRange, rowsBetween } from './visibleRows';

/** The least width of a card and the gap between two, as the style sheet has them. */
const CARD_WIDTH = 210;
const GAP = 8;

/** How many cards have room beside each other; all zones are equally wide. */
export function useColumns(grid: RefObject<HTMLElement>, zones: readonly Zone[]): number {
  const [columns, setColumns] = useState(1);
  useLayoutEffect(() => {
    const rows = grid.current?.querySelector('.rows');
    if (!rows) return;
    const measure = (width: number) => setColumns(Math.max(1, Math.floor((width + GAP) / (CARD_WIDTH + GAP))));
    measure(rows.clientWidth);
    const observer = new ResizeObserver(([entry]) => entry && measure(entry.contentRect.width));
    observer.observe(rows);
    return () => observer.disconnect();
  }, [grid, zones]);
  return columns;
}

/** How far out of sight a row is drawn already, in pixels. */
const AHEAD = 300;
/** What a row takes before one was measured, in pixels. */
const USUAL_HEIGHT = 220;
const NOTHING: RowRange = { first: 0, last: 0 };

export interface DrawnRows {
  /** By zone. */
  readonly ranges: readonly RowRange[];
  /** Of a row, in pixels: measured, or what rows usually take. */
  readonly heightOf: (row: Row) => number;
  /** Measures a row as long as it is drawn. */
  readonly observer: ResizeObserver;
}

/**
 * Which rows of each zone are drawn: those in sight and, one a frame, those near it. Elements are measured when the
 * browser has laid them out anyway, never in between.
 */
export function useDrawnRows(grid: RefObject<HTMLElement>, zones: readonly (readonly Row[])[]): DrawnRows {
  const [ranges, setRanges] = useState<readonly RowRange[]>([]);
  const [usual, setUsual] = useState<number | undefined>(undefined);
  const heights = useRef(new Map<string, number>()).current;
  const heightOf = (row: Row): number => heights.get(nameOf(row)) ?? usual ?? USUAL_HEIGHT;
  const update = useRef(() => {});
  const frame = useRef(0);
  const soon = () => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(() => update.current());
  };

  update.current = () => {
    const { current } = grid;
    if (current === null) return;
    const bodies = [...current.querySelectorAll<HTMLElement>('.rows')];
    const starts = bodies.map(it => it.getBoundingClientRect().top);
    const { top, bottom } = scrollerOf(current).getBoundingClientRect();
    const window = [Math.max(0, top), Math.min(innerHeight, bottom)] as const;
    const next = drawnNext(
      zones.map((rows, at) => {
        const all = rows.map(heightOf);
        const within = (more: number) => rowsBetween(all, starts[at] ?? 0, window[0] - more, window[1] + more);
        return { drawn: ranges[at] ?? NOTHING, inSight: within(0), ahead: within(AHEAD) };
      }),
    );
    if (areEqual(next, ranges)) return;
    setRanges(next);
    soon();
  };

  const observer = useMemo(
    () =>
      new ResizeObserver(entries => {
        for (const { target, borderBoxSize } of entries) {
          const { row } = (target as HTMLElement).dataset;
          const height = borderBoxSize[0]?.blockSize ?? 0;
          if (row !== undefined && height > 0) heights.set(row, height);
        }
        setUsual(now => now ?? meanOf([...heights.values()]));
        soon();
      }),
    [heights],
  );

  useLayoutEffect(() => update.current(), [zones]);
  useLayoutEffect(() => {
    const onScroll = () => update.current();
    // Beside an editor it is the page that scrolls.
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    if (grid.current) observer.observe(scrollerOf(grid.current));
    return () => {
      document.removeEventListener('scroll', onScroll, { capture: true });
      cancelAnimationFrame(frame.current);
      observer.disconnect();
    };
  }, [grid, observer]);
  return { ranges, heightOf, observer };
}

const scrollerOf = (grid: HTMLElement): Element => grid.closest('.board') ?? grid;

const nameOf = (row: Row): string => row.map(node => node.name).join(' ');

const meanOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, it) => sum + it, 0) / values.length;

const areEqual = (a: readonly RowRange[], b: readonly RowRange[]): boolean =>
  a.length === b.length && a.every(({ first, last }, at) => first === b[at]!.first && last === b[at]!.last);

interface RowsProps {
  readonly rows: readonly Row[];
  readonly range: RowRange | undefined;
  /** Drawn even where they are out of sight, as the keyboard must reach them. */
  readonly always: ReadonlySet<Row>;
  readonly drawn: DrawnRows;
  readonly card: (node: PreviewNode) => ComponentChildren;
}

/** The rows of a zone, with room for those that are not drawn. */
export function Rows({ rows, range = NOTHING, always, drawn, card }: RowsProps) {
  return (
    <div class="rows">
      {partsOf(rows, (row, at) => always.has(row) || (at >= range.first && at < range.last)).map((it, at) =>
        'row' in it ? (
          <CardRow key={nameOf(it.row)} row={it.row} observer={drawn.observer} card={card} />
        ) : (
          <p key={`beyond ${at}`} class="beyond" style={{ height: `${sumOf(it.beyond.map(drawn.heightOf))}px` }}>
            {it.beyond.flatMap(row => row.map(node => node.name)).join(', ')}
          </p>
        ),
      )}
    </div>
  );
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, it) => sum + it, 0);

type Part = { readonly row: Row } | { readonly beyond: readonly Row[] };

function partsOf(rows: readonly Row[], isDrawn: (row: Row, at: number) => boolean): readonly Part[] {
  const parts: ({ readonly row: Row } | { readonly beyond: Row[] })[] = [];
  for (const [at, row] of rows.entries()) {
    const last = parts.at(-1);
    if (isDrawn(row, at)) parts.push({ row });
    else if (last !== undefined && 'beyond' in last) last.beyond.push(row);
    else parts.push({ beyond: [row] });
  }
  return parts;
}

interface CardRowProps {
  readonly row: Row;
  readonly observer: ResizeObserver;
  readonly card: (node: PreviewNode) => ComponentChildren;
}

function CardRow({ row, observer, card }: CardRowProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    observer.observe(current);
    return () => observer.unobserve(current);
  }, [observer]);
  // The same element again: what stays is not rendered again when other rows come near.
  return useMemo(
    () => (
      <div class="cards" data-row={nameOf(row)} ref={ref}>
        {row.map(card)}
      </div>
    ),
    [row, card],
  );
}
