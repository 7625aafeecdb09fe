import { runKyvernoTests, runPolicyTests, runPropertyTests } from '../../analysis/policyTests';
import { printableJson, printablePath } from '../../text/printable';
import { complain } from '../complain';
import { EXIT, type ExitCode } from '../exit';
import { collect } from '../input/collect';
import { CONTRACT } from '../render/json';
import { counted, failureOf } from '../render/style';
import type { CliWorld } from '../world';

export interface PolicyTestFlags {
  readonly format: string;
}

const KINDS_OF_TESTS =
  'neither a kyverno-test.yaml, nor a Suite of gator, nor Rego with `test_` rules in a folder that is asked, nor `tests` of rules in a berth.yaml';

/** `berth policy test`: the tests that policies bring along. Exit code 1 when one fails, 2 when none can be run. */
export async function policyTest(
  paths: readonly string[],
  { format }: PolicyTestFlags,
  world: CliWorld,
): Promise<ExitCode> {
  const failed = (error: string): ExitCode => {
    complain(world, error);
    if (format === 'json') world.out(`${printableJson({ contract: CONTRACT, suites: [], error })}\n`);
    return EXIT.failed;
  };
  if (format !== 'text' && format !== 'json') return failed(`--format "${format}" is not one of: text, json.`);
  const asked = paths.length === 0 ? ['.'] : paths;
  const collected = await collect(asked, world);
  const unread = collected.flatMap(it => ('failure' in it ? [it] : []));
  if (unread.length > 0) return failed(failureOf(unread));
  const files = new Map(collected.flatMap(it => ('text' in it ? [[it.path, it.text] as const] : [])));
  const withoutEngine = [...runKyvernoTests(files, world, Date.now()), ...runPropertyTests(files, world)];
  const isBuilt = world.policyEngine.isBuilt();
  const noEngine = 'This build has no policy engine. `npm run build` makes it.';
  if (!isBuilt && withoutEngine.length === 0) return failed(noEngine);
  if (!isBuilt) complain(world, `tests of gator and Conftest are left out. ${noEngine}`);
  const suites = [...withoutEngine, ...(isBuilt ? await runPolicyTests(files, world.policyEngine) : [])];
  if (suites.length === 0) return failed(`There is no test of policies in ${asked.join(', ')}: ${KINDS_OF_TESTS}.`);
  const tests = suites.flatMap(it => it.tests);
  const bad = tests.filter(it => it.outcome === 'fail' || it.outcome === 'error');
  if (format === 'json') world.out(`${printableJson({ contract: CONTRACT, suites })}\n`);
  else {
    for (const { uri, tests: own } of suites) {
      for (const it of own.filter(it => bad.includes(it)))
        world.out(`${printablePath(`${uri}: ${it.outcome} ${it.name}: ${it.message}`)}\n`);
    }
    const skipped = tests.filter(it => it.outcome === 'skip').length;
    const rest = skipped === 0 ? '' : `, ${skipped} skipped`;
    world.out(`${counted(suites.length, 'suite')}, ${counted(tests.length, 'test')}: ${bad.length} failed${rest}\n`);
  }
  return bad.length > 0 ? EXIT.found : EXIT.clean;
}
