import type { GraphState, PicturedEdge, PicturedNode } from '../../../../server/src/analysis/stateGraph';
import { graphStrings as words } from '../text/graphStrings';

export const LINE_HEIGHT = 16;

interface Marks {
  readonly isInitial: boolean;
  readonly kind: GraphState['kind'];
  /** Whether the finding that is chosen is this state. */
  readonly isFound: boolean;
}

export const isBad = ({ kind, isFound }: Marks): boolean => kind === 'deadlock' || kind === 'violation' || isFound;

/** A shape on a grid of 16 × 16 beside the number: a cross for what is bad, a triangle for the start. */
export function markOf(marks: Marks): string | undefined {
  if (isBad(marks)) return 'M3.5 3.5l9 9M12.5 3.5l-9 9';
  return marks.isInitial ? 'M4 3 13 8 4 13z' : undefined;
}

export function marksInWords({ isInitial, kind, isFound }: Marks): readonly string[] {
  const { marks } = words;
  return [
    ...(isInitial ? [marks.initial] : []),
    ...(kind === 'other' ? [] : [marks[kind]]),
    ...(isFound ? [marks.found] : []),
  ];
}

export function curveOf({ curve, tip }: PicturedEdge): string {
  const [start, ...rest] = curve.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
  return `M${start}C${rest.join(' ')}L${tip.x.toFixed(1)} ${tip.y.toFixed(1)}`;
}

/** The border of a state; `inset`: so far within its box, in points. */
export function outlineOf({ x, y, width, height }: PicturedNode, shape: 'box' | 'octagon', inset: number): string {
  const [left, top] = [x - width / 2 + inset, y - height / 2 + inset];
  const [w, h] = [width - 2 * inset, height - 2 * inset];
  const c = shape === 'octagon' ? 9 : 5;
  if (shape === 'octagon') {
    return `M${left + c} ${top}h${w - 2 * c}l${c} ${c}v${h - 2 * c}l${-c} ${c}h${2 * c - w}l${-c} ${-c}v${2 * c - h}l${c} ${-c}z`;
  }
  const corner = (dx: number, dy: number): string => `a${c} ${c} 0 0 1 ${dx} ${dy}`;
  return `M${left + c} ${top}h${w - 2 * c}${corner(c, c)}v${h - 2 * c}${corner(-c, c)}h${2 * c - w}${corner(-c, -c)}v${2 * c - h}${corner(c, -c)}z`;
}
