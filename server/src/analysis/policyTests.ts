import { verifyConftest } from '../policy/conftest/verify';
import type { PolicyEngine } from '../policy/engine/engine';
import { runGatorSuites } from '../policy/gatekeeper/suites';
import type { PolicyTestSuite } from '../policy/tests';

/**
 * Runs the tests that policies bring along: the suites of `gator verify`, and the `test_` rules of `conftest verify`.
 * @param files All files by uri or path, manifests and Rego.
 */
export async function runPolicyTests(
  files: ReadonlyMap<string, string>,
  engine: PolicyEngine,
): Promise<readonly PolicyTestSuite[]> {
  const rego = new Map([...files].filter(([uri]) => uri.endsWith('.rego')));
  return [...(await runGatorSuites(files, engine)), ...(await verifyConftest(rego, engine))];
}
