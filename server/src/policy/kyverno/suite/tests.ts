import type { Kube } from '../../../kube/kube';
import { errorsIn } from '../../../manifest/errors';
import { parseManifests } from '../../../manifest/parse';
import { lineIndex } from '../../../text/lineIndex';
import type { PolicyTest, PolicyTestSuite } from '../../tests';
import { guarded } from '../results/outcome';
import type { SuiteRow } from './rows';
import { kyvernoSuitesIn, runKyvernoSuite } from './suite';

const SUITE_FILE = /(^|\/)kyverno-test\.ya?ml$/;

const outcomes: Readonly<Record<SuiteRow['verdict'], PolicyTest['outcome']>> = {
  passed: 'pass',
  failed: 'fail',
  undecided: 'skip',
};

/** Runs the suites of all `kyverno-test.yaml` among some files: one test for each resource of a result. */
export function runKyvernoSuites(
  files: ReadonlyMap<string, string>,
  kube: Kube,
  now: number,
): readonly PolicyTestSuite[] {
  return [...files].flatMap(([uri, content]) => {
    if (!SUITE_FILE.test(uri)) return [];
    const unread = problemIn(uri, content);
    if (unread !== undefined)
      return [{ engine: 'kyverno', uri, tests: [{ name: uri, outcome: 'error', message: unread }] }];
    return kyvernoSuitesIn(uri, content).map((suite): PolicyTestSuite => {
      const failed = (message: string): PolicyTest => ({ name: suite.name, outcome: 'error', message });
      const tests = guarded(
        'this suite',
        () => {
          const { rows, problems } = runKyvernoSuite(suite, path => files.get(path), kube, now);
          return [...problems.map(failed), ...rows.map(testOf)];
        },
        it => [failed(it.message)],
      );
      return { engine: 'kyverno', uri, tests };
    });
  });
}

/** Why a file holds no suite, or not all of one: its tests would be missing in silence. */
function problemIn(uri: string, content: string): string | undefined {
  const [wrong] = errorsIn(parseManifests(uri, content));
  if (wrong !== undefined) return `line ${lineIndex(content).position(wrong.span.start).line + 1}: ${wrong.message}`;
  return kyvernoSuitesIn(uri, content).length > 0 ? undefined : 'it holds no Test of cli.kyverno.io';
}

function testOf(row: SuiteRow): PolicyTest {
  const { policy, rule, kind, resource, expected, statuses, verdict, message } = row;
  const name = `${policy}${rule === '' ? '' : `/${rule}`} ${kind} ${resource}`;
  if (verdict === 'passed') return { name, outcome: 'pass' };
  if (verdict === 'undecided') return { name, outcome: outcomes[verdict], message: `not decided here: ${message}` };
  const isAsExpected = statuses.length > 0 && statuses.every(it => it === expected);
  const difference = isAsExpected
    ? ''
    : `expected ${expected}, but it is ${statuses.join(', ') || 'not asked about'}: `;
  return { name, outcome: outcomes[verdict], message: `${difference}${message}` };
}
