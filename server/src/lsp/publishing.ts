import type { Analysis } from '../analysis/analysis';
import type { Problem } from '../rules/framework/problem';
import { createPublishedProblems } from './publishedProblems';

/** How long one turn of background work may hold the loop. */
const SLICE_MILLISECONDS = 4;

/** So long after a key somebody is still typing. */
const TYPING_MILLISECONDS = 1_000;

/** So long nobody types before the scheduler is asked. */
const REST_MILLISECONDS = 250;

export interface PublishingWorld {
  readonly analysis: () => Analysis;
  readonly isOpen: (uri: string) => boolean;
  /** Resolves when the messages that have come in are handled. */
  readonly yieldToEventLoop: () => Promise<void>;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  /** Places what a file's problems will ask for; false: nobody wants it any more. */
  readonly place: (uri: string, isWanted: () => boolean) => Promise<boolean>;
  /** Does work that looks at a file. */
  readonly withNote: (uri: string, work: () => void) => void;
  /** Hears of an exception; the other files go on. */
  readonly onBug: (uri: string, error: unknown) => void;
  readonly send: (uri: string, problems: readonly Problem[]) => void;
  /** Forgets what was worked out for a file that is not open. */
  readonly release: (uri: string) => void;
}

export interface Publishing {
  /** Queues files, those that a person waits for first. */
  readonly soon: (uris: readonly string[]) => void;
  /** Resolves when the messages that have come in are handled, and what is quick to find is told of all files that are open. */
  readonly waitForOpenFiles: () => Promise<void>;
  /** Whether open files changed just now, so that more of it may come. */
  readonly isTyping: () => boolean;
}

/**
 * Publishes problems in turns: first what is quick to find, for all files; what the scheduler has to be asked for later,
 * once nothing has changed for a while.
 */
export function createPublishing(world: PublishingWorld): Publishing {
  const pending = new Set<string>();
  const late = new Set<string>();
  const problemsOf = createPublishedProblems(world.analysis);
  const state = { isRunning: false, changes: 0, changedAt: Number.NEGATIVE_INFINITY };

  /** A file whose problems cannot be found is told as a bug; nothing else waits for it. */
  const guarded = (publish: (uri: string) => void) => (uri: string) => {
    try {
      world.withNote(uri, () => publish(uri));
    } catch (error) {
      world.onBug(uri, error);
    }
  };

  const publishQuick = guarded(uri => {
    const problems = problemsOf.quick(uri);
    world.send(uri, problems);
    if (!world.analysis().asksScheduler(uri)) release(uri, problems);
  });

  const publishWhole = guarded(uri => {
    const problems = problemsOf.whole(uri);
    if (problems) world.send(uri, problems);
    release(uri, problems ?? []);
  });

  /** Once all is told of a file that is not open, nobody asks for it; the places that its problems name are in others. */
  function release(uri: string, problems: readonly Problem[]): void {
    if (world.isOpen(uri)) return;
    const looked = new Set([uri, ...problems.flatMap(it => it.related.map(({ uri }) => uri))]);
    for (const it of looked) if (!world.isOpen(it)) world.release(it);
  }

  function soon(uris: readonly string[]): void {
    state.changes += 1;
    if (uris.some(world.isOpen)) state.changedAt = world.now();
    const ordered = [...uris.filter(world.isOpen), ...pending, ...uris];
    pending.clear();
    for (const uri of ordered) {
      pending.add(uri);
      late.add(uri);
    }
    if (state.isRunning) return;
    state.isRunning = true;
    void run();
  }

  async function giveWay(): Promise<void> {
    await world.yieldToEventLoop();
    // Those that are open stand first.
    for (let [first] = pending; first !== undefined && world.isOpen(first); [first] = pending)
      await world.yieldToEventLoop();
  }

  return { soon, waitForOpenFiles: giveWay, isTyping: () => world.now() - state.changedAt < TYPING_MILLISECONDS };

  async function run(): Promise<void> {
    await world.yieldToEventLoop();
    await inSlices({ uris: pending, publish: publishQuick, goesOn: () => true }, world);
    state.isRunning = false;
    await askScheduler(state.changes);
  }

  /** Gives up when something changes: what is newer asks for itself. */
  async function askScheduler(changes: number): Promise<void> {
    const isLatest = (): boolean => changes === state.changes;
    if ([...late].some(it => world.analysis().asksScheduler(it))) await world.pause(REST_MILLISECONDS);
    const ready = async (uri: string): Promise<boolean> =>
      !world.analysis().asksScheduler(uri) || world.place(uri, isLatest);
    await inSlices({ uris: late, publish: publishWhole, goesOn: isLatest, ready }, world);
  }
}

/** Files whose problems are to be published. */
interface Queued {
  readonly uris: Set<string>;
  readonly publish: (uri: string) => void;
  readonly goesOn: () => boolean;
  /** Makes in turns of its own what takes long; false: nobody wants it any more. */
  readonly ready?: (uri: string) => Promise<boolean>;
}

type Clock = Pick<PublishingWorld, 'yieldToEventLoop' | 'now'>;

async function inSlices({ uris, publish, goesOn, ready }: Queued, { yieldToEventLoop, now }: Clock): Promise<void> {
  while (uris.size > 0 && goesOn()) {
    const until = now() + SLICE_MILLISECONDS;
    for (const uri of uris) {
      if (ready && !((await ready(uri)) && goesOn())) return;
      uris.delete(uri);
      publish(uri);
      if (now() > until) break;
    }
    await yieldToEventLoop();
  }
}
