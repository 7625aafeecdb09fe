import type { AnalysisHost } from '../analysis/analysis';
import {
  findPathKinds,
  type Rendering,
  type RenderJob,
  type RenderTools,
  type RunTool,
  render,
} from '../analysis/rendering';
import type { FileReach } from './disk';

/** What rendering needs of the outside. */
export interface RenderWorld {
  /** Starts one of the user's own tools; `cwd` is the uri of a folder. */
  readonly run: RunTool;
  /** What stands at a uri within reach; undefined where nobody may look. */
  readonly lookAt: (uri: string, reach: FileReach) => Promise<'file' | 'folder' | 'nothing' | undefined>;
  /** The text of a file within reach; undefined where there is none. */
  readonly readText: (uri: string, reach: FileReach) => Promise<string | undefined>;
}

export interface RenderingServing {
  /** Brings what is rendered in line with the kustomizations and charts that there are, and with the settings. */
  reconcile(): void;
  /** Files that changed on disk: the tools read those, not what stands in editors. */
  filesChanged(uris: readonly string[]): void;
  trust(trusted: 'trusted' | 'untrusted'): void;
}

export interface RenderingOptions {
  readonly host: Pick<AnalysisHost, 'analysis'>;
  readonly applyChange: AnalysisHost['apply'];
  readonly world: RenderWorld;
  /** Uris of the folders that are open. */
  readonly folders: () => readonly string[];
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Something else is known of these files than before. */
  readonly onChange: (uris: readonly string[]) => void;
}

/** So long nothing changes before a tool is started. */
const REST_MILLISECONDS = 400;

/** So many things are rendered before what came of them is shown: each time all files are looked at anew. */
const BATCH = 16;
const AT_ONCE = 2;

/** Renders in the background, and only where the user trusts the workspace. */
export function createRendering({
  host,
  applyChange,
  world,
  folders,
  pause,
  onChange,
}: RenderingOptions): RenderingServing {
  // Nothing is rendered where the workspace is not trusted, so that bases may lie anywhere.
  const runs = createRuns(host, {
    run: world.run,
    lookAt: uri => world.lookAt(uri, 'anywhere'),
    readText: uri => world.readText(uri, 'anywhere'),
    linkOut: async () => undefined,
  });
  /** What the analysis has a rendering of, though a newer one may be wanted. */
  const applied = new Set<string>();
  const looked = new Set<string>();
  const state = { isTrusted: false, isRunning: false, changes: 0 };

  const mayRender = (): boolean => state.isTrusted && host.analysis().settings.render === 'auto';
  const jobs = (): readonly RenderJob[] => (mayRender() ? host.analysis().renderJobs : []);

  function settle(): void {
    const present = new Set(jobs().map(it => it.source));
    for (const it of [...runs.rendered].filter(it => !present.has(it))) runs.forget(it);
    const gone = [...applied].filter(it => !present.has(it));
    for (const it of gone) applied.delete(it);
    if (gone.length > 0) onChange(applyChange({ unrendered: gone }));
    if (state.isRunning || !isWanting()) return;
    state.isRunning = true;
    void work().finally(() => {
      state.isRunning = false;
    });
  }

  const nextJobs = (): readonly RenderJob[] => jobs().filter(it => !runs.rendered.has(it.source));
  const placesToLookAt = (): readonly string[] => host.analysis().wantedPaths.filter(it => !looked.has(it));
  const isWanting = (): boolean => nextJobs().length > 0 || placesToLookAt().length > 0;

  async function work(): Promise<void> {
    while (isWanting()) {
      const { changes } = state;
      await pause(REST_MILLISECONDS);
      if (changes !== state.changes) continue;
      await look();
      const finished = await runs.render(nextJobs().slice(0, BATCH));
      // One that was forgotten while the others of its batch ran is not wanted any more, or not wanted so.
      const made = finished.filter(({ job }) => runs.rendered.has(job.source));
      for (const { job } of made) applied.add(job.source);
      if (made.length > 0) onChange(applyChange({ rendered: made }));
    }
  }

  async function look(): Promise<void> {
    const wanted = placesToLookAt();
    if (wanted.length === 0) return;
    for (const it of wanted) looked.add(it);
    const reach = state.isTrusted ? 'anywhere' : folders();
    onChange(applyChange({ pathKinds: await findPathKinds(wanted, uri => world.lookAt(uri, reach)) }));
  }

  return {
    reconcile: settle,
    filesChanged(uris) {
      state.changes += 1;
      looked.clear();
      for (const job of host.analysis().renderJobs) {
        if (uris.some(job.reads)) runs.forget(job.source);
      }
      settle();
    },
    trust(trusted) {
      if (state.isTrusted !== (trusted === 'trusted')) looked.clear();
      state.isTrusted = trusted === 'trusted';
      settle();
    },
  };
}

/** Runs of the user's tools, by what they render. */
interface Runs {
  /** What is rendered or being rendered. */
  readonly rendered: ReadonlySet<string>;
  /** Calls off what is running: it is to be rendered again. */
  forget(source: string): void;
  /** What came of those that were not called off. */
  render(batch: readonly RenderJob[]): Promise<readonly Rendering[]>;
}

function createRuns(host: Pick<AnalysisHost, 'analysis'>, tools: RenderTools): Runs {
  const rendered = new Set<string>();
  const running = new Map<string, AbortController>();

  async function renderOne(job: RenderJob): Promise<readonly Rendering[]> {
    const abort = new AbortController();
    running.set(job.source, abort);
    rendered.add(job.source);
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
    async render(batch) {
      const left = [...batch];
      const made: Rendering[] = [];
      const renderNext = async (): Promise<void> => {
        for (let job = left.shift(); job !== undefined; job = left.shift()) made.push(...(await renderOne(job)));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, renderNext));
      return made;
    },
  };
}
