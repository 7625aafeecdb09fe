import type { AnalysisHost } from '../analysis/analysis';
import {
  findPathKinds,
  type PathKind,
  type Rendering,
  type RenderJob,
  type RenderTools,
  type RunTool,
  render,
} from '../analysis/rendering';
import type { FileReach } from './disk';

/** What rendering needs from outside. */
export interface RenderWorld {
  /** Starts one of the user's own tools; `cwd` is the uri of a folder. */
  readonly run: RunTool;
  /** What is at a uri within reach; undefined: outside of the reach. */
  readonly pathKind: (uri: string, reach: FileReach) => Promise<'file' | 'folder' | 'nothing' | undefined>;
  /** The text of a file within reach; undefined: there is none. */
  readonly readText: (uri: string, reach: FileReach) => Promise<string | undefined>;
}

export interface RenderingServing {
  /** Renders exactly the current kustomizations and charts, as the settings allow. */
  reconcile(): void;
  /** Files that changed on disk. The tools read these, not the texts in editors. */
  filesChanged(uris: readonly string[]): void;
  /** Other folders are open, so that other paths may be looked at. */
  reachChanged(): void;
  trust(trusted: 'trusted' | 'untrusted'): void;
}

export interface RenderingOptions {
  readonly host: Pick<AnalysisHost, 'analysis'>;
  readonly applyChange: AnalysisHost['apply'];
  readonly world: RenderWorld;
  /** Uris of the folders that are open. */
  readonly folders: () => readonly string[];
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Problems of these files may differ now. */
  readonly onChange: (uris: readonly string[]) => void;
}

/** So many paths are looked at before other messages are handled. */
const PATHS_AT_ONCE = 500;

/** Tools start after this pause without changes. */
const REST_MILLISECONDS = 400;

/**
 * The number of jobs per change of the analysis, because each change checks all files again: this part of those that were
 * rendered, within bounds.
 */
const BATCH = { part: 1 / 2, least: 16, most: 100 };
const PARALLEL_JOBS = 2;

