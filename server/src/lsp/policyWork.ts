import type { AnalysisHost } from '../analysis/analysis';
import { untilRead } from './untilRead';

/** Policies are evaluated after this pause without changes. */
const REST_MILLISECONDS = 50;

/** What placements ask them is found out after this pause: the scheduler runs no earlier. */
const PLACING_REST_MILLISECONDS = 200;

export interface PolicyWorkWorld {
  readonly host: Pick<AnalysisHost, 'evaluatePolicies'>;
  /** Uris of open files. */
  readonly open: () => readonly string[];
  /** Work on the disk that goes on; policies and what they read may be in files that it has yet to read. */
  readonly reading: () => Promise<void> | undefined;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Called with files whose problems may differ now. */
  readonly publishSoon: (uris: readonly string[]) => void;
  /** Called when the evaluation has ended, with what is new: nothing, results about objects, or also placements. */
  readonly settled: (news: 'nothing' | 'objects' | 'placements') => void;
  readonly failed: (error: unknown) => void;
}

/** Evaluates policies in the background, so that no request waits for them. */
export interface PolicyWork {
  /** To be called after every change, and when a placement needs more answers of policies. */
  readonly evaluateSoon: () => void;
}

export function createPolicyWork({
  host,
  open,
  reading,
  pause,
  publishSoon,
  settled,
  failed,
}: PolicyWorkWorld): PolicyWork {
  const state = { requests: 0, evaluations: 0, hasNews: false, hasPlacements: false };
  let interrupt = (): void => undefined;

  /** Whether there is no request for a while after the one with this number. */
  const rests = (requests: number): Promise<boolean> =>
    new Promise(resolve => {
      if (requests !== state.requests) resolve(false);
      interrupt = () => resolve(false);
      void pause(PLACING_REST_MILLISECONDS).then(() => resolve(true));
    });

  async function evaluate(): Promise<void> {
    state.evaluations += 1;
    const { evaluations, requests } = state;
    try {
      for await (const { uris, placements } of host.evaluatePolicies(open(), () => rests(requests))) {
        state.hasNews ||= uris.length > 0;
        state.hasPlacements ||= placements === 'changed';
        publishSoon(uris);
      }
    } catch (error) {
      failed(error);
    }
    // A later evaluation has overtaken this one, and settles the news of both.
    if (evaluations !== state.evaluations) return;
    const news = state.hasPlacements ? 'placements' : 'objects';
    settled(state.hasNews ? news : 'nothing');
    Object.assign(state, { hasNews: false, hasPlacements: false });
  }

  return {
    evaluateSoon() {
      state.requests += 1;
      const { requests } = state;
      interrupt();
      void pause(REST_MILLISECONDS).then(async () => {
        await untilRead(reading);
        if (requests === state.requests) await evaluate();
      });
    },
  };
}
