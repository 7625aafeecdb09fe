import type { AnalysisHost } from '../analysis/analysis';
import { type Rendering, type RenderJob, type Run, render } from '../analysis/rendering';

/** What rendering needs of the outside. */
export interface RenderWorld {
  /** Starts one of the user's own tools; `cwd` is the uri of a folder. */
  readonly run: Run;
  readonly lookAt: (uri: string) => Promise<'file' | 'folder' | 'nothing'>;
}

export interface RenderingServing {
  /** Brings what is rendered in line with the kustomizations and charts that there are, and with the settings. */
  settle(): void;
  /** Files that changed on disk: the tools read those, not what stands in editors. */
  filesChanged(uris: readonly string[]): void;
  trust(trusted: 'trusted' | 'untrusted'): void;
}

export interface RenderingOptions {
  readonly host: AnalysisHost;
  readonly world: RenderWorld;
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
export function createRendering({ host, world, pause, onChange }: RenderingOptions): RenderingServing {
  const rendered = new Set<string>();
  const looked = new Set<string>();
  const state = { isTrusted: false, isRunning: false, changes: 0 };
  const running = new Map<string, AbortController>();

  const mayRender = (): boolean => state.isTrusted && host.analysis().settings.render === 'auto';
  const jobs = (): readonly RenderJob[] => (mayRender() ? host.analysis().renderJobs : []);

  function settle(): void {
    const present = new Set(jobs().map(it => it.source));
    const gone = [...rendered].filter(it => !present.has(it));
    for (const it of gone) rendered.delete(it);
    if (gone.length > 0) onChange(host.apply({ unrendered: gone }));
    for (const [source, abort] of running) if (!present.has(source)) abort.abort();
    if (state.isRunning || !isWanting()) return;
    state.isRunning = true;
    void work().finally(() => {
      state.isRunning = false;
    });
  }

  const nextJobs = (): readonly RenderJob[] => jobs().filter(it => !rendered.has(it.source));
  const placesToLookAt = (): readonly string[] => host.analysis().wantedPlaces.filter(it => !looked.has(it));
  const isWanting = (): boolean => nextJobs().length > 0 || placesToLookAt().length > 0;

  async function work(): Promise<void> {
    while (isWanting()) {
      const { changes } = state;
      await pause(REST_MILLISECONDS);
      if (changes !== state.changes) continue;
      await look();
      await renderSome(nextJobs().slice(0, BATCH));
    }
  }

  async function look(): Promise<void> {
    const wanted = placesToLookAt();
    if (wanted.length === 0) return;
    for (const it of wanted) looked.add(it);
    const places = await Promise.all(wanted.map(async uri => ({ uri, what: await world.lookAt(uri) })));
    onChange(host.apply({ places }));
  }

  async function renderSome(batch: readonly RenderJob[]): Promise<void> {
    const left = [...batch];
    const made: Rendering[] = [];
    const renderNext = async (): Promise<void> => {
      for (let job = left.shift(); job !== undefined; job = left.shift()) made.push(...(await renderOne(job)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, renderNext));
    if (made.length > 0) onChange(host.apply({ rendered: made }));
  }

  /** None when it was called off: then it is to be rendered again. */
  async function renderOne(job: RenderJob): Promise<readonly Rendering[]> {
    const abort = new AbortController();
    running.set(job.source, abort);
    rendered.add(job.source);
    const { capabilities } = host.analysis();
    const made = await render(job, world.run, { ...capabilities, signal: abort.signal });
    running.delete(job.source);
    if (!abort.signal.aborted) return [made];
    rendered.delete(job.source);
    return [];
  }

  return {
    settle,
    filesChanged(uris) {
      state.changes += 1;
      looked.clear();
      for (const job of host.analysis().renderJobs) {
        if (!uris.some(job.reads)) continue;
        rendered.delete(job.source);
        running.get(job.source)?.abort();
      }
      settle();
    },
    trust(trusted) {
      state.isTrusted = trusted === 'trusted';
      settle();
    },
  };
}
