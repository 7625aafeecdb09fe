import type { Snapshot } from '../../workspace/workspace';
import { type CallLimits, type PolicyEngine, PolicyStopped } from '../engine/engine';
import { kept } from '../engine/kept';
import { type Loaded, loadedIn } from '../engine/loaded';
import { withoutRunaways } from '../engine/runaway';
import type { PolicyFileProblem } from '../policySet';
import { sentenceOf } from '../regoText';
import {
  type CompileAnswer,
  compileRequest,
  inSomeVersion,
  oldRegoProblem,
  problemOf,
  type Question,
  rulesOf,
  urisOf,
} from './compile';
import type { ConftestFolder } from './folders';
import {
  type ConftestResult,
  endsRule,
  type Judged,
  lineSpan,
  PARSER_ERROR,
  placedError,
  policyName,
  type RuleError,
  ruleNamed,
} from './judge';
import { askWithFiles, readableIn, readingCall } from './regoFiles';
import type { RegoVersion } from './settings';

/** OPA counts steps, so that a runaway is cut off at the same place each time; these take about a second. */
const MAX_STEPS = 300_000;
const LIMITS: CallLimits = { milliseconds: 10_000, grace: 500 };

/** A file as the engine is asked about it. */
export interface AskedFile {
  /** Comes back with what is said of it. */
  readonly id: string;
  readonly path: string;
  readonly documents: readonly unknown[];
}

/** The Rego of one folder in the engine, with what became known of it. */
export interface Program {
  readonly folder: ConftestFolder;
  /** Compiles; problems of the Rego are told at their places. */
  compile(): Promise<readonly PolicyFileProblem[]>;
  /** What the rules say of each file, or of all of them together; nothing when the program does not compile. */
  ask(files: readonly AskedFile[], about: 'each' | 'all'): Promise<readonly ConftestResult[]>;
  /** What results are told with, once something was asked. */
  judged(): Judged;
  /** Failures of rules while objects were judged. */
  late(): readonly PolicyFileProblem[];
  release(): void;
}

interface CheckAnswer {
  readonly results: readonly ConftestResult[];
  readonly wanted?: readonly string[] | null;
}

