import { lazyPromise } from '../../base/lazyPromise';
import type { Snapshot } from '../../workspace/workspace';
import { type CallLimits, type PolicyEngine, PolicyStopped } from '../engine/engine';
import { type Loaded, loadedIn } from '../engine/loaded';
import { limitsFor, withoutRunaways } from '../engine/runaway';
import type { PolicyFileProblem } from '../policySet';
import { sentenceOf } from '../regoText';
import {
  type CompileAnswer,
  compileRequest,
  inSomeVersion,
  oldRegoProblem,
  problemOf,
  type RuleQuery,
  rulesOf,
  urisOf,
} from './compile';
import type { ConftestFolder } from './folders';
import { evaluateWithFiles, type ReadableFiles, readableIn, readingCall } from './regoFiles';
import {
  type ConftestResult,
  endsRule,
  lineSpan,
  locatedError,
  PARSER_ERROR,
  policyName,
  type ResultContext,
  type RuleError,
  ruleNamed,
} from './results';
import type { RegoVersion } from './settings';

/** OPA counts steps, so a runaway rule stops at the same point on every machine; these take about a second. */
const MAX_STEPS = 300_000;
const LIMITS: CallLimits = { milliseconds: 10_000, grace: 500 };

/** A file as the engine receives it. */
export interface ConftestInput {
  /** Returned with the results for this file. */
  readonly id: string;
  readonly path: string;
  readonly documents: readonly unknown[];
}

/** The Rego of one folder, loaded in the engine. */
export interface RegoProgram {
  readonly folder: ConftestFolder;
  /** Compiles the Rego and returns its problems. */
  compile(): Promise<readonly PolicyFileProblem[]>;
  /** Evaluates the rules for each file, or for all files together. Empty when the Rego does not compile. */
  evaluate(files: readonly ConftestInput[], mode: 'each' | 'all'): Promise<readonly ConftestResult[]>;
  /** What results are located with. Complete after the first evaluation. */
  resultContext(): ResultContext;
  /** Rules that failed or were stopped during evaluation. */
  runtimeProblems(): readonly PolicyFileProblem[];
  release(): void;
}

interface CheckAnswer {
  readonly results: readonly ConftestResult[];
  readonly wanted?: readonly string[] | null;
}

/** The mutable state of a loaded program. */
interface ProgramState {
  readonly folder: ConftestFolder;
  readonly engine: PolicyEngine;
  readonly loaded: Loaded;
  /** Files that Rego may read. */
  readonly readable: ReadableFiles;
  version: RegoVersion;
  /** Absent when the Rego does not compile. */
  answer: CompileAnswer | undefined;
  resultContext: ResultContext;
  /** Rules that failed or were stopped. They are not evaluated again. */
  readonly failed: Set<RuleQuery>;
  /** By code, span and message, so that each is reported once. */
  readonly runtimeProblems: Map<string, PolicyFileProblem>;
}

export function programOf(folder: ConftestFolder, snapshot: Snapshot, engine: PolicyEngine): RegoProgram {
  const running: ProgramState = {
    folder,
    engine,
    loaded: loadedIn(engine),
    readable: readableIn(snapshot.files),
    version: 'v1',
    answer: undefined,
    resultContext: { settings: folder.settings, rules: [], modules: folder.modules, uriOf: urisOf(folder) },
    failed: new Set(),
    runtimeProblems: new Map(),
  };
  const compile = lazyPromise(() => compiled(running));
  return {
    folder,
    compile,
    async evaluate(files, mode) {
      await compile();
      const request = { files, combine: mode === 'all' };
      const results = await withoutRunaways(
        questionsOf(running),
        (some, share) => attempt(running, some, request, limitsFor(share, LIMITS)),
        (question, { message }) => {
          running.failed.add(question);
          report(running, stoppedProblem(question, message, running.resultContext));
        },
      );
      for (const result of results)
        for (const it of result.errors ?? []) if (endsRule(it)) dropRule(running, result, it);
      return results;
    },
    resultContext: () => running.resultContext,
    runtimeProblems: () => [...running.runtimeProblems.values()],
    release: () => running.loaded.release(),
  };
}

