/** More lines than these are for the JSON. */
const MOST_LINES = 20;

/** The lines of the first items, and one that counts the others, with the same indent. */
export function firstLines<T>(items: readonly T[], lineOf: (item: T) => string, indent = ''): readonly string[] {
  const rest = items.length - MOST_LINES;
  return [
    ...items.slice(0, MOST_LINES).map(it => `${indent}${lineOf(it)}`),
    ...(rest > 0 ? [`${indent}… ${rest} more with --format json`] : []),
  ];
}
