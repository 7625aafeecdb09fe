/** One policy test with its outcome. */
export interface PolicyTest {
  readonly name: string;
  readonly outcome: 'pass' | 'fail' | 'error' | 'skip';
  readonly message?: string;
}

/**
 * The tests of one file (a gator suite, a kyverno-test.yaml, the rules of a berth.yaml) or one folder (Rego with test_
 * rules).
 */
export interface PolicyTestSuite {
  readonly engine: 'gatekeeper' | 'conftest' | 'kyverno' | 'property';
  readonly uri: string;
  readonly tests: readonly PolicyTest[];
}
