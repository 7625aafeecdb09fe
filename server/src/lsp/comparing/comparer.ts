import { type ComparisonQuestion, comparisonInWords, failureInWords } from '../../analysis/previewComparison';
import type { PreviewComparison } from '../../analysis/previewModel';

/** What the thread is told: the objects in several parts, and then what is asked about them. */
export type ToThread =
  | { readonly objects: ComparisonQuestion['inputs']['objects'] }
  | {
      readonly ask: Omit<ComparisonQuestion, 'inputs'> & {
        readonly inputs: Omit<ComparisonQuestion['inputs'], 'objects'>;
      };
    };

export type FromComparer =
  | { readonly comparison: PreviewComparison }
  | { readonly end: true }
  /** What the error says; the thread is of no more use. */
  | { readonly failure: string };

export interface ComparingThread {
  post(message: ToThread): void;
  end(): void;
}

export interface ComparingWorld {
  /** Starts a thread; the listener hears everything that it tells. */
  readonly start: (listener: (message: FromComparer) => void) => ComparingThread;
  /** Lets messages of the editor through. */
  readonly yieldToEventLoop: () => Promise<unknown>;
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

/** A thread, and who hears it now. */
interface Running {
  readonly thread: ComparingThread;
  hear: (message: FromComparer) => void;
}

/** One question, until it is answered or given up. */
interface Asking {
  readonly over: Promise<void>;
  stop(): void;
}

/** A thread that nobody has asked for so long is ended. */
export function createComparer(world: ComparingWorld, idleMilliseconds = 60_000): Comparer {
  const state = { running: undefined as Running | undefined, asking: undefined as Asking | undefined, asked: 0 };

  function started(): Running {
    const hear = (message: FromComparer): void => {
      const isIdle = running.hear === NOBODY_HEARS;
      if (isIdle && 'failure' in message && state.running === running) end();
      else running.hear(message);
    };
    const running: Running = { thread: world.start(hear), hear: NOBODY_HEARS };
    return running;
  }

  /** A thread in the middle of a placement hears nothing: it is ended. */
  function end(): void {
    state.running?.thread.end();
    state.running = undefined;
  }

  async function endWhenIdle(asked: number): Promise<void> {
    await world.pause(idleMilliseconds);
    if (state.asked === asked) end();
  }

  return {
    async compare(question, tell, token) {
      state.asking?.stop();
      state.asked += 1;
      const { asked } = state;
      if (token.isCancellationRequested) return;
      state.running ??= started();
      const asking = ask(state.running, question, { tell, end, yieldToEventLoop: world.yieldToEventLoop });
      state.asking = asking;
      const cancellation = token.onCancellationRequested(asking.stop);
      await asking.over;
      cancellation.dispose();
      void endWhenIdle(asked);
    },
    close() {
      state.asking?.stop();
      end();
    },
  };
}

interface Around extends Pick<ComparingWorld, 'yieldToEventLoop'> {
  readonly tell: (known: PreviewComparison) => void;
  /** Ends the thread. */
  readonly end: () => void;
}

/** Asks a thread, and tells what it tells. To stop before the answer is there ends the thread. */
function ask(running: Running, question: ComparisonQuestion, { tell, end, yieldToEventLoop }: Around): Asking {
  const state = { isOver: false, known: NOTHING, resolve: NOBODY_HEARS as () => void };
  const over = new Promise<void>(resolve => {
    state.resolve = resolve;
  });
  const finish = (): void => {
    state.isOver = true;
    running.hear = NOBODY_HEARS;
    state.resolve();
  };
  const stop = (): void => {
    if (state.isOver) return;
    end();
    finish();
  };
  running.hear = message => {
    if ('end' in message) return finish();
    state.known =
      'comparison' in message
        ? comparisonInWords(message.comparison)
        : { ...state.known, failure: failureInWords(message.failure) };
    tell(state.known);
    if ('failure' in message) stop();
  };
  void send(question, running.thread, { yieldToEventLoop, isOver: () => state.isOver });
  return { over, stop };
}

async function send(
  { inputs, ...rest }: ComparisonQuestion,
  thread: ComparingThread,
  { yieldToEventLoop, isOver }: Pick<ComparingWorld, 'yieldToEventLoop'> & { readonly isOver: () => boolean },
): Promise<void> {
  const { objects, ...options } = inputs;
  for (let from = 0; from < objects.length && !isOver(); from += PART) {
    thread.post({ objects: objects.slice(from, from + PART) });
    await yieldToEventLoop();
  }
  if (!isOver()) thread.post({ ask: { ...rest, inputs: options } });
}

const NOBODY_HEARS = (): void => undefined;

const NOTHING: PreviewComparison = { strategies: [], pods: [], nodes: [], done: [], seconds: 0 };
