import { parseManifests } from '../../manifest/parse';
import type { Snapshot } from '../../workspace/workspace';
import { type CallLimits, EngineRefusal, type PolicyEngine, PolicyStopped } from '../engine/engine';
import { type RegoError, sentenceOf } from '../regoText';
import type { PolicyTest, PolicyTestSuite } from '../tests';
import { compileRequest, inSomeVersion, urisOf } from './compile';
import { isConfigFile } from './configFile';
import { type ConfiguredConftest, type ConftestFolder, configuredFolder, conftestFoldersOf } from './folders';
import { evaluateWithFiles, readableIn, readingCall } from './regoFiles';

const LIMITS: CallLimits = { milliseconds: 20_000, grace: 0 };

interface VerifyAnswer {
  readonly errors?: readonly RegoError[];
  readonly wanted?: readonly string[] | null;
  readonly tests?: readonly {
    readonly package: string;
    readonly name: string;
    readonly location?: { readonly file: string; readonly row: number };
    readonly outcome: PolicyTest['outcome'];
    readonly message?: string;
    readonly output?: string;
  }[];
}

/**
 * Runs the `test_` rules of Rego folders with OPA's test runner, as `conftest verify` does.
 * @param files All files by uri or path.
 * @param configured Settings from configurations. If there are any, folders are not searched for.
 */
export async function verifyConftest(
  files: ReadonlyMap<string, string>,
  configured: readonly ConfiguredConftest[],
  engine: PolicyEngine,
): Promise<readonly PolicyTestSuite[]> {
  const texts = new Map([...files].filter(([uri]) => uri.endsWith('.rego') || isConfigFile(uri)));
  const foldersWith = (manifests: Files): readonly ConftestFolder[] =>
    configured.length > 0
      ? configured.map(it => configuredFolder(it, manifests, texts))
      : conftestFoldersOf(texts, manifests);
  const none: Files = new Map();
  const manifests = foldersWith(none).some(readsFiles) ? manifestsOf(files) : none;
  const suites: PolicyTestSuite[] = [];
  for (const folder of foldersWith(manifests)) {
    const { config, modules, settings, root } = folder;
    const [wrong] = (config?.problems ?? []).filter(it => it.severity === 'error');
    const hasTests = [...modules.values()].some(it => /^[ \t]*(?:todo_)?test_/m.test(it));
    if (wrong === undefined && !hasTests) continue;
    const tests =
      wrong === undefined
        ? await testsOf(folder, manifests, engine)
        : [{ name: wrong.uri, outcome: 'error' as const, message: wrong.message }];
    suites.push({ engine: 'conftest', uri: settings.policy[0] ?? root, tests });
  }
  return suites;
}

type Files = Snapshot['files'];

/** Whether files other than Rego are needed. */
const readsFiles = ({ settings, modules }: ConftestFolder): boolean =>
  settings.data.length > 0 || settings.capabilities !== undefined || readingCall(modules) !== undefined;

const manifestsOf = (files: ReadonlyMap<string, string>): Files =>
  new Map(
    [...files]
      .filter(([uri]) => /\.(?:ya?ml|json)$/i.test(uri))
      .map(([uri, text]) => [uri, parseManifests(uri, text)] as const),
  );

async function testsOf(
  folder: ConftestFolder,
  files: Snapshot['files'],
  engine: PolicyEngine,
): Promise<readonly PolicyTest[]> {
  const readable = readableIn(files);
  try {
    const { answer } = await inSomeVersion(folder, version =>
      evaluateWithFiles(
        readable,
        () => undefined,
        async texts => {
          const reported = folder.config?.settings.namespaces ?? [];
          const request = { op: 'verifyConftest', ...compileRequest(folder, version), readable: texts, reported };
          return (await engine.call(request, LIMITS)) as VerifyAnswer;
        },
      ),
    );
    return [...(answer.errors ?? []).map(it => errorTest(folder, it)), ...testsIn(folder, answer)];
  } catch (error) {
    if (!(error instanceof EngineRefusal || error instanceof PolicyStopped)) throw error;
    return [{ name: 'rego', outcome: 'error', message: error.message }];
  }
}

const errorTest = (folder: ConftestFolder, error: RegoError): PolicyTest => {
  const { file, row } = error.location ?? { row: 1 };
  const location = file === undefined ? 'rego' : `${urisOf(folder)(file)}:${row}`;
  return { name: location, outcome: 'error', message: sentenceOf(error) };
};

function testsIn(folder: ConftestFolder, { tests = [] }: VerifyAnswer): readonly PolicyTest[] {
  const uriOf = urisOf(folder);
  return tests.map(({ package: of, name, location, outcome, message, output }): PolicyTest => {
    const position = location === undefined ? [] : [`${uriOf(location.file)}:${location.row}`];
    const details = [...position, message, output?.trim()].filter(it => it !== undefined && it !== '').join('; ');
    return { name: `${of}.${name}`, outcome, ...(details !== '' && outcome !== 'pass' && { message: details }) };
  });
}
