import { type ComparisonQuestion, comparisonInWords, failureInWords } from '../../analysis/previewComparison';
import type { PreviewComparison } from '../../analysis/previewModel';

/** Messages to the thread: the objects in several parts, then the question. */
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
  /** The error's message; the thread cannot be used any more. */
  | { readonly failure: string };

export interface ComparingThread {
  post(message: ToThread): void;
  end(): void;
}

export interface ComparingWorld {
  /** Starts a thread; the listener gets all of its messages. */
  readonly start: (listener: (message: FromComparer) => void) => ComparingThread;
  /** Lets messages of the client through. */
  readonly yieldToEventLoop: () => Promise<unknown>;
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

export interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): void };
}

/** Compares placements in a thread of its own: one question at a time, and a new one cancels the previous one. */
export interface Comparer {
  /** Resolves when the comparison is complete or cancelled. */
  compare(
    question: ComparisonQuestion,
    report: (comparison: PreviewComparison) => void,
    token: Cancellation,
  ): Promise<void>;
  close(): void;
}

/** Objects per message: to copy them takes a few milliseconds. */
const PART = 200;

/** A thread with its current listener. */
interface Running {
  readonly thread: ComparingThread;
  listener: (message: FromComparer) => void;
}

/** One question, until it is answered or cancelled. */
interface PendingQuestion {
  readonly over: Promise<void>;
  stop(): void;
}

/** @param idleMilliseconds After this time without a question the thread ends. */
export function createComparer(world: ComparingWorld, idleMilliseconds = 60_000): Comparer {
  const state = {
    running: undefined as Running | undefined,
    pending: undefined as PendingQuestion | undefined,
    questions: 0,
  };

  function started(): Running {
    const forward = (message: FromComparer): void => {
      const isIdle = running.listener === IGNORE;
      if (isIdle && 'failure' in message && state.running === running) end();
      else running.listener(message);
    };
    const running: Running = { thread: world.start(forward), listener: IGNORE };
    return running;
  }

  /** Ends the thread: it reads no messages while it computes a placement. */
  function end(): void {
    state.running?.thread.end();
    state.running = undefined;
  }

  async function endWhenIdle(questions: number): Promise<void> {
    await world.pause(idleMilliseconds);
    if (state.questions === questions) end();
  }

  return {
    async compare(question, report, token) {
      state.pending?.stop();
      state.questions += 1;
      const { questions } = state;
      if (token.isCancellationRequested) return;
      state.running ??= started();
      const pending = ask(state.running, question, { report, end, yieldToEventLoop: world.yieldToEventLoop });
      state.pending = pending;
      const cancellation = token.onCancellationRequested(pending.stop);
      await pending.over;
      cancellation.dispose();
      void endWhenIdle(questions);
    },
    close() {
      state.pending?.stop();
      end();
    },
  };
}

interface AskContext extends Pick<ComparingWorld, 'yieldToEventLoop'> {
  readonly report: (comparison: PreviewComparison) => void;
  /** Ends the thread. */
  readonly end: () => void;
}

/** Asks a thread and reports its answers. Stopping before the last answer ends the thread. */
function ask(
  running: Running,
  question: ComparisonQuestion,
  { report, end, yieldToEventLoop }: AskContext,
): PendingQuestion {
  const state = { isOver: false, comparison: NOTHING, resolve: IGNORE as () => void };
  const over = new Promise<void>(resolve => {
    state.resolve = resolve;
  });
  const finish = (): void => {
    state.isOver = true;
    running.listener = IGNORE;
    state.resolve();
  };
  const stop = (): void => {
    if (state.isOver) return;
    end();
    finish();
  };
  running.listener = message => {
    if ('end' in message) return finish();
    state.comparison =
      'comparison' in message
        ? comparisonInWords(message.comparison)
        : { ...state.comparison, failure: failureInWords(message.failure) };
    report(state.comparison);
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

const IGNORE = (): void => undefined;

const NOTHING: PreviewComparison = { strategies: [], pods: [], nodes: [], done: [], seconds: 0 };
