/** Like `lazy` for a promise: the work starts at the first call and its result is kept. A failure is not kept. */
export function lazyPromise<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
