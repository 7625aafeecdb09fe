/** The program's file in the folder of the build. */
export const PROGRAM = 'policyEngine.wasm.br';

/** The thread that the engine's program runs in, as little of it as the queue needs. */
export interface EngineThread {
  post(id: number, request: string): void;
  /** Asks what is running to stop; Rego does so at its next step, CEL and Gatekeeper do not look. */
  cancel(): void;
  /** Asks how long it has worked on a question. */
  requestWorkTime(id: number): void;
  end(): void;
}

/** What the thread tells: it is up, an answer, how long it has worked on one, or that it is of no more use. */
export type FromEngine =
  | { readonly ready: true }
  | { readonly id: number; readonly answer: string }
  | { readonly id: number; readonly workedMilliseconds: number }
  | { readonly failure: string; readonly gone?: 'process' };

export interface EngineWorld {
  /** Whether the program was built; it comes only with builds that had Go. */
  readonly isBuilt: () => boolean;
  /** Starts a thread. The listener is told everything that it says. */
  readonly start: (listener: (message: FromEngine) => void) => EngineThread;
  /** Forgets what is kept between threads: the process with the compiled program. */
  readonly release: () => void;
}

export interface CallLimits {
  /**
   * After this much work the policy is asked to stop: time of the processor, so that a busy machine stops none that ends
   * elsewhere. PATIENCE times as much passes at most.
   */
  readonly milliseconds: number;
  /** After this much more time the thread is ended, and with it everything that was loaded. */
  readonly grace: number;
}

const PATIENCE = 4;
/** Work is looked at no more often than this. */
const LEAST_WAIT_MILLISECONDS = 50;

/** The engine did not end, or wanted more memory than there is: whatever was asked is to blame, not the engine. */
export class PolicyStopped extends Error {}

/**
 * The process of the engine ended by itself, as when the system wants its memory, or what a question names was loaded into a
 * thread that is gone. Loaded and asked again, another one answers.
 */
export class EngineEnded extends PolicyStopped {}

/** The engine answered that it cannot do what was asked: a handle that is gone, a request without sense. */
export class EngineRefusal extends Error {}

export interface PolicyEngine {
  readonly isBuilt: () => boolean;
  /**
   * Asks one question after the other. Rejects with PolicyStopped when the answer took too long or too much memory, with
   * EngineRefusal when the engine has none, and with EngineEnded when the process ended twice, or once with what the
   * question's handle names.
   */
  call(request: EngineRequest, limits?: CallLimits): Promise<unknown>;
  /** How many threads are gone: what was loaded went with the thread that it was loaded in. */
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

/** Everything that is going on in one thread, from its start to its end. */
interface Run {
  readonly thread: EngineThread;
  readonly ready: Promise<void>;
  readonly isReady: (failure?: Error) => void;
  waiting: PendingAnswer | undefined;
}

/** The engine between two questions. */
interface EngineState {
  readonly world: EngineWorld;
  readonly idleMilliseconds: number;
  run: Run | undefined;
  generation: number;
  nextId: number;
  idle: ReturnType<typeof setTimeout> | undefined;
}

/**
 * The policy engine as the rest sees it: started by the first question, one question at a time, each within its bounds,
 * a new thread after a runaway, and nothing left in memory after `idleMilliseconds` without a question.
 */
export function createPolicyEngine(world: EngineWorld, idleMilliseconds = 60_000): PolicyEngine {
  const state: EngineState = { world, idleMilliseconds, run: undefined, generation: 0, nextId: 0, idle: undefined };
  const queue = { tail: Promise.resolve() as Promise<unknown> };
  return {
    isBuilt: world.isBuilt,
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
  /** The threads that were gone when it was put. */
  readonly generation: number;
}

async function callWithRetry(state: EngineState, { request, limits, generation }: PendingCall): Promise<unknown> {
  if (!('handle' in request)) return retryWhenEnded(() => callOnce(state, request, limits));
  if (generation !== state.generation) throw new EngineEnded('what it names was loaded into a thread that is gone');
  return callOnce(state, request, limits);
}

/** Does work once more when the engine's process ends meanwhile. The work loads what it asks about. */
export async function retryWhenEnded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EngineEnded)) throw error;
    return work();
  }
}

async function callOnce(state: EngineState, request: EngineRequest, limits: CallLimits): Promise<unknown> {
  clearTimeout(state.idle);
  state.run ??= start(state);
  const { run } = state;
  try {
    await run.ready;
    return answerOf(await answerWithin(state, run, request, limits));
  } finally {
    clearTimeout(state.idle);
    state.idle = setTimeout(() => dispose(state), state.idleMilliseconds);
    state.idle.unref?.();
  }
}

function start(state: EngineState): Run {
  let isReady: Run['isReady'] = () => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    isReady = failure => (failure === undefined ? resolve() : reject(failure));
  });
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

/** What was loaded went with the thread, also when nobody has asked the next one yet. */
function forget(state: EngineState): void {
  state.run = undefined;
  state.generation++;
}

function answerOf(text: string): unknown {
  const answer = JSON.parse(text) as { readonly error?: { readonly message: string } };
  if (answer?.error !== undefined) throw new EngineRefusal(answer.error.message);
  return answer;
}

/** JSON with whole numbers beyond 2^53 as they are: RawJSON is not known to Node 20, so they are put in as text. */
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
