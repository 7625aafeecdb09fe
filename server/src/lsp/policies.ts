import type { AnalysisHost } from '../analysis/analysis';

/** So long nobody types before policies are asked. */
const REST_MILLISECONDS = 50;

export interface PolicyWorld {
  /** Files that a person looks at. */
  readonly open: () => readonly string[];
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Is told of files whose problems may be others now. */
  readonly publishSoon: (uris: readonly string[]) => void;
  /** Is told when policies have said all, and what of that is new: nothing, about objects, or also about what is placed. */
  readonly settled: (news: 'nothing' | 'objects' | 'placements') => void;
  readonly failed: (error: unknown) => void;
}

/** A host with its policies. */
export interface JudgingHost {
  readonly host: AnalysisHost;
  /** Has the policies asked though nothing has changed: a placement wants to know more of them. */
  readonly judgeSoon: () => void;
}

/**
 * The same host, which has the policies of the workspace asked in the background after every change: their answers come
 * when they come, and nothing that is typed waits for them.
 */
export function judgingPolicies(
  host: AnalysisHost,
  { open, pause, publishSoon, settled, failed }: PolicyWorld,
): JudgingHost {
  const state = { changes: 0, hasNews: false, arePlaced: false };
  const told = (uris: readonly string[]): void => {
    state.hasNews ||= uris.length > 0;
    publishSoon(uris);
  };
  const placed = (): void => {
    state.arePlaced = true;
  };
  function judgeSoon(): void {
    state.changes += 1;
    const { changes } = state;
    void pause(REST_MILLISECONDS).then(async () => {
      if (changes !== state.changes) return;
      await host.evaluatePolicies(open(), told, placed).catch(failed);
      const news = state.arePlaced ? 'placements' : 'objects';
      settled(state.hasNews ? news : 'nothing');
      Object.assign(state, { hasNews: false, arePlaced: false });
    });
  }
  return {
    judgeSoon,
    host: {
      ...host,
      apply(change) {
        const touched = host.apply(change);
        judgeSoon();
        return touched;
      },
    },
  };
}
