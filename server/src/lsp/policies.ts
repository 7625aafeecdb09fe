import type { AnalysisHost } from '../analysis/analysis';

/** So long nobody types before policies are asked. */
const REST_MILLISECONDS = 50;

export interface PolicyWorld {
  readonly host: Pick<AnalysisHost, 'judgePolicies'>;
  /** Files that a person looks at. */
  readonly open: () => readonly string[];
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Is told of files whose problems may be others now. */
  readonly publishSoon: (uris: readonly string[]) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Has the policies of the workspace asked in the background: their answers come when they come, and nothing that is typed
 * waits for them. Returns the function to call after every change.
 */
export function createPolicyJudging({ host, open, pause, publishSoon, failed }: PolicyWorld): () => void {
  const state = { changes: 0 };
  return () => {
    state.changes += 1;
    const { changes } = state;
    void pause(REST_MILLISECONDS).then(async () => {
      if (changes !== state.changes) return;
      await host.judgePolicies(open(), publishSoon).catch(failed);
    });
  };
}
