import { settingsFrom } from '../policy/conftest/folders';
import { verifyConftest } from '../policy/conftest/verify';
import type { PolicyEngine } from '../policy/engine/engine';
import { runGatorSuites } from '../policy/gatekeeper/suites';
import { runKyvernoSuites } from '../policy/kyverno/suite/tests';
import type { PolicyTestSuite } from '../policy/tests';
import { folderOf } from '../workspace/paths';
import type { AnalysisWorld } from './analysis';
import { defaultSettings } from './analysis';
import { configurationOf, isConfigurationName } from './configuration';
import { kubeOf } from './moment';

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
