import fc from 'fast-check';
import type { TextFile } from '../corpus';
import type { Findings } from '../findings';
import { type Random, randomFrom } from '../random';
import { type Driver, type Problems, startDriver } from './driver';
import { growth, type MemorySample, mib } from './growth';
import type { Backend, Memory } from './server';
import { nextSteps } from './steps';
import { type Step, type World, worldOf } from './world';

export interface SessionOptions {
  readonly backend: Backend;
  /** The name of the target, for findings. */
  readonly target: string;
  readonly files: readonly TextFile[];
  readonly seed: number;
  /** The end of the run, in milliseconds; edits, if that many are enough. */
  readonly until: number;
  readonly edits: number;
  /** Number of edits between two comparisons. */
  readonly compareEvery: number;
  readonly findings: Findings;
  readonly say: (line: string) => void;
}

export interface SessionTally {
  readonly edits: number;
  readonly steps: number;
  readonly comparisons: number;
  readonly mismatches: number;
  readonly servers: number;
  readonly memory: readonly MemorySample[];
}

const SHRINKING_MILLISECONDS = 180_000;

/** Sessions with random edits. Each continues until a finding; the next one starts from its state. */
export async function runSessions(options: SessionOptions): Promise<SessionTally> {
  const { seed, backend, files } = options;
  const random = randomFrom(seed);
  const world = worldOf(files, random() < 0.7);
  const originals = world.disk;
  backend.fill(world.disk);
  const tally = {
    edits: 0,
    steps: 0,
    comparisons: 0,
    mismatches: 0,
    servers: 0,
    memory: [] as MemorySample[],
  };
  let now = world;
  while (tally.edits < options.edits && performance.now() < options.until) {
    tally.servers += 1;
    now = await session(now, { ...options, random, originals, tally });
  }
  return tally;
}

interface Running extends SessionOptions {
  readonly random: Random;
  readonly originals: ReadonlyMap<string, string>;
  readonly tally: {
    edits: number;
    steps: number;
    comparisons: number;
    mismatches: number;
    memory: MemorySample[];
  };
}

/** Runs one server until it fails. Returns the world at that time. */
async function session(world: World, running: Running): Promise<World> {
  const { random, originals, tally, backend, findings, say } = running;
  const failures: string[] = [];
  const driver = await startDriver(world, backend, it => failures.push(it));
  const kept = { from: world, steps: [] as Step[] };
  const before = tally.memory.length;
  let last = tally.edits;
  try {
    while (tally.edits < running.edits && performance.now() < running.until) {
      for (const step of nextSteps(random, driver.world(), originals)) {
        await driver.step(step);
        kept.steps.push(step);
        tally.steps += 1;
        if (step.do === 'edit') tally.edits += 1;
      }
      if (failures.length > 0) {
        const fatal = await reported(failures.splice(0), kept, running);
        if (fatal) return driver.world();
      }
      if (tally.edits - last < running.compareEvery) continue;
      last = tally.edits;
      const { different, fresh } = await compared(driver, backend, failures);
      tally.comparisons += 1;
      if (failures.length > 0 && (await reported(failures.splice(0), kept, running))) return driver.world();
      if (different !== undefined) {
        tally.mismatches += 1;
        await mismatched(different, kept, running);
        return driver.world();
      }
      const memory = await driver.memory();
      if (memory !== undefined && fresh !== undefined)
        tally.memory.push({ ...memory, edits: tally.edits, fresh: fresh.heapUsed });
      if (tally.comparisons % 5 === 0) say(progressOf(tally, memory, fresh));
      Object.assign(kept, { from: driver.world(), steps: [] });
    }
    const grown = growth(tally.memory.slice(before));
    if (grown !== undefined)
      findings.add({ target: running.target, seed: running.seed, what: grown, input: writable(kept) });
    return driver.world();
  } catch (error) {
    findings.add({
      target: running.target,
      seed: running.seed,
      what: `the session failed: ${error instanceof Error ? error.stack : error}`,
      input: writable(kept),
    });
    return driver.world();
  } finally {
    await driver.close();
  }
}

function progressOf(
  { edits, comparisons, mismatches }: Running['tally'],
  memory: Memory | undefined,
  fresh: Memory | undefined,
): string {
  const counts = `${edits} edits, ${comparisons} comparisons, ${mismatches} mismatches`;
  if (memory === undefined || fresh === undefined) return counts;
  const heaps = `heap ${mib(memory.heapUsed)}, of a fresh server ${mib(fresh.heapUsed)}`;
  return `${counts}; ${heaps}, resident ${mib(memory.rss)} MiB`;
}

/** Writes failures; returns whether the server is gone. */
async function reported(failures: readonly string[], kept: Kept, running: Running): Promise<boolean> {
  for (const what of failures)
    running.findings.add({ target: running.target, seed: running.seed, what, input: writable(kept) });
  return failures.some(it => it.startsWith('the server ended'));
}

