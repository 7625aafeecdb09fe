import type { Analysis, Pace } from '../analysis/analysis';
import type { Steps } from '../base/steps';
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
  /** Whether the folders that were open at the start have been read; before, problems of other files would be for a moment. */
  readonly hasStarted: () => boolean;
  /** Whether the client gets the problems of a file. */
  readonly isListed: (uri: string) => boolean;
  /** Resolves when received messages are handled. */
  readonly yieldToEventLoop: () => Promise<void>;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  /** Computes the placements that a file's problems need; false: no longer wanted. */
  readonly place: (uri: string, isWanted: () => boolean) => Promise<boolean>;
  /** Does work on a file. */
  readonly withNote: <T>(uri: string, work: () => T) => T;
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

  const findUntil = createFinding(world);

  /** Reports an exception as a bug and continues with other files. */
  const guarded =
    (publish: Publish): Publish =>
    (uri, until) => {
      try {
        return world.withNote(uri, () => publish(uri, until));
      } catch (error) {
        world.onBug(uri, error);
        return 'done';
      }
    };

  const publishQuick = guarded((uri, until) => {
    if (!world.isListed(uri)) {
      late.delete(uri);
      world.send(uri, []);
      return 'done';
    }
    if (findUntil(uri, 'quick', until) === 'more') return 'more';
    const problems = world.hasStarted() ? problemsOf.quick(uri) : problemsOf.own(uri);
    world.send(uri, problems);
    if (!world.analysis().asksScheduler(uri)) release(uri, problems);
    return 'done';
  });

  const publishWhole = guarded((uri, until) => {
    if (world.analysis().asksScheduler(uri) && findUntil(uri, 'whole', until) === 'more') return 'more';
    const problems = problemsOf.whole(uri);
    if (problems) world.send(uri, problems);
    release(uri, problems ?? []);
    return 'done';
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

/** Publishes a file's problems, unless that takes longer than until a time: then there is more to do in the next slice. */
type Publish = (uri: string, until: number) => 'done' | 'more';

/** Finds a file's problems, a step after the other. The steps go on in the next slice as long as the state is the same. */
function createFinding({ analysis, now }: Pick<PublishingWorld, 'analysis' | 'now'>) {
  let left:
    | { readonly uri: string; readonly pace: Pace; readonly of: Analysis; readonly steps: Steps<unknown> }
    | undefined;
  return (uri: string, pace: Pace, until: number): 'done' | 'more' => {
    const of = analysis();
    const isSame = left?.uri === uri && left.pace === pace && left.of === of;
    const steps = isSame && left ? left.steps : of.diagnosticsInSteps(uri, pace);
    left = undefined;
    do if (steps.next().done) return 'done';
    while (now() < until);
    left = { uri, pace, of, steps };
    return 'more';
  };
}

/** Files whose problems are to be published. */
interface Queued {
  readonly uris: Set<string>;
  readonly publish: Publish;
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
      if (publish(uri, until) === 'more') break;
      uris.delete(uri);
      if (now() > until) break;
    }
    await yieldToEventLoop();
  }
}
