import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createPolicyEngine,
  EngineEnded,
  EngineRefusal,
  type EngineWorld,
  type FromEngine,
  PolicyStopped,
  textOf,
} from '../../server/src/policy/engine/engine';
import { loadedIn } from '../../server/src/policy/engine/loaded';
import { withoutRunaways } from '../../server/src/policy/engine/runaway';

/**
 * A thread that answers `{"op": "echo"}` with the request, `load` with a handle, and nothing else. It gets a share of
 * a CPU; its process ends a given number of times at `die`.
 */
function fakeWorld({ share = 1, deaths = 0 } = {}) {
  const seen = { starts: 0, ended: 0, released: 0, cancelled: 0, workRequests: [] as string[] };
  const world: EngineWorld = {
    isBuilt: () => true,
    start(listener: (message: FromEngine) => void) {
      seen.starts += 1;
      queueMicrotask(() => listener({ ready: true }));
      let begun = 0;
      return {
        post(id, text) {
          begun = Date.now();
          const request = JSON.parse(text) as { readonly op: string };
          seen.workRequests.push(text);
          const answers: Readonly<Record<string, unknown>> = {
            echo: request,
            die: { lives: seen.starts },
            load: { handle: seen.starts * 100 + seen.workRequests.length },
            release: {},
            refuse: { error: { message: 'no such thing' } },
          };
          if (request.op === 'die' && seen.starts <= deaths)
            queueMicrotask(() => listener({ failure: 'the process ended (SIGKILL)', gone: 'process' }));
          else if (request.op === 'crash')
            queueMicrotask(() => listener({ failure: 'it took more memory than there is' }));
          else if (request.op in answers)
            queueMicrotask(() => listener({ id, answer: JSON.stringify(answers[request.op]) }));
        },
        cancel: () => {
          seen.cancelled += 1;
        },
        requestWorkTime: id => listener({ id, workedMilliseconds: (Date.now() - begun) * share }),
        end: () => {
          seen.ended += 1;
        },
      };
    },
    release: () => {
      seen.released += 1;
    },
  };
  return { seen, engine: createPolicyEngine(world, 1_000) };
}