function questionsOf({ answer, failed }: ProgramState): readonly RuleQuery[] {
  return (answer?.questions ?? []).filter(it => !failed.has(it));
}

function report({ runtimeProblems: late }: ProgramState, problem: PolicyFileProblem): void {
  late.set(JSON.stringify([problem.code, problem.span, problem.message]), problem);
}

async function compiled(running: ProgramState): Promise<readonly PolicyFileProblem[]> {
  try {
    return await compiledInSomeVersion(running);
  } catch (error) {
    if (error instanceof PolicyStopped) return [notCompiled(running.folder, error)];
    throw error;
  }
}

async function compiledInSomeVersion(running: ProgramState): Promise<readonly PolicyFileProblem[]> {
  const { folder, loaded } = running;
  const problems = folder.config?.problems ?? [];
  if (folder.modules.size === 0) return [...problems, ...noRego(folder)];
  const { version, answer, inNewer } = await inSomeVersion(folder, it => {
    loaded.outdate();
    return load(running, it);
  });
  const errors = answer.errors ?? [];
  running.version = version;
  if (errors.length === 0) running.answer = answer;
  running.resultContext = { ...running.resultContext, rules: rulesOf(folder, answer) };
  return [
    ...problems,
    ...errors.map(it => problemOf(folder, it)),
    ...(inNewer === undefined ? [] : oldRegoProblem(folder, inNewer)),
  ];
}

async function load({ folder, loaded }: ProgramState, version: RegoVersion): Promise<CompileAnswer> {
  const request = () => ({ op: 'compileConftest', ...compileRequest(folder, version) });
  const { answer }: { readonly answer: unknown } = await loaded.get(request);
  return answer as CompileAnswer;
}

async function attempt(
  running: ProgramState,
  questions: readonly RuleQuery[],
  input: object,
  time: CallLimits,
): Promise<readonly ConftestResult[]> {
  if (questions.length === 0) return [];
  const { engine, readable, version } = running;
  const { results } = await evaluateWithFiles(
    readable,
    path => reportMissingFile(running, path),
    async files => {
      const { handle } = await load(running, version);
      const limits = { maxSteps: MAX_STEPS };
      const request = { op: 'checkConftest', handle, questions, readable: files, limits, ...input };
      return (await engine.call(request, time)) as CheckAnswer;
    },
  );
  const isCalledOff = results.some(it => it.errors?.some(error => error.message === CALLED_OFF));
  if (isCalledOff) throw new PolicyStopped(`it took longer than ${time.milliseconds} ms`);
  return results;
}

function reportMissingFile(running: ProgramState, path: string): void {
  const call = readingCall(running.folder.modules);
  if (call === undefined) return;
  const message = `Policies read no files but the YAML and JSON of the workspace, and ${path} is none of them: for Rego there is no such file.`;
  report(running, { ...call, code: 'conftest/reads-files', severity: 'info', message });
}

/** Stops evaluating a rule that failed, and reports it. */
function dropRule(running: ProgramState, { namespace }: ConftestResult, error: RuleError): void {
  const question = questionsOf(running).find(it => it.namespace === namespace && it.rule === error.rule);
  if (question !== undefined) running.failed.add(question);
  const { policy: name, source } = locatedError(namespace, error, running.resultContext);
  const message = error.code === PARSER_ERROR ? `${error.message}. The rule is not asked.` : sentenceOf(error);
  const severity = error.code === PARSER_ERROR ? 'info' : 'error';
  report(running, { ...source, code: `conftest/${name}`, severity, message });
}

/** The engine's message when the host asked it to stop. */
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

/** Conftest fails when a folder that conftest.toml names holds no Rego. */
function noRego({ config, settings }: ConftestFolder): readonly PolicyFileProblem[] {
  if (config === undefined) return [];
  const span = config.locations.get('policy') ?? { start: 0, end: 1 };
  const message = `There is no Rego in ${settings.policy.join(', ')}, which Conftest would read.`;
  return [{ uri: config.uri, code: 'conftest/configuration', severity: 'error', message, span }];
}

function stoppedProblem(
  { namespace, rule }: RuleQuery,
  reason: string,
  { rules, modules }: ResultContext,
): PolicyFileProblem {
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