/** Renders in the background, and only where the user trusts the workspace. */
export function createRendering({
  host,
  applyChange,
  world,
  folders,
  pause,
  onChange,
}: RenderingOptions): RenderingServing {
  // Only trusted workspaces are rendered, so that bases may be anywhere.
  const runs = createRuns(host, {
    run: world.run,
    pathKind: uri => world.pathKind(uri, 'anywhere'),
    readText: uri => world.readText(uri, 'anywhere'),
    linkOut: async () => undefined,
  });
  /** Sources with a rendering in the analysis, which may be outdated. */
  const applied = new Set<string>();
  const checkedPaths = new Set<string>();
  const state = { isTrusted: false, isRunning: false, changes: 0 };

  const mayRender = (): boolean => state.isTrusted && host.analysis().settings.render === 'auto';
  const jobs = (): readonly RenderJob[] => (mayRender() ? host.analysis().renderJobs : []);

  function reconcile(): void {
    const present = new Set(jobs().map(it => it.source));
    for (const it of [...runs.rendered.keys()].filter(it => !present.has(it))) runs.forget(it);
    const gone = [...applied].filter(it => !present.has(it));
    for (const it of gone) applied.delete(it);
    if (gone.length > 0) onChange(applyChange({ unrendered: gone }));
    if (state.isRunning || !hasWork()) return;
    state.isRunning = true;
    void work();
  }

  const nextJobs = (): readonly RenderJob[] => jobs().filter(it => !runs.rendered.has(it.source));
  const pathsToCheck = (): readonly string[] => {
    const { wantedPaths } = host.analysis();
    const unchecked = wantedPaths.filter(it => !checkedPaths.has(it));
    // The analysis gives up what it was told of a path that it no longer asks about.
    if (checkedPaths.size > wantedPaths.length - unchecked.length) {
      const wanted = new Set(wantedPaths);
      for (const it of checkedPaths) if (!wanted.has(it)) checkedPaths.delete(it);
    }
    return unchecked;
  };
  const hasWork = (): boolean => nextJobs().length > 0 || pathsToCheck().length > 0;

  /** Ends in the turn in which nothing is left: whatever comes up after that begins again. */
  async function work(): Promise<void> {
    try {
      while (hasWork()) await renderNext();
    } finally {
      state.isRunning = false;
    }
  }

  async function renderNext(): Promise<void> {
    const { changes } = state;
    await pause(REST_MILLISECONDS);
    if (changes !== state.changes) return;
    await checkPaths();
    const size = Math.min(BATCH.most, Math.max(BATCH.least, Math.floor(applied.size * BATCH.part)));
    const finished = await runs.render(nextJobs().slice(0, size), () => changes === state.changes);
    // A job that was forgotten meanwhile is no longer wanted, or outdated.
    const made = finished.filter(({ job }) => runs.rendered.has(job.source));
    for (const { job } of made) applied.add(job.source);
    if (made.length > 0) onChange(applyChange({ rendered: made }));
  }

  async function checkPaths(): Promise<void> {
    const wanted = pathsToCheck();
    if (wanted.length === 0) return;
    for (const it of wanted) checkedPaths.add(it);
    const reach = state.isTrusted ? 'anywhere' : folders();
    const pathKinds: PathKind[] = [];
    for (let i = 0; i < wanted.length; i += PATHS_AT_ONCE) {
      pathKinds.push(...(await findPathKinds(wanted.slice(i, i + PATHS_AT_ONCE), uri => world.pathKind(uri, reach))));
      await pause(0);
    }
    onChange(applyChange({ pathKinds }));
  }

  return {
    reconcile,
    filesChanged(uris) {
      state.changes += 1;
      checkedPaths.clear();
      // A file that is gone was read by the job that was run, and no longer by the one that is to be run.
      for (const job of [...runs.rendered.values(), ...host.analysis().renderJobs]) {
        if (uris.some(job.reads)) runs.forget(job.source);
      }
      reconcile();
    },
    reachChanged() {
      checkedPaths.clear();
      reconcile();
    },
    trust(trusted) {
      if (state.isTrusted !== (trusted === 'trusted')) checkedPaths.clear();
      state.isTrusted = trusted === 'trusted';
      reconcile();
    },
  };
}

/** Runs of the user's tools, by what they render. */
interface Runs {
  /** What is rendered or being rendered, by source. */
  readonly rendered: ReadonlyMap<string, RenderJob>;
  /** Cancels a running job and marks its source as not rendered. */
  forget(source: string): void;
  /** The results of the jobs that were not cancelled. Begins no further ones once they are not wanted. */
  render(batch: readonly RenderJob[], isWanted: () => boolean): Promise<readonly Rendering[]>;
}

function createRuns(host: Pick<AnalysisHost, 'analysis'>, tools: RenderTools): Runs {
  const rendered = new Map<string, RenderJob>();
  const running = new Map<string, AbortController>();

  async function renderOne(job: RenderJob): Promise<readonly Rendering[]> {
    const abort = new AbortController();
    running.set(job.source, abort);
    rendered.set(job.source, job);
    const { capabilities } = host.analysis();
    const made = await render(job, tools, { ...capabilities, signal: abort.signal });
    running.delete(job.source);
    if (!abort.signal.aborted) return [made];
    rendered.delete(job.source);
    return [];
  }

  return {
    rendered,
    forget(source) {
      rendered.delete(source);
      running.get(source)?.abort();
    },
    async render(batch, isWanted) {
      const left = [...batch];
      const made: Rendering[] = [];
      const renderNext = async (): Promise<void> => {
        for (let job = left.shift(); job !== undefined && isWanted(); job = left.shift())
          made.push(...(await renderOne(job)));
      };
      await Promise.all(Array.from({ length: PARALLEL_JOBS }, renderNext));
      return made;
    },
  };
}
