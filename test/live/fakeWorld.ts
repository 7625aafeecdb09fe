import { WANTED_KINDS } from '../../server/src/cluster/sources/kinds';
import { type ApiAnswer, ApiFailure, type LiveWorld } from '../../server/src/live/api';
import { type Reply, recordedReply } from './recorded';

type Answer = Reply | 'unreachable' | undefined;

/** A cluster that answers as recorded, but where a test says otherwise; time passes only in waits. */
export interface FakeWorld extends LiveWorld {
  readonly asked: string[];
  readonly waits: number[];
  /** The answer to a path in place of the recorded one. Called once for each request that is no watch. */
  answer: (path: string) => Answer;
  /** Sends an event to whoever watches a path. */
  emit(path: string, type: string, object: unknown): void;
  /** Ends the watches of a path: in good order, or as the connection breaks. */
  end(path: string, how: 'closed' | 'broken'): void;
  watches(path: string): number;
  /** How many watches and waits there are. */
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
    asked: [],
    waits: [],
    answer: () => undefined,
    async get(path, { signal }) {
      world.asked.push(path);
      const isWatch = path.includes('watch=true');
      const reply = (isWatch ? undefined : world.answer(path)) ?? recordedReply(path);
      if (reply === 'unreachable') throw new ApiFailure('the host cannot be reached: nobody listens there');
      if (!isWatch) return { status: reply.status, text: async () => reply.text, lines: noLines };
      const watch: Watch = { path: path.split('?')[0]!, lines: [], wake: () => undefined };
      watches.add(watch);
      return { status: 200, text: async () => '', lines: () => linesOf(watch, signal, () => watches.delete(watch)) };
    },
    // Short waits pass at once; the long ones of failures are written down, and pass as well.
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

/** Few kinds, so that a test says what it is about. */
export const KINDS = WANTED_KINDS.filter(it => ['Node', 'Pod', 'Secret', 'ReferenceGrant'].includes(it.kind));
