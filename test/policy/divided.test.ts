import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDividedEngine } from '../../server/src/policy/engine/divided';
import type { EngineRequest, EngineWorld, FromEngine, PolicyEngine } from '../../server/src/policy/engine/engine';
import { PolicyStopped } from '../../server/src/policy/engine/engine';

interface Called {
  readonly thread: number;
  readonly op: string;
  readonly objects: number;
}

/** Threads that answer `OBJECT judged` for each object, but fail at some of them. */
function threeThreads() {
  const calls: Called[] = [];
  const seen = { starts: 0, ended: 0, released: 0 };
  const world: EngineWorld = {
    isBuilt: () => true,
    start(listener: (message: FromEngine) => void) {
      const thread = ++seen.starts;
      queueMicrotask(() => listener({ ready: true }));
      const loaded = { last: 0 };
      return {
        post(id, text) {
          const { op, requests = [], objects = requests, handle } = JSON.parse(text) as Asked;
          calls.push({ thread, op, objects: objects.length });
          const answer = (value: unknown) => queueMicrotask(() => listener({ id, answer: JSON.stringify(value) }));
          if (op.startsWith('load')) return answer({ handle: ++loaded.last, errors: [] });
          if (handle !== undefined && handle > loaded.last) return answer({ error: { message: 'nothing is loaded' } });
          if (objects.includes('crash'))
            return queueMicrotask(() => listener({ failure: 'it took more memory than there is' }));
          if (objects.includes('refuse beside') && thread > 1)
            return answer({ error: { message: 'not in this thread' } });
          const judged = objects.map(it => `${it} judged`);
          return answer(op === 'admit' ? { answers: judged } : { reviews: judged });
        },
        cancel: () => undefined,
        requestWorkTime: () => undefined,
        end: () => {
          seen.ended += 1;
        },
      };
    },
    release: () => {
      seen.released += 1;
    },
  };
  return { engine: createDividedEngine(world, 3), calls, seen };
}

interface Asked {
  readonly op: string;
  readonly handle?: number;
  readonly requests?: readonly string[];
  readonly objects?: readonly string[];
}

const named = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `object ${i}`);
const judged = (objects: readonly string[]): readonly string[] => objects.map(it => `${it} judged`);

async function loadedIn(engine: PolicyEngine): Promise<number> {
  return ((await engine.call({ op: 'loadGatekeeper' })) as { readonly handle: number }).handle;
}

const review = (handle: number, objects: readonly string[]): EngineRequest => ({
  op: 'reviewGatekeeper',
  handle,
  phase: 'validate',
  objects,
});

/** Asks about so many objects that all threads have loaded the policies afterwards. */
async function warm(engine: PolicyEngine, handle: number): Promise<void> {
  await engine.call(review(handle, named(200)));
  await engine.call(review(handle, named(1)));
}

describe('A policy engine of three threads', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('starts one thread for few objects', async () => {
    const { engine, seen } = threeThreads();
    const handle = await loadedIn(engine);
    for (let i = 0; i < 4; i++) await engine.call(review(handle, named(40)));
    expect(seen.starts).toBe(1);
  });

  it.each([1, 4, 5, 14, 15, 16, 40, 41, 1000])('answers for %i objects in their order', async count => {
    const { engine, seen } = threeThreads();
    const handle = await loadedIn(engine);
    await warm(engine, handle);
    expect(seen.starts).toBe(3);
    expect(await engine.call(review(handle, named(count)))).toEqual({ reviews: judged(named(count)) });
  });

  it('divides many objects evenly, and what admission policies are asked, too', async () => {
    const { engine, calls } = threeThreads();
    const { handle } = (await engine.call({ op: 'loadPolicies' })) as { readonly handle: number };
    const ask = (objects: readonly string[]) =>
      engine.call({ op: 'admit', handle, phase: 'validate', requests: objects });
    await ask(named(200));
    await ask(named(1));
    expect(await ask(named(40))).toEqual({ answers: judged(named(40)) });
    const asked = calls.filter(it => it.op === 'admit').slice(-3);
    expect(asked.map(it => it.thread).sort()).toEqual([1, 2, 3]);
    expect(asked.map(it => it.objects).sort()).toEqual([12, 14, 14]);
  });

  it('leaves to the first thread what goes on in several calls, and what changed meanwhile', async () => {
    const { engine, calls } = threeThreads();
    const handle = await loadedIn(engine);
    await warm(engine, handle);
    const before = calls.length;
    await engine.call({ ...review(handle, named(40)), phase: 'mutate' });
    await engine.call({ op: 'updateGatekeeper', handle });
    await engine.call(review(handle, named(40)));
    expect(calls.slice(before).filter(it => it.thread > 1 && it.op !== 'release')).toEqual([]);
  });

  it('asks the first thread for what another one cannot answer', async () => {
    const { engine } = threeThreads();
    const handle = await loadedIn(engine);
    await warm(engine, handle);
    const objects = [...named(39), 'refuse beside'];
    expect(await engine.call(review(handle, objects))).toEqual({ reviews: judged(objects) });
  });

  it('says that policies were stopped, whichever thread stopped them, and goes on', async () => {
    const { engine } = threeThreads();
    const handle = await loadedIn(engine);
    await warm(engine, handle);
    const asked = engine.call(review(handle, [...named(39), 'crash']));
    await expect(asked).rejects.toThrow(new PolicyStopped('it took more memory than there is'));
    for (let i = 0; i < 3; i++)
      expect(await engine.call(review(handle, named(40)))).toEqual({ reviews: judged(named(40)) });
  });

  it('releases in all threads what was loaded', async () => {
    const { engine, calls } = threeThreads();
    const handle = await loadedIn(engine);
    await warm(engine, handle);
    await engine.call({ op: 'release', handle });
    expect(
      calls
        .filter(it => it.op === 'release')
        .map(it => it.thread)
        .sort(),
    ).toEqual([1, 2, 3]);
  });

  it('ends all threads after some idle time, and starts again', async () => {
    const { engine, seen } = threeThreads();
    await warm(engine, await loadedIn(engine));
    await vi.advanceTimersByTimeAsync(70_000);
    expect(seen).toEqual({ starts: 3, ended: 3, released: 1 });
    await warm(engine, await loadedIn(engine));
    expect(seen.starts).toBe(6);
  });
});
