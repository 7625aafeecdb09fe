/** File name of the compiled program in the build folder. */
export const PROGRAM = 'policyEngine.wasm.br';

/** The worker thread of the engine's program, as the queue sees it. */
export interface EngineThread {
  post(id: number, request: string): void;
  /** Requests cancellation. Rego stops at its next step; CEL and Gatekeeper do not check. */
  cancel(): void;
  /** Requests the time that the thread has worked on a call. */
  requestWorkTime(id: number): void;
  end(): void;
}

/** Messages of the thread: it is ready, an answer, the time worked on a call, or a failure that ends it. */
export type FromEngine =
  | { readonly ready: true }
  | { readonly id: number; readonly answer: string }
  | { readonly id: number; readonly workedMilliseconds: number }
  | { readonly failure: string; readonly gone?: 'process' };

export interface EngineWorld {
  /** Whether the build contains the program. Only builds with Go have it. */
  readonly isBuilt: () => boolean;
  /** Starts a thread. The listener receives all of its messages. */
  readonly start: (listener: (message: FromEngine) => void) => EngineThread;
  /** Frees what outlives threads: the process with the compiled program. */
  readonly release: () => void;
}

export interface CallLimits {
  /**
   * CPU time after which the policy is asked to stop. CPU time, so that a busy machine does not stop policies that
   * would finish elsewhere. In wall time the limit is PATIENCE times as much.
   */
  readonly milliseconds: number;
  /** Time after the cancellation at which the thread is ended, together with everything loaded in it. */
  readonly grace: number;
}

const PATIENCE = 4;
/** The shortest interval between two checks of the time worked. */
const LEAST_WAIT_MILLISECONDS = 50;

/** The engine did not finish in time or ran out of memory. The evaluated policy is at fault, not the engine. */
export class PolicyStopped extends Error {}

/**
 * The engine's process ended by itself, for example because the system reclaimed its memory, or a call names something
 * loaded into a thread that is gone. Loading it again and retrying works.
 */
export class EngineEnded extends PolicyStopped {}

/** The engine rejected a request, for example for a handle that does not exist. */
export class EngineRefusal extends Error {}

export interface PolicyEngine {
  readonly isBuilt: () => boolean;
  /** Starts the engine, which takes a second, for a call that is to come. A failure is that of the call. */
  readonly start: () => void;
  /**
   * Makes one call at a time, in order. Rejects with PolicyStopped when the call took too long or too much memory,
   * with EngineRefusal when the engine rejects it, and with EngineEnded when the process ended twice, or once with the
   * data that the call's handle names.
   */
  call(request: EngineRequest, limits?: CallLimits): Promise<unknown>;
  /** Counts the threads that have ended. What was loaded is lost with its thread. */
  readonly generation: () => number;
  /** Ends the thread at once; the next call starts another one. */
  dispose(): void;
}

export interface EngineRequest {
  readonly op: string;
  readonly [name: string]: unknown;
}

export const PATIENT_LIMITS: CallLimits = { milliseconds: 30_000, grace: 500 };

interface PendingAnswer {
  readonly id: number;
  readonly settle: (answer: string | Error) => void;
  readonly hasWorked: (milliseconds: number) => void;
}

/** One thread from its start to its end. */
interface Run {
  readonly thread: EngineThread;
  readonly ready: Promise<void>;
  readonly isReady: (failure?: Error) => void;
  waiting: PendingAnswer | undefined;
}

/** The engine's mutable state. */
interface EngineState {
  readonly world: EngineWorld;
  readonly idleMilliseconds: number;
  run: Run | undefined;
  generation: number;
  nextId: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The policy engine as its clients see it. The first call starts it; calls run one at a time, each within its limits;
 * a new thread replaces one that had to be ended; and after `idleMilliseconds` without a call nothing stays in memory.
 */
export function createPolicyEngine(world: EngineWorld, idleMilliseconds = 60_000): PolicyEngine {
  const state: EngineState = { world, idleMilliseconds, run: undefined, generation: 0, nextId: 0, idle: undefined };
  const queue = { tail: Promise.resolve() as Promise<unknown> };
  return {
    isBuilt: world.isBuilt,
    start: () => {
      try {
        if (world.isBuilt()) runOf(state);
      } catch {
        // The call starts it again.
      }
    },
    call: (request, limits = PATIENT_LIMITS) => {
      const { generation } = state;
      const answer = queue.tail.then(() => callWithRetry(state, { request, limits, generation }));
      queue.tail = answer.catch(() => undefined);
      return answer;
    },
    generation: () => state.generation,
    dispose: () => dispose(state),
  };
}

interface PendingCall {
  readonly request: EngineRequest;
  readonly limits: CallLimits;
  /** The value of `generation()` when the call was made. */
  readonly generation: number;
}

async function callWithRetry(state: EngineState, { request, limits, generation }: PendingCall): Promise<unknown> {
  if (!('handle' in request)) return retryWhenEnded(() => callOnce(state, request, limits));
  if (generation !== state.generation) throw new EngineEnded('what it names was loaded into a thread that is gone');
  return callOnce(state, request, limits);
}

/** Runs `work` again when the engine's process ended meanwhile. `work` has to load what it needs. */
export async function retryWhenEnded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineEnded)) throw error;
    return work();
  }
}

