import { WANTED_KINDS } from '../../server/src/cluster/sources/kinds';
import { type ApiAnswer, ApiFailure, type LiveWorld } from '../../server/src/live/api';
import { type Reply, recordedReply } from './recorded';

type Answer = Reply | 'unreachable' | undefined;

/** A cluster that gives recorded answers unless a test overrides them; time passes only in waits. */
export interface FakeWorld extends LiveWorld {
  readonly requests: string[];
  readonly waits: number[];
  /** The answer for a path, overriding the recorded one. Called once for each request that is not a watch. */
  answer: (path: string) => Answer;
  /** Sends an event to the watches of a path. */
  emit(path: string, type: string, object: unknown): void;
  /** Ends the watches of a path: by the server, or with a broken connection. */
  end(path: string, how: 'closed' | 'broken'): void;
  watches(path: string): number;
  /** The number of open watches and waits. */
  underWay(): number;
}

interface Watch {
  readonly path: string;
  readonly lines: string[];
  wake: () => void;
  ending?: 'closed' | 'broken';
}

export function fakeWorld(more: Partial<LiveWorld> = {}): FakeWorld {
  const watches = new Set<Watch>();
  const waiting = { count: 0 };
  const of = (path: string): readonly Watch[] => [...watches].filter(it => it.path === path);
  const world: FakeWorld = {
    ...more,
    requests: [],
    waits: [],
    answer: () => undefined,
    async get(path, { signal }) {
      world.requests.push(path);
      const isWatch = path.includes('watch=true');
      const reply = (isWatch ? undefined : world.answer(path)) ?? recordedReply(path);
      if (reply === 'unreachable') throw new ApiFailure('the host cannot be reached: nobody listens there');
      if (!isWatch) return { status: reply.status, text: async () => reply.text, lines: noLines };
      const watch: Watch = { path: path.split('?')[0]!, lines: [], wake: () => undefined };
      watches.add(watch);
      return { status: 200, text: async () => '', lines: () => linesOf(watch, signal, () => watches.delete(watch)) };
    },
    // Short waits end at once; long ones, after failures, are recorded and end as well.
    async sleep(milliseconds, signal) {
      world.waits.push(milliseconds);
      waiting.count += 1;
      await new Promise(resolve => setImmediate(resolve));
      waiting.count -= 1;
      if (signal.aborted) return;
    },
    emit(path, type, object) {
      for (const it of of(path)) {
        it.lines.push(JSON.stringify({ type, object }));
        it.wake();
      }
    },
    end(path, how) {
      for (const it of of(path)) {
        it.ending = how;
        it.wake();
      }
    },
    watches: path => of(path).length,
    underWay: () => watches.size + waiting.count,
  };
  return world;
}

const noLines: ApiAnswer['lines'] = async function* () {};

async function* linesOf(watch: Watch, signal: AbortSignal, onEnd: () => void): AsyncGenerator<string> {
  try {
    while (!signal.aborted) {
      yield* watch.lines.splice(0);
      if (watch.ending === 'closed') return;
      if (watch.ending === 'broken') throw new ApiFailure('the connection was cut');
      await new Promise<void>(resolve => {
        watch.wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  } finally {
    onEnd();
  }
}

/** A few kinds, to keep tests small. */
export const KINDS = WANTED_KINDS.filter(it => ['Node', 'Pod', 'Secret', 'ReferenceGrant'].includes(it.kind));
