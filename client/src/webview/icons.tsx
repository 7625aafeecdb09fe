import type { VerdictKind } from './state/selectors';

/** Outlines on a 16 × 16 grid, drawn in the colour of the text around them. */
const PATHS = {
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  equal: 'M3.5 6h9M3.5 10h9',
  dash: 'M4 8h8',
  dot: 'M8 5a3 3 0 1 0 0 6 3 3 0 1 0 0-6z',
  plus: 'M8 3v10M3 8h10',
  star: 'M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z',
  wait: 'M4 2.5h8M4 13.5h8M5 2.5c0 3 6 8 6 11M11 2.5c0 3-6 8-6 11',
  leave: 'M9.5 3H3v10h6.5M6.5 8H14M11 5l3 3-3 3',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2zM8 7v4.2M8 4.6v.6',
  warning: 'M8 2 14.5 13.5h-13zM8 6.2v3.6M8 11.4v.6',
  file: 'M4 1.5h5.5L12.5 5v9.5H4zM9 1.5V5h3.5',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  back: 'M10 4 6 8l4 4',
  forth: 'M6 4l4 4-4 4',
  first: 'M11 4 7 8l4 4M5 4v8',
  last: 'M5 4l4 4-4 4M11 4v8',
  power: 'M8 2.5V8M5 4.5a5 5 0 1 0 6 0',
  block: 'M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3zM4.5 11.5l7-7',
  start: 'M4 3 13 8 4 13z',
  ring: 'M8 3a5 5 0 1 0 0 10A5 5 0 1 0 8 3z',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture that repeats what words beside it say, so it is hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Each verdict has its own shape, so that colour is never the only sign. */
export const VERDICT_ICONS: Readonly<Record<VerdictKind, IconName>> = {
  winner: 'star',
  tied: 'equal',
  feasible: 'check',
  rejected: 'cross',
  excluded: 'dash',
  nominated: 'wait',
  here: 'dot',
  evicted: 'leave',
  none: 'dash',
};