interface Kept {
  readonly from: World;
  readonly steps: readonly Step[];
}

interface Comparison {
  /** The problems that only one of a server and a fresh one has; undefined when there are none. */
  readonly different: string | undefined;
  /** The memory of the fresh server. */
  readonly fresh: Memory | undefined;
}

async function compared(driver: Driver, backend: Backend, failures: string[]): Promise<Comparison> {
  const first = await comparedOnce(driver, backend, failures);
  if (first.different === undefined) return first;
  // A server that was slow to become idle is compared again, with another fresh one.
  await new Promise(resolve => setTimeout(resolve, 2_000));
  return comparedOnce(driver, backend, failures);
}

async function comparedOnce(driver: Driver, backend: Backend, failures: string[]): Promise<Comparison> {
  const problems = await driver.problems();
  const fresh = await startDriver(driver.world(), backend, it => failures.push(`fresh server: ${it}`));
  try {
    return { different: differences(problems, await fresh.problems()), fresh: await fresh.memory() };
  } finally {
    await fresh.close();
  }
}

/** The differences between two servers, in words. */
export function differences(kept: Problems, fresh: Problems): string | undefined {
  const lines = [...new Set([...kept.keys(), ...fresh.keys()])].sort().flatMap(path => {
    const [mine, theirs] = [kept.get(path) ?? [], fresh.get(path) ?? []];
    const count = (all: readonly string[], it: string): number => all.filter(other => other === it).length;
    const only = (all: readonly string[], others: readonly string[], word: string) =>
      [...new Set(all)].filter(it => count(all, it) > count(others, it)).map(it => `${word} ${path} ${it}`);
    return [...only(mine, theirs, '  kept '), ...only(theirs, mine, '  fresh')];
  });
  return lines.length === 0 ? undefined : `the server and a fresh one differ:\n${lines.join('\n')}`;
}

/** Reduces the steps that lead to a mismatch, and writes them. */
async function mismatched(what: string, kept: Kept, running: Running): Promise<void> {
  const { findings, seed, say } = running;
  const [, line = ''] = what.split('\n');
  say(`a mismatch, which is being made smaller: ${line.slice(0, 300)}`);
  const shrunk = await shrunkSteps(kept, running);
  const input = writable({ from: kept.from, steps: shrunk?.steps ?? kept.steps });
  const how = shrunk === undefined ? ' (not seen again when the steps since the last comparison were repeated)' : '';
  findings.add({ target: running.target, seed, what: `${(shrunk?.what ?? what).replace(':\n', `${how}: `)}`, input });
}

/** Fewer steps after which the servers still differ; undefined when repeating the steps shows no difference. */
async function shrunkSteps(
  { from, steps }: Kept,
  running: Running,
): Promise<{ readonly steps: readonly Step[]; readonly what: string } | undefined> {
  const wanted = steps.filter(it => it.do !== 'ask');
  const backend = running.backend.another();
  const found: { steps?: readonly Step[]; what?: string } = {};
  let last: Promise<string | undefined> = Promise.resolve(undefined);
  const property = fc.asyncProperty(fc.subarray([...wanted]), async some => {
    last = differenceAfter(from, some, backend);
    const what = await last;
    if (what === undefined) return true;
    Object.assign(found, { steps: some, what });
    return false;
  });
  await fc.check(property, {
    numRuns: 1,
    examples: [[[...wanted]]],
    interruptAfterTimeLimit: SHRINKING_MILLISECONDS,
    markInterruptAsFailure: false,
  });
  // An attempt that is running when the time is over continues, and needs its disk.
  await last.catch(() => undefined);
  backend.close();
  const { steps: fewer, what } = found;
  return fewer === undefined || what === undefined ? undefined : { steps: fewer, what };
}

/** How a server differs from a fresh one after the steps. */
export async function differenceAfter(
  from: World,
  steps: readonly Step[],
  backend: Backend,
): Promise<string | undefined> {
  backend.fill(from.disk);
  const failures: string[] = [];
  const driver = await startDriver(from, backend, it => failures.push(it));
  try {
    await driver.problems();
    for (const it of steps) await driver.step(it);
    const { different } = await compared(driver, backend, failures);
    return failures[0] ?? different;
  } finally {
    await driver.close();
  }
}

/** A world and its steps as JSON, and back. */
export const writable = ({ from, steps }: Kept) => ({
  disk: Object.fromEntries(from.disk),
  open: Object.fromEntries(from.open),
  settings: from.settings,
  isTrusted: from.isTrusted,
  steps,
});

export type WrittenSession = ReturnType<typeof writable>;

export const readKept = ({ disk, open, settings, isTrusted, steps }: WrittenSession): Kept => ({
  from: {
    disk: new Map(Object.entries(disk)),
    open: new Map(Object.entries(open)),
    past: new Map(),
    settings,
    isTrusted,
  },
  steps,
});
