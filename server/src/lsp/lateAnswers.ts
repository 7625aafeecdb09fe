/** After this time a client gets `late` instead of the answer. */
const WAIT_MILLISECONDS = 100;

export interface LateWorld {
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Called when a late answer has arrived: the client must request it again. */
  readonly arrived: () => void;
  readonly failed: (error: unknown) => void;
}

/** Answers that may take long. Started work is finished and shared by all requests with the same key. */
export interface LateAnswers {
  /** The result of `work`, or `late` where it takes longer than 100 ms. */
  soon<T>(key: string, work: () => Promise<T>): Promise<T | 'late'>;
}

export function createLateAnswers({ pause, arrived, failed }: LateWorld): LateAnswers {
  const underWay = new Map<string, Promise<unknown>>();
  const late = new Set<string>();

  function begin<T>(key: string, work: () => Promise<T>): Promise<T> {
    const working = work().finally(() => underWay.delete(key));
    underWay.set(key, working);
    working.then(
      () => late.delete(key) && arrived(),
      // A waiting request gets the error. A repeated request would fail in the same way.
      (error: unknown) => late.delete(key) && failed(error),
    );
    return working;
  }

  return {
    async soon<T>(key: string, work: () => Promise<T>): Promise<T | 'late'> {
      const working = (underWay.get(key) as Promise<T> | undefined) ?? begin(key, work);
      const first = await Promise.race([working, pause(WAIT_MILLISECONDS).then(() => 'late' as const)]);
      // What ended in the same state is no longer under way.
      if (first !== 'late' || underWay.get(key) !== working) return working;
      late.add(key);
      return first;
    },
  };
}
