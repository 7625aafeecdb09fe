/** Iterates to the end and ignores the items. */
export async function iterateToEnd(items: AsyncIterable<unknown>): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  while (!(await iterator.next()).done);
}
