import type { Analysis } from '../analysis/analysis';
import { movedProblems, shownProblems } from '../analysis/shown';
import type { Problem } from '../rules/problem';

/** How long one turn of background work may hold the loop. */
const TURN_MILLISECONDS = 10;

/** So long nobody types before the scheduler is asked. */
const REST_MILLISECONDS = 250;

export interface PublishingWorld {
  readonly analysis: () => Analysis;
  readonly isOpen: (uri: string) => boolean;
  /** Resolves when the messages that have come in are handled. */
  readonly breathe: () => Promise<void>;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Places what a file's problems will ask for; false: nobody wants it any more. */
  readonly placed: (uri: string, isWanted: () => boolean) => Promise<boolean>;
  readonly send: (uri: string, problems: readonly Problem[]) => void;
}

/** What the scheduler said of a text, to be shown on until it is asked anew. */
interface Said {
  readonly text: string;
  readonly problems: readonly Problem[];
}

/**
 * Publishes problems in turns: first what is quick to find, for all files; what the scheduler has to be asked for later,
 * once nothing has changed for a while. Returns the function that queues files, those that a person waits for first.
 */
export function createPublishing(world: PublishingWorld): (uris: readonly string[]) => void {
  const pending = new Set<string>();
  const late = new Set<string>();
  const said = new Map<string, Said>();
  const state = { isRunning: false, changes: 0 };

  return uris => {
    state.changes += 1;
    const ordered = [...uris.filter(world.isOpen), ...pending, ...uris];
    pending.clear();
    for (const uri of ordered) {
      pending.add(uri);
      late.add(uri);
    }
    if (state.isRunning) return;
    state.isRunning = true;
    void run();
  };

  async function run(): Promise<void> {
    await world.breathe();
    await inTurns(pending, publishQuick, () => true);
    state.isRunning = false;
    await askScheduler(state.changes);
  }

  /** Gives up when something changes: what is newer asks for itself. */
  async function askScheduler(changes: number): Promise<void> {
    const isLatest = (): boolean => changes === state.changes;
    if ([...late].some(it => world.analysis().asksScheduler(it))) await world.pause(REST_MILLISECONDS);
    await inTurns(
      late,
      publishWhole,
      isLatest,
      async it => !world.analysis().asksScheduler(it) || world.placed(it, isLatest),
    );
  }

  /** Whatever takes long is made `ready` in turns of its own. */
  async function inTurns(
    uris: Set<string>,
    publish: (uri: string) => void,
    goesOn: () => boolean,
    ready?: (uri: string) => Promise<boolean>,
  ): Promise<void> {
    while (uris.size > 0 && goesOn()) {
      const until = performance.now() + TURN_MILLISECONDS;
      for (const uri of uris) {
        if (ready && !((await ready(uri)) && goesOn())) return;
        uris.delete(uri);
        publish(uri);
        if (performance.now() > until) break;
      }
      await world.breathe();
    }
  }

  function publishQuick(uri: string): void {
    const quick = world.analysis().quickDiagnostics(uri);
    world.send(uri, shownProblems([...quick, ...kept(uri, quick)]));
  }

  function publishWhole(uri: string): void {
    const analysis = world.analysis();
    const text = analysis.text(uri);
    if (text === undefined || !analysis.asksScheduler(uri)) {
      if (said.delete(uri)) publishQuick(uri);
      return;
    }
    const whole = analysis.diagnostics(uri);
    const quick = new Set(analysis.quickDiagnostics(uri).map(placeOf));
    said.set(uri, { text, problems: whole.filter(it => !quick.has(placeOf(it))) });
    world.send(uri, shownProblems(whole));
  }

  /** What the scheduler said last, where the text that it spoke of still stands. */
  function kept(uri: string, quick: readonly Problem[]): readonly Problem[] {
    const text = world.analysis().text(uri);
    const last = said.get(uri);
    if (text === undefined || last === undefined) return [];
    const told = new Set(quick.map(placeOf));
    const shown = movedProblems(last.problems, last.text, text);
    said.set(uri, { text, problems: shown });
    return shown.filter(it => !told.has(placeOf(it)));
  }
}

const placeOf = ({ code, span }: Problem): string => `${code} ${span.start} ${span.end}`;