describe('The policy engine', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('starts with the first call and answers in order', async () => {
    const { seen, engine } = fakeWorld();
    expect(seen.starts).toBe(0);
    const answers = await Promise.all([1, 2, 3].map(n => engine.call({ op: 'echo', n })));
    expect(answers).toEqual([1, 2, 3].map(n => ({ op: 'echo', n })));
    expect(seen.starts).toBe(1);
  });

  it('starts for a call that is to come, and ends again when none comes', async () => {
    const { seen, engine } = fakeWorld();
    engine.start();
    engine.start();
    expect(seen.starts).toBe(1);
    expect(await engine.call({ op: 'echo' })).toEqual({ op: 'echo' });
    expect(seen.starts).toBe(1);
    await vi.advanceTimersByTimeAsync(1_100);
    engine.start();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(seen).toMatchObject({ starts: 2, ended: 2, released: 2 });
  });

  it.each(['throws', 'fails'])('starts again for a call after a start that %s', async how => {
    const seen = { starts: 0 };
    const engine = createPolicyEngine({
      isBuilt: () => true,
      start(listener) {
        const isFirst = seen.starts++ === 0;
        if (isFirst && how === 'throws') throw new Error('it cannot start');
        queueMicrotask(() => listener(isFirst ? { failure: 'it cannot start' } : { ready: true }));
        return {
          post: id => listener({ id, answer: '{}' }),
          cancel: () => undefined,
          requestWorkTime: () => undefined,
          end: () => undefined,
        };
      },
      release: () => undefined,
    });
    engine.start();
    expect(await engine.call({ op: 'echo' })).toEqual({});
    expect(seen.starts).toBe(2);
  });

  it('cancels a runaway, then ends its thread, and starts again for the next call', async () => {
    const { seen, engine } = fakeWorld();
    const runaway = engine.call({ op: 'hang' }, { milliseconds: 500, grace: 100 }).catch((error: unknown) => error);
    const next = engine.call({ op: 'echo' });
    await vi.advanceTimersByTimeAsync(550);
    expect([seen.cancelled, seen.ended]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(60);
    expect(await runaway).toEqual(new PolicyStopped('it took longer than 500 ms'));
    expect(await next).toEqual({ op: 'echo' });
    expect([seen.starts, seen.ended]).toEqual([2, 1]);
  });

  it('counts CPU time of the runaway, not time in which the machine is busy', async () => {
    const { seen, engine } = fakeWorld({ share: 0.5 });
    void engine.call({ op: 'hang' }, { milliseconds: 500, grace: 100 }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(950);
    expect(seen.cancelled).toBe(0);
    await vi.advanceTimersByTimeAsync(120);
    expect([seen.cancelled, seen.ended]).toEqual([1, 0]);
  });

  it('stops a call that makes no progress', async () => {
    const { seen, engine } = fakeWorld({ share: 0 });
    const runaway = engine.call({ op: 'hang' }, { milliseconds: 500, grace: 100 }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_990);
    expect(seen.cancelled).toBe(0);
    await vi.advanceTimersByTimeAsync(120);
    expect(await runaway).toEqual(new PolicyStopped('it took longer than 500 ms'));
    expect([seen.cancelled, seen.ended]).toEqual([1, 1]);
  });

  it('reports the policy when memory runs out', async () => {
    const { seen, engine } = fakeWorld();
    await expect(engine.call({ op: 'crash' })).rejects.toThrow(PolicyStopped);
    expect(await engine.call({ op: 'echo' })).toEqual({ op: 'echo' });
    expect(seen.starts).toBe(2);
  });

  it('distinguishes rejected calls from stopped ones', async () => {
    const { engine } = fakeWorld();
    await expect(engine.call({ op: 'refuse' })).rejects.toThrow(new EngineRefusal('no such thing'));
  });

  it('ends after some time without a call', async () => {
    const { seen, engine } = fakeWorld();
    await engine.call({ op: 'echo' });
    await vi.advanceTimersByTimeAsync(900);
    await engine.call({ op: 'echo' });
    await vi.advanceTimersByTimeAsync(900);
    expect([seen.ended, seen.released]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(200);
    expect([seen.ended, seen.released]).toEqual([1, 1]);
  });

  it('rejects the current call when disposed during its start, and accepts the next one', async () => {
    const { seen, engine } = fakeWorld();
    const asked = engine.call({ op: 'echo' }).catch((error: unknown) => error);
    await Promise.resolve();
    expect(seen.starts).toBe(1);
    engine.dispose();
    expect(await asked).toEqual(new EngineRefusal('the policy engine was stopped'));
    expect(await engine.call({ op: 'echo' })).toEqual({ op: 'echo' });
  });

  it('loads once, loads again after a restart, and releases outdated data', async () => {
    const { seen, engine } = fakeWorld();
    const loaded = loadedIn(engine);
    const handle = async () => (await loaded.get(() => ({ op: 'load' }))).answer.handle;
    const first = await handle();
    expect(await handle()).toBe(first);
    await engine.call({ op: 'crash' }).catch(() => undefined);
    const second = await handle();
    expect(second).not.toBe(first);
    loaded.outdate();
    await handle();
    await vi.runAllTicks();
    await engine.call({ op: 'echo' });
    expect(seen.workRequests.filter(it => it.includes('release'))).toEqual([
      JSON.stringify({ op: 'release', handle: second }),
    ]);
  });

  it('retries when its process ends, and rejects when the process ends again', async () => {
    expect(await fakeWorld({ deaths: 1 }).engine.call({ op: 'die' })).toEqual({ lives: 2 });
    await expect(fakeWorld({ deaths: 2 }).engine.call({ op: 'die' })).rejects.toThrow(
      new EngineEnded('the process ended (SIGKILL)'),
    );
  });

  it('does not answer calls about data that was loaded into an ended process', async () => {
    const { engine, seen } = fakeWorld({ deaths: 1 });
    const { handle } = (await engine.call({ op: 'load' })) as { readonly handle: number };
    const answers = await Promise.allSettled([engine.call({ op: 'die', handle }), engine.call({ op: 'echo', handle })]);
    expect(answers.map(it => it.status === 'rejected' && it.reason instanceof EngineEnded)).toEqual([true, true]);
    expect(seen.workRequests.filter(it => it.includes('echo'))).toEqual([]);
  });

  it('writes whole numbers exactly', () => {
    expect(textOf({ a: 9007199254740993n, b: 'x', c: 1.5 })).toBe('{"a":9007199254740993,"b":"x","c":1.5}');
  });
});

describe('Runaways among policies', () => {
  const attemptWithout = (bad: readonly number[]) => (members: readonly number[]) =>
    members.some(it => bad.includes(it)) ? Promise.reject(new PolicyStopped('slow')) : Promise.resolve(members);

  it.each([[[]], [[3]], [[0, 7]], [[0, 1, 2, 3, 4, 5, 6, 7]]])('are found and left out: %j', async bad => {
    const stopped: number[] = [];
    const all = [0, 1, 2, 3, 4, 5, 6, 7];
    const answer = await withoutRunaways(all, attemptWithout(bad), it => stopped.push(it));
    expect(answer).toEqual(all.filter(it => !bad.includes(it)));
    expect(stopped).toEqual(bad);
  });

  it('are not reported when each policy ends alone: together they get the time of all', async () => {
    const attempt = async (members: readonly number[], share: number) => {
      if (members.length > 2 * share) throw new PolicyStopped('too long');
      return members;
    };
    const stopped: number[] = [];
    expect(await withoutRunaways([1, 2, 3, 4, 5], attempt, it => stopped.push(it))).toEqual([1, 2, 3, 4, 5]);
    expect(stopped).toEqual([]);
  });

  it('are all policies when each ends alone and all together never do', async () => {
    const attempt = async (members: readonly number[]) => {
      if (members.length > 1) throw new PolicyStopped('too long');
      return members;
    };
    const stopped: number[] = [];
    expect(await withoutRunaways([1, 2, 3], attempt, it => stopped.push(it))).toEqual([]);
    expect(stopped).toEqual([1, 2, 3]);
  });

  it('are not reported for a process that ended, unless it ends again', async () => {
    const state = { attempts: 0 };
    const attempt = async (members: readonly number[]) => {
      state.attempts += 1;
      if (state.attempts === 1) throw new EngineEnded('killed');
      return members;
    };
    const stopped: number[] = [];
    expect(await withoutRunaways([1], attempt, it => stopped.push(it))).toEqual([1]);
    expect(stopped).toEqual([]);
  });

  it('are not reported for another failure', async () => {
    const attempt = () => Promise.reject(new EngineRefusal('no handle'));
    const stopped: number[] = [];
    await expect(withoutRunaways([1, 2], attempt, it => stopped.push(it))).rejects.toThrow('no handle');
    expect(stopped).toEqual([]);
  });
});
