import type { Analysis } from '../analysis/analysis';
import type { Problem } from '../rules/framework/problem';
import { createPublishedProblems } from './publishedProblems';

/** How long one slice of background work may block the event loop. */
const SLICE_MILLISECONDS = 4;

/** For this time after a change of an open file, the user counts as typing. */
const TYPING_MILLISECONDS = 1_000;

/** The scheduler runs after this pause without changes. */
const REST_MILLISECONDS = 250;

export interface PublishingWorld {
  readonly analysis: () => Analysis;
  readonly isOpen: (uri: string) => boolean;
  /** Whether the client gets the problems of a file. */
  readonly isListed: (uri: string) => boolean;
  /** Resolves when received messages are handled. */
  readonly yieldToEventLoop: () => Promise<void>;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  /** Computes the placements that a file's problems need; false: no longer wanted. */
  readonly place: (uri: string, isWanted: () => boolean) => Promise<boolean>;
  /** Does work on a file. */
  readonly withNote: (uri: string, work: () => void) => void;
  /** Called with an exception; publishing continues with other files. */
  readonly onBug: (uri: string, error: unknown) => void;
  readonly send: (uri: string, problems: readonly Problem[]) => void;
  /** Frees cached results of a file that is not open. */
  readonly release: (uri: string) => void;
}

export interface Publishing {
  /** Queues files, open ones first. */
  readonly soon: (uris: readonly string[]) => void;
  /** Resolves when received messages are handled and quick problems of all open files are published. */
  readonly waitForOpenFiles: () => Promise<void>;
  /** Whether an open file changed a moment ago, so that more changes are likely. */
  readonly isTyping: () => boolean;
}

/**
 * Publishes problems in slices: quick problems of all files first, and those that need a scheduler run after a pause
 * without changes.
 */
export function createPublishing(world: PublishingWorld): Publishing {
  const pending = new Set<string>();
  const late = new Set<string>();
  const problemsOf = createPublishedProblems(world.analysis);
  const state = { isRunning: false, changes: 0, changedAt: Number.NEGATIVE_INFINITY };

  /** Reports an exception as a bug and continues with other files. */
  const guarded = (publish: (uri: string) => void) => (uri: string) => {
    try {
      world.withNote(uri, () => publish(uri));
    } catch (error) {
      world.onBug(uri, error);
    }
  };

  const publishQuick = guarded(uri => {
    if (!world.isListed(uri)) {
      late.delete(uri);
      return world.send(uri, []);
    }
    const problems = problemsOf.quick(uri);
    world.send(uri, problems);
    if (!world.analysis().asksScheduler(uri)) release(uri, problems);
  });

  const publishWhole = guarded(uri => {
    const problems = problemsOf.whole(uri);
    if (problems) world.send(uri, problems);
    release(uri, problems ?? []);
  });

  /** Frees a closed file once its problems are published, and the files of their related locations. */
  function release(uri: string, problems: readonly Problem[]): void {
    if (world.isOpen(uri)) return;
    const used = new Set([uri, ...problems.flatMap(it => it.related.map(({ uri }) => uri))]);
    for (const it of used) if (!world.isOpen(it)) world.release(it);
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
    // Open files are first in the queue.
    for (let [first] = pending; first !== undefined && world.isOpen(first); [first] = pending)
      await world.yieldToEventLoop();
  }

  return { soon, waitForOpenFiles: giveWay, isTyping: () => world.now() - state.changedAt < TYPING_MILLISECONDS };

  async function run(): Promise<void> {
    await world.yieldToEventLoop();
    await inSlices({ uris: pending, publish: publishQuick, isWanted: () => true }, world);
    state.isRunning = false;
    await askScheduler(state.changes);
  }

  /** Gives up after a change, which has started its own run. */
  async function askScheduler(changes: number): Promise<void> {
    const isLatest = (): boolean => changes === state.changes;
    if ([...late].some(it => world.analysis().asksScheduler(it))) await world.pause(REST_MILLISECONDS);
    const ready = async (uri: string): Promise<boolean> =>
      !world.analysis().asksScheduler(uri) || world.place(uri, isLatest);
    await inSlices({ uris: late, publish: publishWhole, isWanted: isLatest, ready }, world);
  }
}

/** Files whose problems are to be published. */
interface Queued {
  readonly uris: Set<string>;
  readonly publish: (uri: string) => void;
  readonly isWanted: () => boolean;
  /** Does slow work in slices of its own first; false: no longer wanted. */
  readonly ready?: (uri: string) => Promise<boolean>;
}

type Clock = Pick<PublishingWorld, 'yieldToEventLoop' | 'now'>;

async function inSlices({ uris, publish, isWanted, ready }: Queued, { yieldToEventLoop, now }: Clock): Promise<void> {
  while (uris.size > 0 && isWanted()) {
    const until = now() + SLICE_MILLISECONDS;
    for (const uri of uris) {
      if (ready && !((await ready(uri)) && isWanted())) return;
      uris.delete(uri);
      publish(uri);
      if (now() > until) break;
    }
    await yieldToEventLoop();
  }
}
