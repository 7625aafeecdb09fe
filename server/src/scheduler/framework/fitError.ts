import { compareText } from '../../cluster/scenario';

/** "0/3 nodes are available:", then each reason with the number of its nodes. Upstream: framework.FitError. */
export function fitErrorMessage(
  nodeCount: number,
  reasons: ReasonCounts | { readonly preFilter: string },
  postFilter: string,
): string {
  const head = `0/${nodeCount} nodes are available:`;
  const body = 'preFilter' in reasons ? reasons.preFilter : histogram(reasons);
  return `${head}${body ? ` ${body}.` : ''}${postFilter ? ` ${postFilter}` : ''}`;
}

/** Of how many nodes each reason keeps a Pod off. */
export type ReasonCounts = ReadonlyMap<string, number>;

/** Counts the reasons of some nodes. Neighbours are refused alike, so that few of them are looked up. */
export function countReasons<T>(nodes: readonly T[], reasonsOf: (node: T) => readonly string[]): ReasonCounts {
  const counts = new Map<string, number>();
  let last: string | undefined;
  let times = 0;
  const note = (): void => {
    if (last !== undefined) counts.set(last, (counts.get(last) ?? 0) + times);
  };
  for (const node of nodes) {
    for (const reason of reasonsOf(node)) {
      if (reason !== last) {
        note();
        last = reason;
        times = 0;
      }
      times += 1;
    }
  }
  note();
  return counts;
}

/** Sorted as texts, so "10 x" comes before "2 y". */
function histogram(counts: ReasonCounts): string {
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort(compareText)
    .join(', ');
}

/** An event's note holds 1,024 bytes. Upstream: util.truncateMessage. */
export function eventNote(message: string): string {
  const limit = 1024;
  const suffix = ' ...';
  return message.length <= limit ? message : message.slice(0, limit - suffix.length) + suffix;
}
