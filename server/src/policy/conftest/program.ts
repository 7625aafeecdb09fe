import { lazyPromise } from '../../base/lazyPromise';
import type { Snapshot } from '../../workspace/workspace';
import { type CallLimits, type PolicyEngine, PolicyStopped } from '../engine/engine';
import { type Loaded, loadedIn } from '../engine/loaded';
import { sharedBy, withoutRunaways } from '../engine/runaway';
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
import { askWithFiles, type ReadableFiles, readableIn, readingCall } from './regoFiles';
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
} from './results';
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
export interface RegoProgram {
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

/** A program while it is asked, with what is found out on the way. */
interface Running {
  readonly folder: ConftestFolder;
  readonly engine: PolicyEngine;
  readonly loaded: Loaded;
  /** What Rego may read. */
  readonly readable: ReadableFiles;
  version: RegoVersion;
  /** Absent: it does not compile. */
  answer: CompileAnswer | undefined;
  judged: Judged;
  /** Rules that failed or were stopped; they are asked no more. */
  readonly failed: Set<Question>;
  /** By what tells them apart. */
  readonly late: Map<string, PolicyFileProblem>;
}

export function programOf(folder: ConftestFolder, snapshot: Snapshot, engine: PolicyEngine): RegoProgram {
  const running: Running = {
    folder,
    engine,
    loaded: loadedIn(engine),
    readable: readableIn(snapshot.files),
    version: 'v1',
    answer: undefined,
    judged: { settings: folder.settings, rules: [], modules: folder.modules, uriOf: urisOf(folder) },
    failed: new Set(),
    late: new Map(),
  };
  const compile = lazyPromise(() => compiled(running));
  return {
    folder,
    compile,
    async ask(files, about) {
      await compile();
      const request = { files, combine: about === 'all' };
      const results = await withoutRunaways(
        questionsOf(running),
        (some, share) => attempt(running, some, request, sharedBy(share, LIMITS)),
        (question, { message }) => {
          running.failed.add(question);
          tell(running, stoppedProblem(question, message, running.judged));
        },
      );
      for (const result of results) for (const it of result.errors ?? []) if (endsRule(it)) giveUp(running, result, it);
      return results;
    },
    judged: () => running.judged,
    late: () => [...running.late.values()],
    release: () => running.loaded.release(),
  };
}

function questionsOf({ answer, failed }: Running): readonly Question[] {
  return (answer?.questions ?? []).filter(it => !failed.has(it));
}

function tell({ late }: Running, problem: PolicyFileProblem): void {
  late.set(JSON.stringify([problem.code, problem.span, problem.message]), problem);
}

async function compiled(running: Running): Promise<readonly PolicyFileProblem[]> {
  try {
    return await compiledInSomeVersion(running);
  } catch (error) {
    if (error instanceof PolicyStopped) return [notCompiled(running.folder, error)];
    throw error;
  }
}

async function compiledInSomeVersion(running: Running): Promise<readonly PolicyFileProblem[]> {
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
  running.judged = { ...running.judged, rules: rulesOf(folder, answer) };
  return [
    ...problems,
    ...errors.map(it => problemOf(folder, it)),
    ...(inNewer === undefined ? [] : oldRegoProblem(folder, inNewer)),
  ];
}

async function load({ folder, loaded }: Running, version: RegoVersion): Promise<CompileAnswer> {
  const request = () => ({ op: 'compileConftest', ...compileRequest(folder, version) });
  const { answer }: { readonly answer: unknown } = await loaded.get(request);
  return answer as CompileAnswer;
}

async function attempt(
  running: Running,
  questions: readonly Question[],
  about: object,
  time: CallLimits,
): Promise<readonly ConftestResult[]> {
  if (questions.length === 0) return [];
  const { engine, readable, version } = running;
  const { results } = await askWithFiles(
    readable,
    path => tellMissing(running, path),
    async files => {
      const { handle } = await load(running, version);
      const limits = { maxSteps: MAX_STEPS };
      const request = { op: 'checkConftest', handle, questions, readable: files, limits, ...about };
      return (await engine.call(request, time)) as CheckAnswer;
    },
  );
  const isCalledOff = results.some(it => it.errors?.some(error => error.message === CALLED_OFF));
  if (isCalledOff) throw new PolicyStopped(`it took longer than ${time.milliseconds} ms`);
  return results;
}

function tellMissing(running: Running, path: string): void {
  const call = readingCall(running.folder.modules);
  if (call === undefined) return;
  const message = `Policies read no files but the YAML and JSON of the workspace, and ${path} is none of them: for Rego there is no such file.`;
  tell(running, { ...call, code: 'conftest/reads-files', severity: 'info', message });
}

/** A rule that failed is asked no more. */
function giveUp(running: Running, { namespace }: ConftestResult, error: RuleError): void {
  const question = questionsOf(running).find(it => it.namespace === namespace && it.rule === error.rule);
  if (question !== undefined) running.failed.add(question);
  const { policy: name, source } = placedError(namespace, error, running.judged);
  const message = error.code === PARSER_ERROR ? `${error.message}. The rule is not asked.` : sentenceOf(error);
  const severity = error.code === PARSER_ERROR ? 'info' : 'error';
  tell(running, { ...source, code: `conftest/${name}`, severity, message });
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
