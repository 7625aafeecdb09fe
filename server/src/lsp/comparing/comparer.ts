import type { PreviewComparison } from '../../analysis/preview';
import type { ComparisonQuestion } from '../../analysis/previewComparison';

/** What the thread is told: the objects in several parts, and then what is asked about them. */
export type ToThread =
  | { readonly objects: ComparisonQuestion['inputs']['objects'] }
  | {
      readonly ask: Omit<ComparisonQuestion, 'inputs'> & {
        readonly inputs: Omit<ComparisonQuestion['inputs'], 'objects'>;
      };
    };

export type FromThread =
  | { readonly comparison: PreviewComparison }
  | { readonly end: true }
  /** One sentence; the thread is of no more use. */
  | { readonly failure: string };

export interface ComparingThread {
  post(message: ToThread): void;
  end(): void;
}

export interface ComparingWorld {
  /** Starts a thread; the listener hears everything that it tells. */
  readonly start: (listener: (message: FromThread) => void) => ComparingThread;
  /** Lets messages of the editor through. */
  readonly breathe: () => Promise<unknown>;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

export interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): void };
}

/** Places in several ways in a thread of its own: one question at a time, a new one ends the one before. */
export interface Comparer {
  /** Resolves when everything is told, or nobody wants it any more. */
  compare(question: ComparisonQuestion, tell: (known: PreviewComparison) => void, token: Cancellation): Promise<void>;
  close(): void;
}

/** To copy so many objects for another thread takes a few milliseconds. */
const PART = 200;

interface Running {
  readonly thread: ComparingThread;
  hear: (message: FromThread) => void;
}

/** A thread that nobody has asked for so long is ended. */
export function createComparer(world: ComparingWorld, idleMilliseconds = 60_000): Comparer {
  const state = { running: undefined as Running | undefined, asked: 0, stop: NOTHING_RUNS };

  function started(): Running {
    const running: Running = { thread: world.start(it => running.hear(it)), hear: () => undefined };
    return running;
  }

  function end(): void {
    state.running?.thread.end();
    state.running = undefined;
  }

  async function endWhenIdle(asked: number): Promise<void> {
    await world.pause(idleMilliseconds);
    if (state.asked === asked) end();
  }

  async function send(
    { inputs, ...rest }: ComparisonQuestion,
    { thread }: Running,
    isOver: () => boolean,
  ): Promise<void> {
    const { objects, ...options } = inputs;
    for (let from = 0; from < objects.length && !isOver(); from += PART) {
      thread.post({ objects: objects.slice(from, from + PART) });
      await world.breathe();
    }
    if (!isOver()) thread.post({ ask: { ...rest, inputs: options } });
  }

  return {
    async compare(question, tell, token) {
      state.stop();
      state.asked += 1;
      const { asked } = state;
      if (token.isCancellationRequested) return;
      state.running ??= started();
      const { running } = state;
      await new Promise<void>(resolve => {
        let isOver = false;
        const finish = (): void => {
          isOver = true;
          cancelled.dispose();
          running.hear = () => undefined;
          state.stop = NOTHING_RUNS;
          resolve();
        };
        // A thread in the middle of a placement hears nothing: it is ended.
        state.stop = () => {
          if (state.running === running) end();
          finish();
        };
        const cancelled = token.onCancellationRequested(() => !isOver && state.stop());
        let known: PreviewComparison | undefined;
        running.hear = message => {
          if ('comparison' in message) {
            known = message.comparison;
            tell(known);
          } else if ('end' in message) finish();
          else {
            tell({ ...(known ?? NOTHING), failure: message.failure });
            state.stop();
          }
        };
        void send(question, running, () => isOver);
      });
      void endWhenIdle(asked);
    },
    close() {
      state.stop();
      end();
    },
  };
}

const NOTHING_RUNS = (): void => undefined;

const NOTHING: PreviewComparison = { strategies: [], pods: [], nodes: [], done: [], seconds: 0 };
