import { printable } from '../../text/printable';

/** What a file was asked, as a suite of JUnit's XML. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
  /** Why it could not be done, or not as a whole. */
  readonly errors: readonly string[];
}

export interface JunitCase {
  readonly name: string;
  readonly failures: readonly { readonly type: string; readonly message: string }[];
  /** Why there is no answer. */
  readonly skipped?: string;
}

/** The subset of JUnit's XML that CI systems read: suites, cases, failures, errors and what was skipped. */
export function renderJunit(suites: readonly JunitSuite[], milliseconds?: number): string {
  const time = milliseconds === undefined ? '' : ` time="${(milliseconds / 1000).toFixed(3)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${time}>`,
    ...suites.map(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ name, cases, errors }: JunitSuite): string {
  const failed = cases.filter(it => it.failures.length > 0).length;
  const skipped = cases.filter(it => it.skipped !== undefined).length;
  const counts = [
    `tests="${cases.length + errors.length}" failures="${failed}" errors="${errors.length}"`,
    ...(skipped === 0 ? [] : [`skipped="${skipped}"`]),
  ];
  const broken = errors.map(it => caseLines(name, '(file)', [`      <error message="${escaped(it)}"/>`]));
  const told = cases.map(it =>
    caseLines(name, it.name, [
      ...it.failures.map(
        ({ type, message }) => `      <failure message="${escaped(message)}" type="${escaped(type)}"/>`,
      ),
      ...(it.skipped === undefined ? [] : [`      <skipped message="${escaped(it.skipped)}"/>`]),
    ]),
  );
  return [`  <testsuite name="${escaped(name)}" ${counts.join(' ')}>`, ...told, ...broken, '  </testsuite>'].join('\n');
}

function caseLines(suite: string, name: string, said: readonly string[]): string {
  const head = `    <testcase classname="${escaped(suite)}" name="${escaped(name)}"`;
  return said.length === 0 ? `${head}/>` : [`${head}>`, ...said, '    </testcase>'].join('\n');
}

function escaped(text: string): string {
  return printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
