import type { TestResult } from '../../analysis/placementTests';
import { printable, printableJson, printablePath } from '../../text/printable';
import { MOST_PLACEMENTS, withShortTexts } from '../answerSize';
import { CONTRACT } from './json';
import { renderJunit } from './junit';
import { counted, type Paint } from './style';

/** A file of tests with what came of it. */
export interface TestedFile {
  readonly path: string;
  /** Why it could not be run, or not as a whole. */
  readonly problems: readonly string[];
  /** With the line of the test's name, from 1. */
  readonly results: readonly (TestResult & { readonly line?: number })[];
}

export interface TestRun {
  readonly files: readonly TestedFile[];
  readonly milliseconds: number;
}

export type TestFormat = 'text' | 'json' | 'junit' | 'tap';

export function renderTests(run: TestRun, format: TestFormat, paint: Paint): string {
  return RENDERERS[format](run, paint);
}

const RENDERERS: Readonly<Record<TestFormat, (run: TestRun, paint: Paint) => string>> = {
  text: asText,
  json: asJson,
  junit: asJunit,
  tap: asTap,
};

function asText({ files, milliseconds }: TestRun, paint: Paint): string {
  const blocks = files.map(({ path, problems, results }) =>
    [
      paint('bold', printablePath(path)),
      ...problems.map(it => `  ${paint('red', 'error')} ${printable(it)}`),
      ...results.flatMap(({ test, failures, notes }) => [
        `  ${failures.length === 0 ? paint('green', 'ok    ') : paint('red', 'failed')} ${printable(test.name)}`,
        ...failures.map(it => `         ${paint('red', it.expected.expectation.kind)}: ${printable(it.message)}`),
        ...notes.map(it => `         ${paint('dim', printable(it))}`),
      ]),
      '',
    ].join('\n'),
  );
  const all = files.flatMap(it => it.results);
  const failed = all.filter(it => it.failures.length > 0).length;
  const broken = files.filter(it => it.problems.length > 0).length;
  const counts = [
    `${counted(all.length - failed, 'test')} passed`,
    failed === 0 ? '0 failed' : paint('red', `${failed} failed`),
    ...(broken === 0 ? [] : [paint('red', `${counted(broken, 'file')} with errors`)]),
  ];
  return `${blocks.join('\n')}\n${counts.join(', ')} (${milliseconds} ms)\n`;
}

function asJson({ files, milliseconds }: TestRun): string {
  let told = 0;
  let left = 0;
  const placementsIn = (placements: TestResult['placements']) => {
    told += Object.keys(placements).length;
    if (told <= MOST_PLACEMENTS) return { placements: withShortTexts(placements) };
    left += 1;
    return {};
  };
  const reported = files.map(({ path, problems, results }) => ({
    path,
    problems,
    tests: results.map(({ test, failures, notes, placements, line }) => ({
      name: test.name,
      line,
      passed: failures.length === 0,
      failures: failures.map(it => ({ expectation: it.expected.expectation.kind, message: it.message })),
      notes,
      ...placementsIn(placements),
    })),
  }));
  const cut = left === 0 ? {} : { cut: { placements: left } };
  return `${printableJson({ contract: CONTRACT, files: reported, ...cut, milliseconds })}\n`;
}

function asJunit({ files, milliseconds }: TestRun): string {
  const suites = files.map(({ path, problems, results }) => ({
    name: path,
    errors: problems,
    cases: results.map(({ test, failures }) => ({
      name: test.name,
      failures: failures.map(it => ({ type: it.expected.expectation.kind, message: it.message })),
    })),
  }));
  return renderJunit(suites, milliseconds);
}

/** A block of YAML, in which a key may stand once. */
function diagnostic([first, ...others]: readonly string[]): readonly string[] {
  if (first === undefined) return [];
  const further = others.length === 0 ? [] : ['  others:', ...others.map(it => `    - ${it}`)];
  return ['  ---', `  message: ${first}`, ...further, '  ...'];
}

/** Version 14 of the Test Anything Protocol: `\#` and `\\` are a hash and a backslash; what follows a bare hash counts. */
function asTap({ files }: TestRun): string {
  const lines = files.flatMap(({ path, problems, results }) => [
    ...problems.map(it => ({ isOk: false, name: `${path}`, said: [it] })),
    ...results.map(({ test, failures }) => ({
      isOk: failures.length === 0,
      name: `${path}: ${test.name}`,
      said: failures.map(it => it.message),
    })),
  ]);
  const reported = lines.flatMap(({ isOk, name, said }, i) => [
    `${isOk ? 'ok' : 'not ok'} ${i + 1} - ${printable(name).replace(/[\\#]/g, '\\$&')}`,
    ...diagnostic(said.map(it => JSON.stringify(printable(it)))),
  ]);
  return ['TAP version 14', `1..${lines.length}`, ...reported, ''].join('\n');
}