async function callOnce(state: EngineState, request: EngineRequest, limits: CallLimits): Promise<unknown> {
  const run = runOf(state);
  clearTimeout(state.idle);
  try {
    await run.ready;
    return answerOf(await answerWithin(state, run, request, limits));
  } finally {
    disposeLater(state);
  }
}

function runOf(state: EngineState): Run {
  if (state.run === undefined) {
    state.run = start(state);
    disposeLater(state);
  }
  return state.run;
}

function disposeLater(state: EngineState): void {
  clearTimeout(state.idle);
  state.idle = setTimeout(() => dispose(state), state.idleMilliseconds);
  state.idle.unref?.();
}

function start(state: EngineState): Run {
  let isReady: Run['isReady'] = () => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    isReady = failure => (failure === undefined ? resolve() : reject(failure));
  });
  // Nobody may wait for it yet.
  ready.catch(() => undefined);
  const run: Run = { thread: state.world.start(it => onMessage(state, run, it)), ready, isReady, waiting: undefined };
  return run;
}

function onMessage(state: EngineState, run: Run, message: FromEngine): void {
  if ('ready' in message) run.isReady();
  else if ('failure' in message) {
    if (state.run === run) forget(state);
    const { failure, gone } = message;
    run.isReady(gone === 'process' ? new EngineEnded(failure) : new EngineRefusal(failure));
    run.waiting?.settle(gone === 'process' ? new EngineEnded(failure) : new PolicyStopped(failure));
  } else if (run.waiting?.id !== message.id) return;
  else if ('answer' in message) run.waiting.settle(message.answer);
  else run.waiting.hasWorked(message.workedMilliseconds);
}

function answerWithin(state: EngineState, run: Run, request: EngineRequest, limits: CallLimits): Promise<string> {
  return new Promise((resolve, reject) => {
    const id = state.nextId++;
    const { milliseconds, grace } = limits;
    const timers: ReturnType<typeof setTimeout>[] = [];
    const after = (time: number, then: () => void): void => void timers.push(setTimeout(then, time));
    const end = (): void => {
      if (state.run === run) stop(state);
      run.waiting?.settle(new PolicyStopped(`it took longer than ${milliseconds} ms`));
    };
    const cancel = (): void => {
      run.thread.cancel();
      after(grace, end);
    };
    const lookAfter = (time: number): void => after(time, () => run.thread.requestWorkTime(id));
    run.waiting = {
      id,
      settle: answer => {
        for (const it of timers) clearTimeout(it);
        run.waiting = undefined;
        if (answer instanceof Error) reject(answer);
        else resolve(answer);
      },
      hasWorked: spent => {
        if (spent >= milliseconds) cancel();
        else lookAfter(Math.max(milliseconds - spent, LEAST_WAIT_MILLISECONDS));
      },
    };
    lookAfter(milliseconds);
    after(milliseconds * PATIENCE, cancel);
    run.thread.post(id, textOf(request));
  });
}

function dispose(state: EngineState): void {
  clearTimeout(state.idle);
  const { run } = state;
  stop(state);
  const stopped = new EngineRefusal('the policy engine was stopped');
  run?.isReady(stopped);
  run?.waiting?.settle(stopped);
  state.world.release();
}

function stop(state: EngineState): void {
  state.run?.thread.end();
  if (state.run !== undefined) forget(state);
}

/** What was loaded is lost with the thread, even if no later call noticed. */
function forget(state: EngineState): void {
  state.run = undefined;
  state.generation++;
}

function answerOf(text: string): unknown {
  const answer = JSON.parse(text) as { readonly error?: { readonly message: string } };
  if (answer?.error !== undefined) throw new EngineRefusal(answer.error.message);
  return answer;
}

/** JSON in which bigints are written as plain numbers. Node 20 has no JSON.rawJSON, so they are inserted as text. */
export function textOf(value: unknown): string {
  const big: string[] = [];
  const text = JSON.stringify(value, (_, it: unknown) => {
    if (typeof it !== 'bigint') return it;
    big.push(String(it));
    return `\u0000${big.length - 1}\u0000`;
  });
  return big.length === 0
    ? text
    : text.replace(/"\\u0000(\d+)\\u0000"/g, (_, index: string) => big[Number(index)] ?? '0');
}
