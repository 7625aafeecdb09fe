import type { Span } from './span';

/**
 * Maps spans of a text to the edited text: spans before and after the change move with it, spans that it touches map to
 * undefined. Text that is equal at both ends of a change may count as part of either end.
 */
export function movedThrough(before: string, after: string): (span: Span) => Span | undefined {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const shift = after.length - before.length;
  return ({ start, end }) => {
    if (end <= head) return { start, end };
    return start >= before.length - tail ? { start: start + shift, end: end + shift } : undefined;
  };
}
