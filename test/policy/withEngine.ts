import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { defaultSettings, type Settings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { createPolicyEngine, type EngineRequest, type PolicyEngine } from '../../server/src/policy/engine/engine';
import { engineWorld } from '../../server/src/policy/engine/process';
import { lineIndex } from '../../server/src/text/lineIndex';
import { readPack } from '../support/packs';

const root = resolve(import.meta.dirname, '../..');
const dist = join(root, 'dist');
const isBuilt = ['policyEngine.wasm.br', 'wasm_exec.js', 'policyProcess.js', 'policyWorker.js'].every(it =>
  existsSync(join(dist, it)),
);

/**
 * One process for all test files of this process: decompressing and compiling the program takes longer than most
 * tests.
 */
const world = { ...engineWorld(dist, () => undefined), release: () => undefined };

/** One thread for all of them, as its start and its first policy of each engine take longer than most tests, too. */
const shared = createPolicyEngine(world);

/** An engine for some tests, which have it back as it was. */
interface LentEngine {
  readonly engine: PolicyEngine;
  readonly giveBack: () => Promise<void>;
}

/** The shared thread. What a file has loaded into it is released at its end. */
function lent(): LentEngine {
  const loaded = new Map<number, number>();
  const call: PolicyEngine['call'] = async (request, limits) => {
    if (request.op === 'release') loaded.delete(request.handle as number);
    const answer = await shared.call(request, limits);
    const { handle } = answer as { readonly handle?: number };
    if (handle !== undefined) loaded.set(handle, shared.generation());
    return answer;
  };
  const giveBack = async (): Promise<void> => {
    for (const [handle, generation] of loaded)
      if (generation === shared.generation()) await shared.call({ op: 'release', handle });
  };
  return { engine: { ...shared, call, dispose: () => void giveBack() }, giveBack };
}

/** A thread of its own, in which nothing is loaded yet. */
function own(): LentEngine {
  const engine = createPolicyEngine(world);
  return { engine, giveBack: async () => engine.dispose() };
}

/** Tests with the real engine. They fail when it is not built: skipped tests would look like success. */
export const describeWithEngine = (name: string, tests: (engine: PolicyEngine) => void): void =>
  describeWith(lent, name, tests);

/** The same for tests that end the engine's thread, or leave it short of memory. */
export const describeWithOwnEngine = (name: string, tests: (engine: PolicyEngine) => void): void =>
  describeWith(own, name, tests);

function describeWith(lend: () => LentEngine, name: string, tests: (engine: PolicyEngine) => void): void {
  if (!isBuilt) {
    it(`${name}: the policy engine is built`, () => {
      throw new Error('There is no policy engine in dist/; `npm run build` makes it, and says so where it cannot.');
    });
    return;
  }
  describe(name, { timeout: 60_000 }, () => {
    const { engine, giveBack } = lend();
    afterAll(giveBack);
    tests(engine);
  });
}

/** The same engine; `calls` collects what it is asked. */
export function withCalls(engine: PolicyEngine): {
  readonly engine: PolicyEngine;
  readonly calls: readonly EngineRequest[];
} {
  const calls: EngineRequest[] = [];
  const call: PolicyEngine['call'] = (request, limits) => {
    calls.push(request);
    return engine.call(request, limits);
  };
  return { engine: { ...engine, call }, calls };
}

/** Operations that evaluate policies and may never end. */
const EVALUATIONS: ReadonlySet<string> = new Set(['checkConftest', 'reviewGatekeeper', 'verifyConftest']);

/**
 * The same engine with lower limits for policies: 0.3 s, some thirty times what a normal one takes, and then no time to
 * stop by themselves. `calls` collects the called operations.
 */
export function withShortLimits(engine: PolicyEngine): {
  readonly engine: PolicyEngine;
  readonly calls: readonly string[];
} {
  const calls: string[] = [];
  const call: PolicyEngine['call'] = (request, limits) => {
    calls.push(request.op);
    return engine.call(request, EVALUATIONS.has(request.op) ? { milliseconds: 300, grace: 0 } : limits);
  };
  return { engine: { ...engine, call }, calls };
}

/** The same engine with a number of steps for the Rego of Conftest; `steps` collects the numbers that were asked for. */
export function withSteps(
  engine: PolicyEngine,
  maxSteps: number,
): { readonly engine: PolicyEngine; readonly steps: readonly unknown[] } {
  const steps: unknown[] = [];
  const call: PolicyEngine['call'] = (request, limits) => {
    if (request.op !== 'checkConftest') return engine.call(request, limits);
    steps.push((request.limits as { readonly maxSteps?: number } | undefined)?.maxSteps);
    return engine.call({ ...request, limits: { maxSteps } }, limits);
  };
  return { engine: { ...engine, call }, steps };
}

export interface Evaluation {
  readonly host: AnalysisHost;
  /** `FILE:LINE:COLUMN «UNDERLINED» SEVERITY CODE MESSAGE`, in order; lines and columns from 1. */
  readonly reported: readonly string[];
}

/** The policy problems of some files, by path; `first` are the files that the user has open. */
export async function evaluated(
  engine: PolicyEngine,
  files: Readonly<Record<string, string>>,
  settings: Partial<Settings> = {},
  first: readonly string[] = [],
): Promise<Evaluation> {
  const bugs: unknown[] = [];
  const host = createAnalysisHost({
    readPack,
    onBug: (code, error) => bugs.push([code, error]),
    policyEngine: engine,
  });
  host.apply({
    settings: { ...defaultSettings, ...settings },
    files: Object.entries(files).map(([uri, text]) => ({ uri, text })),
  });
  await iterateToEnd(host.evaluatePolicies(first));
  if (bugs.length > 0) throw new Error(String(bugs[0]));
  return { host, reported: reportedBy(host) };
}

/** The API server's validation reports an expression of an admission policy that does not compile. */
const isCompileError = (message: string): boolean => message.includes(': compilation failed: ');

export function reportedBy(host: AnalysisHost): readonly string[] {
  const analysis = host.analysis();
  return analysis.uris.flatMap(uri => {
    const text = analysis.text(uri) ?? '';
    const lines = lineIndex(text);
    return analysis
      .diagnostics(uri)
      .filter(it => (it.category === 'policy' && !it.code.startsWith('security/')) || isCompileError(it.message))
      .map(it => {
        const { line, character } = lines.position(it.span.start);
        const underlined = text.slice(it.span.start, it.span.end).split('\n')[0];
        return `${uri}:${line + 1}:${character + 1} «${underlined}» ${it.severity} ${it.code} ${it.message}`;
      });
  });
}
