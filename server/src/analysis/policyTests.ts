import { jsonText } from '../base/printed';
import type { Kube } from '../kube/kube';
import { errorsIn } from '../manifest/errors';
import { parseManifests } from '../manifest/parse';
import { settingsFrom } from '../policy/conftest/folders';
import { verifyConftest } from '../policy/conftest/verify';
import type { PolicyEngine } from '../policy/engine/engine';
import { runGatorSuites } from '../policy/gatekeeper/suites';
import { runKyvernoSuites } from '../policy/kyverno/suite/tests';
import { evaluateProperties, type PropertyRule, type PropertyTest } from '../policy/property/property';
import type { PolicyTest, PolicyTestSuite } from '../policy/tests';
import { lineIndex } from '../text/lineIndex';
import { folderOf } from '../workspace/paths';
import { emptySnapshot, withFiles } from '../workspace/snapshot';
import { type Configuration, configurationOf, isConfigurationName } from './configuration/configuration';
import { defaultSettings } from './configuration/settings';
import { isNamespacedIn, kubeOf } from './state/facts';
import type { AnalysisWorld } from './state/world';

/**
 * Runs the tests that policies bring along: the suites of `gator verify`, and the `test_` rules of `conftest verify`.
 * @param files All files by uri or path, manifests and Rego.
 */
export async function runPolicyTests(
  files: ReadonlyMap<string, string>,
  engine: PolicyEngine,
): Promise<readonly PolicyTestSuite[]> {
  const configured = [...files].flatMap(([uri, text]) => {
    const conftest = isConfigurationName(uri) ? configurationOf(uri, text).settings.conftest : undefined;
    return conftest === undefined ? [] : [settingsFrom(folderOf(uri), conftest)];
  });
  return [...(await runGatorSuites(files, engine)), ...(await verifyConftest(files, configured, engine))];
}

/**
 * Runs the suites of the Kyverno CLI, which need no engine.
 * @param now The time that policies may ask for, in milliseconds since 1970.
 */
export function runKyvernoTests(
  files: ReadonlyMap<string, string>,
  world: Pick<AnalysisWorld, 'readPack'>,
  now: number,
): readonly PolicyTestSuite[] {
  return runKyvernoSuites(files, kubeOf(world, defaultSettings).kube, now);
}

/** Runs the tests of the rules of each `berth.yaml` among the files: no engine is needed for them. */
export function runPropertyTests(
  files: ReadonlyMap<string, string>,
  world: Pick<AnalysisWorld, 'readPack'>,
): readonly PolicyTestSuite[] {
  return [...files].flatMap(([uri, text]): readonly PolicyTestSuite[] => {
    if (!isConfigurationName(uri)) return [];
    const configuration = configurationOf(uri, text);
    const wrong = problemIn(configuration);
    if (wrong !== undefined)
      return [{ engine: 'property', uri, tests: [{ name: uri, outcome: 'error', message: wrong }] }];
    const { settings, environments } = configuration;
    const rules = [settings.rules ?? [], ...environments.map(it => it.settings.rules ?? [])].flat();
    if (rules.every(it => it.tests === undefined)) return [];
    const { kube } = kubeOf(world, { ...defaultSettings, ...settings });
    return [
      {
        engine: 'property',
        uri,
        tests: rules.flatMap(rule => (rule.tests ?? []).map((it, i) => tested(rule, it, i, kube))),
      },
    ];
  });
}

/** Why a configuration does not count as it is written: tests of it would be missing in silence. */
function problemIn({ file, problems }: Configuration): string | undefined {
  const unread = errorsIn(file).map(({ message, ...it }) => ({ ...it, clause: message }));
  const [wrong] = [...unread, ...problems.filter(it => it.severity === 'error')];
  return wrong && `line ${lineIndex(file.text).position(wrong.span.start).line + 1}: ${wrong.clause}`;
}

function tested(rule: PropertyRule, test: PropertyTest, index: number, kube: Kube): PolicyTest {
  const name = `${rule.name}/${test.name ?? index + 1}`;
  const uri = 'object.yaml';
  const empty = emptySnapshot(isNamespacedIn(kube));
  const snapshot = withFiles(empty, [{ uri, file: parseManifests(uri, jsonText(test.object)) }]);
  const [object] = snapshot.objectsIn(uri);
  if (object === undefined) return { name, outcome: 'error', message: 'the object needs an apiVersion and a kind' };
  const { told, passed } = evaluateProperties([rule], object, kube);
  const [result] = told;
  if (result?.outcome === 'error') return { name, outcome: 'error', message: result.message };
  const found = result !== undefined ? 'fails' : passed.size > 0 ? 'holds' : 'skips';
  if (found !== test.expect)
    return { name, outcome: 'fail', message: `the rule ${found}, and the test expects that it ${test.expect}` };
  const { message = '' } = test;
  const { message: said = '' } = result ?? {};
  if (found !== 'skips' && !said.includes(message)) {
    return {
      name,
      outcome: 'fail',
      message: `the message is ${JSON.stringify(said)}, which does not have ${JSON.stringify(message)}`,
    };
  }
  return { name, outcome: 'pass' };
}
