import { asList, asText } from '../../base/json';
import type { ManifestFile } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import { fieldAt } from '../../manifest/valueAt';
import { folderOf, resolveIn } from '../../workspace/paths';
import { type CallLimits, EngineRefusal, type PolicyEngine, PolicyStopped } from '../engine/engine';
import type { PolicyTest, PolicyTestSuite } from '../tests';

/** A suite compiles its templates again for each of its cases. */
const LIMITS: CallLimits = { milliseconds: 60_000, grace: 0 };

interface SuiteAnswer {
  readonly tests: readonly (CaseAnswer & { readonly cases: readonly CaseAnswer[] })[];
}

interface CaseAnswer {
  readonly name: string;
  readonly skipped?: boolean;
  readonly error?: string;
}

/** Runs the `gator verify` suites (`kind: Suite`) among some files with Gatekeeper's own runner. */
export async function runGatorSuites(
  files: ReadonlyMap<string, string>,
  engine: PolicyEngine,
): Promise<readonly PolicyTestSuite[]> {
  const suites = [...files]
    .filter(([uri, text]) => /\.ya?ml$/.test(uri) && text.includes('test.gatekeeper.sh'))
    .map(([uri, text]) => parseManifests(uri, text))
    .filter(isSuite);
  const results: PolicyTestSuite[] = [];
  for (const suite of suites) results.push(await runSuite(suite, files, engine));
  return results;
}

const isSuite = (file: ManifestFile): boolean =>
  file.documents.some(
    ({ value }) =>
      asText(fieldAt(value, 'kind')) === 'Suite' &&
      asText(fieldAt(value, 'apiVersion'))?.startsWith('test.gatekeeper.sh/') === true,
  );

async function runSuite(
  suite: ManifestFile,
  files: ReadonlyMap<string, string>,
  engine: PolicyEngine,
): Promise<PolicyTestSuite> {
  const head = { engine: 'gatekeeper', uri: suite.uri } as const;
  const named = [suite.uri, ...filesOf(suite)];
  const texts = named.flatMap(uri => {
    const text = files.get(uri);
    return text === undefined ? [] : [[fileName(uri), text] as const];
  });
  try {
    const request = { op: 'runGatekeeperSuite', files: Object.fromEntries(texts), suite: fileName(suite.uri), run: '' };
    const { tests } = (await engine.call(request, LIMITS)) as SuiteAnswer;
    return { ...head, tests: tests.flatMap(testsOf) };
  } catch (error) {
    if (!(error instanceof EngineRefusal || error instanceof PolicyStopped)) throw error;
    return { ...head, tests: [{ name: 'suite', outcome: 'error', message: error.message }] };
  }
}

function testsOf({ cases, ...test }: SuiteAnswer['tests'][number]): readonly PolicyTest[] {
  const own = test.error ? [testOf(test.name, test, 'error')] : [];
  return [...own, ...cases.map(it => testOf(`${test.name}/${it.name}`, it, 'fail'))];
}

function testOf(name: string, { skipped, error }: CaseAnswer, failure: 'fail' | 'error'): PolicyTest {
  if (error) return { name, outcome: failure, message: error };
  return { name, outcome: skipped ? 'skip' : 'pass' };
}

/** Uris of the files that a suite names, relative to its folder. */
function filesOf({ uri, documents }: ManifestFile): readonly string[] {
  return documents.flatMap(({ value }) =>
    asList(fieldAt(value, 'tests')).flatMap(test => {
      const own = ['template', 'constraint', 'expansion'].flatMap(it => asText(fieldAt(test, it)) ?? []);
      const ofCases = asList(fieldAt(test, 'cases')).flatMap(it => [
        ...(asText(fieldAt(it, 'object')) === undefined ? [] : [asText(fieldAt(it, 'object')) ?? '']),
        ...asList(fieldAt(it, 'inventory')).flatMap(path => asText(path) ?? []),
      ]);
      return [...own, ...ofCases].map(path => resolveIn(folderOf(uri), path));
    }),
  );
}

/** The engine uses relative file names. */
const fileName = (uri: string): string => uri.replace(/^[a-z]+:\/*/i, '').replace(/^(?:\.\.?\/|\/)+/, '');
