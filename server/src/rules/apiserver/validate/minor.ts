/** Whether a minor such as "1.37" is another one or a later one. */
export function isAtLeast(minor: string, first: string): boolean {
  return number(minor) >= number(first);
}

function number(minor: string): number {
  return Number(minor.slice(minor.indexOf('.') + 1));
}
