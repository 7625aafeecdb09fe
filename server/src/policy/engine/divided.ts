import {
  type CallLimits,
  createPolicyEngine,
  type EngineRequest,
  type EngineWorld,
  PATIENT_LIMITS,
  type PolicyEngine,
  PolicyStopped,
} from './engine';
import { type Loaded, loadedIn } from './loaded';
import { limitsFor } from './runaway';

/** With fewer objects than this a call is not divided: another thread would take as long to start. */
const MANY_OBJECTS = 200;
/** The fewest objects of a part. */
const LEAST_PART = 5;

const LONGEST_TIMEOUT_MILLISECONDS = 2 ** 31 - 1;

/** The operations that answer for each object by itself, with the lists of their requests and of their answers. */
const DIVISIBLE: Readonly<Record<string, { readonly objects: string; readonly answers: string }>> = {
  admit: { objects: 'requests', answers: 'answers' },
  reviewGatekeeper: { objects: 'objects', answers: 'reviews' },
};
const LOADS = new Set(['loadPolicies', 'loadGatekeeper']);
/** Whatever else names what was loaded may change it. */
const KEEPS = new Set([...Object.keys(DIVISIBLE), 'resume']);

/** What was loaded in the first thread, and in those beside it that have loaded it too. */
interface Load {
  readonly request: EngineRequest;
  /** How many objects it was asked about. */
  asked: number;
  readonly copies: Map<PolicyEngine, Copy>;
}

/** The same policies in a thread beside the first one. */
interface Copy {
  readonly engine: PolicyEngine;
  readonly loaded: Loaded;
  /** False while it is being loaded, and where that failed. */
  isReady: boolean;
}

interface Answer {
  readonly [name: string]: unknown;
}

/**
 * A policy engine with `threads` threads in one process. Calls about many objects are divided among those that have loaded the
 * same policies; the others begin to once so many objects were asked about that it is worth their start. All other calls go
 * to the first thread.
 */
export function createDividedEngine(world: EngineWorld, threads: number): PolicyEngine {
  if (threads <= 1) return createPolicyEngine(world);
  // Threads in the process of the first one, which ends it after some idle time.
  const beside = Array.from({ length: threads - 1 }, () =>
    createPolicyEngine({ ...world, release: () => undefined }, LONGEST_TIMEOUT_MILLISECONDS),
  );
  const release = (): void => {
    for (const it of beside) it.dispose();
    world.release();
  };
  const first = createPolicyEngine({ ...world, release });
  const loads = new Map<number, Load>();

  async function call(request: EngineRequest, limits?: CallLimits): Promise<unknown> {
    const load = typeof request.handle === 'number' ? loads.get(request.handle) : undefined;
    if (load !== undefined && isDivisible(request)) return callDivided(request, load, limits);
    if (load !== undefined && !KEEPS.has(request.op)) forget(request.handle as number);
    const answer = (await first.call(request, limits)) as Answer;
    if (LOADS.has(request.op) && typeof answer.handle === 'number') {
      // A new thread numbers anew what it loads.
      forget(answer.handle);
      loads.set(answer.handle, { request, asked: 0, copies: new Map() });
    }
    return answer;
  }

  function forget(handle: number): void {
    for (const { loaded } of loads.get(handle)?.copies.values() ?? []) loaded.release();
    loads.delete(handle);
  }

  async function callDivided(request: EngineRequest, load: Load, limits = PATIENT_LIMITS): Promise<unknown> {
    const names = DIVISIBLE[request.op] as (typeof DIVISIBLE)[string];
    const objects = request[names.objects] as readonly unknown[];
    load.asked += objects.length;
    const ready = load.asked < MANY_OBJECTS ? [] : beside.flatMap(it => readyCopy(it, load));
    const parts = partsOf(objects, Math.min(ready.length + 1, Math.floor(objects.length / LEAST_PART)));
    const answers = await Promise.all(
      parts.map(async (part, i): Promise<Answer> => {
        const own = { ...request, [names.objects]: part };
        // The number of threads must not decide what is stopped.
        const within = limitsFor(part.length / objects.length, limits);
        const copy = ready[i - 1];
        if (copy === undefined) return (await first.call(own, within)) as Answer;
        try {
          const { answer } = await copy.loaded.get(() => load.request);
          return (await copy.engine.call({ ...own, handle: answer.handle }, within)) as Answer;
        } catch (error) {
          load.copies.delete(copy.engine);
          // The policies are at fault in any thread; whatever else failed is asked of the first one.
          if (error instanceof PolicyStopped) throw error;
          return (await first.call(own, within)) as Answer;
        }
      }),
    );
    return { ...answers[0], [names.answers]: answers.flatMap(it => it[names.answers] as readonly unknown[]) };
  }

  /** What a thread has loaded, if it has; else it begins to. */
  function readyCopy(engine: PolicyEngine, load: Load): readonly Copy[] {
    const known = load.copies.get(engine);
    if (known !== undefined) return known.isReady ? [known] : [];
    const copy: Copy = { engine, loaded: loadedIn(engine), isReady: false };
    load.copies.set(engine, copy);
    copy.loaded
      .get(() => load.request)
      .then(
        () => {
          copy.isReady = true;
        },
        () => undefined,
      );
    return [];
  }

  return {
    isBuilt: first.isBuilt,
    start: first.start,
    call,
    generation: first.generation,
    dispose: first.dispose,
  };
}

const isDivisible = ({ op, phase }: EngineRequest): boolean => Object.hasOwn(DIVISIBLE, op) && phase === 'validate';

function partsOf<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  if (count <= 1) return [items];
  const size = Math.ceil(items.length / count);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size)).filter(it => it.length > 0);
}
