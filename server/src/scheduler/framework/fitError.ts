import { compareText } from '../../cluster/scenario';

/** "0/3 nodes are available:", then each reason with the number of its nodes. Upstream: framework.FitError. */
export function fitErrorMessage(
  nodeCount: number,
  reasons: readonly string[] | { readonly preFilter: string },
  postFilter: string,
): string {
  const head = `0/${nodeCount} nodes are available:`;
  const body = 'preFilter' in reasons ? reasons.preFilter : histogram(reasons);
  return `${head}${body ? ` ${body}.` : ''}${postFilter ? ` ${postFilter}` : ''}`;
}

/** Sorted as texts, so "10 x" comes before "2 y". */
function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
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
