/** Whether a minor such as "1.37" is equal to or later than another. */
export function isAtLeast(minor: string, first: string): boolean {
  return number(minor) >= number(first);
}

function number(minor: string): number {
  return Number(minor.slice(minor.indexOf('.') + 1));
}
