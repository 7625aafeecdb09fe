import type { WorkspaceObject } from '../../workspace/workspace';
import { type CallLimits, type PolicyEngine, PolicyStopped } from '../engine/engine';
import { type Loaded, loadedIn } from '../engine/loaded';
import type { PolicyFileProblem } from '../policySet';
import { type RegoError, sentenceOf, spanOfRegoError } from '../regoText';
import type { PolicyResult } from '../result';
import { type ConftestFolder, dataOf, pathIn } from './folders';
import { type ConftestResult, lineSpan, policyName, type RegoRule, resultsOfDocument, ruleNamed } from './judge';

/** OPA counts steps, so that a runaway is cut off at the same place each time; these take about a second. */
const MAX_STEPS = 300_000;
const LIMITS: CallLimits = { milliseconds: 10_000, grace: 500 };

export type RegoVersion = 'v0' | 'v1';

interface CompileAnswer {
  readonly handle?: number;
  readonly rules?: readonly RegoRule[] | null;
  readonly errors?: readonly RegoError[];
}

/** The Rego of one folder in the engine, with what became known of it. */
export interface Program {
  readonly folder: ConftestFolder;
  /** Compiles; problems of the Rego are told at their places. */
  compile(): Promise<readonly PolicyFileProblem[]>;
  /** What the rules say of each object, in the order given; nothing when the program does not compile or was stopped. */
  ask(objects: readonly WorkspaceObject[]): Promise<readonly (readonly PolicyResult[])[]>;
  /** Failures of rules while objects were judged. */
  late(): readonly PolicyFileProblem[];
  release(): void;
}

export function programOf(folder: ConftestFolder, engine: PolicyEngine): Program {
  const loaded: Loaded = loadedIn(engine);
  const state = {
    version: 'v1' as RegoVersion,
    rules: [] as readonly RegoRule[],
    isAsked: false,
    compiled: undefined as Promise<readonly PolicyFileProblem[]> | undefined,
  };
  const late = new Map<string, PolicyFileProblem>();
  const compileIn = (version: RegoVersion) => ({
    op: 'compileRego',
    modules: Object.fromEntries(folder.modules),
    data: dataOf(folder),
    regoVersion: version,
  });

  function failed(error: RegoError & { readonly rule?: string }, namespace: string): void {
    const rule = error.rule === undefined ? undefined : ruleNamed(namespace, error.rule, state.rules);
    const uri = error.location?.file ?? rule?.file ?? [...folder.modules.keys()][0] ?? '';
    const text = folder.modules.get(uri) ?? '';
    const span = error.location ? spanOfRegoError(text, error) : lineSpan(text, rule?.row ?? 1);
    const name = policyName(namespace, error.rule ?? 'rego');
    late.set(`${name} ${error.code}`, {
      uri,
      code: `conftest/${name}`,
      severity: 'error',
      message: sentenceOf(error),
      span,
    });
    // Where Conftest ends its run there is nothing more to ask.
    state.isAsked = false;
  }

  async function compileNow(): Promise<readonly PolicyFileProblem[]> {
    const answer = (await engine.call(compileIn('v1'))) as CompileAnswer;
    const isOld = answer.errors?.some(it => it.code === 'rego_parse_error') === true;
    const old = isOld ? ((await engine.call(compileIn('v0'))) as CompileAnswer) : undefined;
    const good = old?.handle === undefined ? answer : old;
    state.version = good === old ? 'v0' : 'v1';
    state.isAsked = good.handle !== undefined;
    state.rules = good.rules ?? [];
    if (good.handle !== undefined) await engine.call({ op: 'release', handle: good.handle });
    const problems = (answer.errors ?? []).map(it => regoProblem(it, folder.modules));
    return good === old ? problems.slice(0, 1).map(asOldRego) : problems;
  }

  /** Once, whoever asks first. */
  function compile(): Promise<readonly PolicyFileProblem[]> {
    state.compiled ??= compileNow();
    return state.compiled;
  }

  return {
    folder,
    compile,
    async ask(objects) {
      await compile();
      if (!state.isAsked) return objects.map(() => []);
      try {
        const { answer } = await loaded.get(() => compileIn(state.version));
        const files = objects.map((it, i) => ({
          path: `${i}/${pathIn(folder.root, it.manifest.uri) ?? ''}`,
          documents: [it.manifest.value],
        }));
        const limits = { maxSteps: MAX_STEPS };
        const request = { op: 'checkConftest', handle: answer.handle, namespaces: folder.namespaces, files, limits };
        const { results } = (await engine.call(request, LIMITS)) as { readonly results: readonly ConftestResult[] };
        for (const { errors = [], namespace } of results) for (const it of errors) failed(it, namespace);
        return objects.map((object, i) =>
          results
            .filter(it => it.path.startsWith(`${i}/`))
            .flatMap(it => resultsOfDocument(object, it, state.rules, folder.modules)),
        );
      } catch (error) {
        if (!(error instanceof PolicyStopped)) throw error;
        failed({ code: 'stopped', message: `${error.message}; the Rego here is no longer asked` }, 'main');
        return objects.map(() => []);
      }
    },
    late: () => [...late.values()],
    release: () => loaded.release(),
  };
}

function regoProblem(error: RegoError, modules: ReadonlyMap<string, string>): PolicyFileProblem {
  const uri = error.location?.file ?? [...modules.keys()][0] ?? '';
  const span = spanOfRegoError(modules.get(uri) ?? '', error);
  const own = /^undefined function (parse_config|parse_config_file|parse_combined_config_files)$/.exec(
    error.message,
  )?.[1];
  if (own !== undefined) {
    const message = `${own} is a function of Conftest that reads files. Berth has none for policies, so the Rego of this folder is not asked.`;
    return { uri, code: 'conftest/reads-files', severity: 'info', message, span };
  }
  return { uri, code: `conftest/${error.code}`, severity: 'error', message: sentenceOf(error), span };
}

const asOldRego = (problem: PolicyFileProblem): PolicyFileProblem => ({
  ...problem,
  code: 'conftest/rego-v0',
  severity: 'info',
  message: 'This is Rego v0. Conftest takes v1 since 0.60; say `import rego.v1`, or run it with --rego-version v0.',
});
