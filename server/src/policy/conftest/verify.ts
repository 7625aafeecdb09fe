import { type CallLimits, EngineRefusal, type PolicyEngine, PolicyStopped } from '../engine/engine';
import { type RegoError, sentenceOf } from '../regoText';
import type { PolicyTest, PolicyTestSuite } from '../tests';
import { conftestFoldersOf } from './folders';

const LIMITS: CallLimits = { milliseconds: 20_000, grace: 0 };

interface VerifyAnswer {
  readonly errors?: readonly RegoError[];
  readonly tests?: readonly {
    readonly package: string;
    readonly name: string;
    readonly outcome: PolicyTest['outcome'];
    readonly message?: string;
    readonly output?: string;
  }[];
}

/** Runs the `test_` rules of policy folders by OPA's own runner, as `conftest verify` does. */
export async function verifyConftest(
  texts: ReadonlyMap<string, string>,
  engine: PolicyEngine,
): Promise<readonly PolicyTestSuite[]> {
  const suites: PolicyTestSuite[] = [];
  for (const { root, modules } of conftestFoldersOf(texts)) {
    if (![...modules.values()].some(it => /^\s*(?:todo_)?test_/m.test(it))) continue;
    const uri = root === '' ? 'policy' : `${root}/policy`;
    suites.push({ engine: 'conftest', uri, tests: await testsOf(modules, engine) });
  }
  return suites;
}

async function testsOf(modules: ReadonlyMap<string, string>, engine: PolicyEngine): Promise<readonly PolicyTest[]> {
  const run = async (regoVersion: string): Promise<VerifyAnswer> =>
    (await engine.call(
      { op: 'verifyConftest', modules: Object.fromEntries(modules), regoVersion },
      LIMITS,
    )) as VerifyAnswer;
  try {
    const first = await run('v1');
    const second = first.errors?.some(it => it.code === 'rego_parse_error') ? await run('v0') : first;
    const { errors = [], tests = [] } = second.errors === undefined ? second : first;
    return [
      ...errors.map(
        (it): PolicyTest => ({ name: it.location?.file ?? 'rego', outcome: 'error', message: sentenceOf(it) }),
      ),
      ...tests.map(({ package: of, name, outcome, message, output }): PolicyTest => {
        const said = [message, output?.trim()].filter(it => it !== undefined && it !== '').join('; ');
        return { name: `${of}.${name}`, outcome, ...(said !== '' && outcome !== 'pass' && { message: said }) };
      }),
    ];
  } catch (error) {
    if (!(error instanceof EngineRefusal || error instanceof PolicyStopped)) throw error;
    return [{ name: 'rego', outcome: 'error', message: error.message }];
  }
}
