/** So long a client waits for an answer before it is told that it comes later. */
const WAIT_MILLISECONDS = 100;

export interface LateWorld {
  readonly pause: (milliseconds: number) => Promise<void>;
  /** An answer is there that was told to come later: the client is to ask again. */
  readonly arrived: () => void;
  readonly failed: (error: unknown) => void;
}

/** Answers that may take long. Work that has begun is finished, and is shared by all who ask for it meanwhile. */
export interface LateAnswers {
  /** `work` by its key. Resolves to `late` where it takes longer than a person should wait. */
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
      // An error is told to whoever waits for the answer; asking again would only repeat it.
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
