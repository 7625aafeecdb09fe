/** What changed between two texts: their common start, and where their common end begins in each. */
export interface TextChange {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

const CHUNK = 4096;

export function changeBetween(oldText: string, newText: string): TextChange {
  const shorter = Math.min(oldText.length, newText.length);
  let start = 0;
  while (start + CHUNK <= shorter && oldText.slice(start, start + CHUNK) === newText.slice(start, start + CHUNK)) {
    start += CHUNK;
  }
  while (start < shorter && oldText.charCodeAt(start) === newText.charCodeAt(start)) start++;
  let same = 0;
  const most = shorter - start;
  while (same + CHUNK <= most && isSameBefore(oldText, newText, same)) same += CHUNK;
  while (
    same < most &&
    oldText.charCodeAt(oldText.length - 1 - same) === newText.charCodeAt(newText.length - 1 - same)
  ) {
    same++;
  }
  return { start, oldEnd: oldText.length - same, newEnd: newText.length - same };
}

function isSameBefore(oldText: string, newText: string, same: number): boolean {
  const oldEnd = oldText.length - same;
  const newEnd = newText.length - same;
  return oldText.slice(oldEnd - CHUNK, oldEnd) === newText.slice(newEnd - CHUNK, newEnd);
}