export function programOf(folder: ConftestFolder, snapshot: Snapshot, engine: PolicyEngine): Program {
  const loaded: Loaded = loadedIn(engine);
  const state = {
    version: 'v1' as RegoVersion,
    answer: undefined as CompileAnswer | undefined,
    judged: { settings: folder.settings, rules: [], modules: folder.modules, uriOf: urisOf(folder) } as Judged,
  };
  /** Rules that failed or were stopped; they are asked no more. */
  const failed = new Set<Question>();
  const late = new Map<string, PolicyFileProblem>();
  const load = async (version: RegoVersion): Promise<CompileAnswer> => {
    const request = () => ({ op: 'compileConftest', ...compileRequest(folder, version) });
    const { answer }: { readonly answer: unknown } = await loaded.get(request);
    return answer as CompileAnswer;
  };

  function tell(problem: PolicyFileProblem): void {
    late.set(JSON.stringify([problem.code, problem.span, problem.message]), problem);
  }

  async function compileNow(): Promise<readonly PolicyFileProblem[]> {
    const problems = folder.config?.problems ?? [];
    if (folder.modules.size === 0) return [...problems, ...noRego(folder)];
    const { version, answer, inNewer } = await inSomeVersion(folder, it => {
      loaded.outdate();
      return load(it);
    });
    state.version = version;
    if ((answer.errors ?? []).length === 0) state.answer = answer;
    state.judged = { ...state.judged, rules: rulesOf(folder, answer) };
    return [
      ...problems,
      ...(answer.errors ?? []).map(it => problemOf(folder, it)),
      ...(inNewer === undefined ? [] : oldRegoProblem(folder, inNewer)),
    ];
  }

  const compile = kept(() =>
    compileNow().catch((error: unknown) => {
      if (error instanceof PolicyStopped) return [notCompiled(folder, error)];
      throw error;
    }),
  );

  const questions = (): readonly Question[] => (state.answer?.questions ?? []).filter(it => !failed.has(it));

  function missing(path: string): void {
    const call = readingCall(folder.modules);
    if (call === undefined) return;
    const message = `Policies read no files but the YAML and JSON of the workspace, and ${path} is none of them: for Rego there is no such file.`;
    tell({ ...call, code: 'conftest/reads-files', severity: 'info', message });
  }

  const readable = readableIn(snapshot.files);

  async function attempt(some: readonly Question[], about: object): Promise<readonly ConftestResult[]> {
    if (some.length === 0) return [];
    const { results } = await askWithFiles(readable, missing, async files => {
      const { handle } = await load(state.version);
      const limits = { maxSteps: MAX_STEPS };
      const request = { op: 'checkConftest', handle, questions: some, readable: files, limits, ...about };
      return (await engine.call(request, LIMITS)) as CheckAnswer;
    });
    const isCalledOff = results.some(it => it.errors?.some(error => error.message === CALLED_OFF));
    if (isCalledOff) throw new PolicyStopped(`it took longer than ${LIMITS.milliseconds} ms`);
    return results;
  }

  function fail({ namespace }: ConftestResult, error: RuleError): void {
    const question = questions().find(it => it.namespace === namespace && it.rule === error.rule);
    if (question !== undefined) failed.add(question);
    const { policy: name, source } = placedError(namespace, error, state.judged);
    const message = error.code === PARSER_ERROR ? `${error.message}. The rule is not asked.` : sentenceOf(error);
    const severity = error.code === PARSER_ERROR ? 'info' : 'error';
    tell({ ...source, code: `conftest/${name}`, severity, message });
  }

  return {
    folder,
    compile,
    async ask(files, about) {
      await compile();
      const request = { files, combine: about === 'all' };
      const results = await withoutRunaways(
        questions(),
        some => attempt(some, request),
        (question, { message }) => {
          failed.add(question);
          tell(stoppedProblem(question, message, state.judged));
        },
      );
      for (const result of results) for (const it of result.errors ?? []) if (endsRule(it)) fail(result, it);
      return results;
    },
    judged: () => state.judged,
    late: () => [...late.values()],
    release: () => loaded.release(),
  };
}

/** What the engine says where the host has asked it to stop. */
const CALLED_OFF = 'the evaluation was cancelled';

/** Rego that takes too long to compile is not compiled again until it changes. */
function notCompiled({ modules }: ConftestFolder, { message }: PolicyStopped): PolicyFileProblem {
  const [uri = ''] = modules.keys();
  return {
    uri,
    code: 'conftest/rego_compile_error',
    severity: 'error',
    message: `The Rego of this folder could not be compiled, and none of its rules is asked: ${message}.`,
    span: lineSpan(modules.get(uri) ?? '', 1),
  };
}

/** A folder that a conftest.toml names and that holds no Rego ends Conftest's run. */
function noRego({ config, settings }: ConftestFolder): readonly PolicyFileProblem[] {
  if (config === undefined) return [];
  const span = config.places.get('policy') ?? { start: 0, end: 1 };
  const message = `There is no Rego in ${settings.policy.join(', ')}, which Conftest would read.`;
  return [{ uri: config.uri, code: 'conftest/configuration', severity: 'error', message, span }];
}

function stoppedProblem({ namespace, rule }: Question, reason: string, { rules, modules }: Judged): PolicyFileProblem {
  const found = ruleNamed(namespace, rule, rules);
  const uri = found?.file ?? [...modules.keys()][0] ?? '';
  return {
    uri,
    code: `conftest/${policyName(namespace, rule)}`,
    severity: 'error',
    message: `This rule was stopped and is no longer asked: ${reason}.`,
    span: lineSpan(modules.get(uri) ?? '', found?.row ?? 1),
  };
}
