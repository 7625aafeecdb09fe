import type { SystemReport, SystemTrace, TraceStep } from '../../analysis/explore';
import { printable, printablePath } from '../../text/printable';
import { counted, type Paint } from './style';

/** What an exploration of a system found, for people. */
export function renderSystem(uri: string, report: SystemReport, paint: Paint): string {
  const { deadlocks } = report;
  const lines = [
    `${paint('bold', printablePath(uri))}: ${summaryOf(report)}`,
    '',
    deadlocks.count === 0
      ? verdictLine(
          report.complete ? 'good' : 'open',
          report.complete ? 'no deadlock' : 'no deadlock found so far',
          paint,
        )
      : verdictLine(
          'bad',
          `${counted(deadlocks.count, 'deadlock')}${report.complete ? '' : ' so far'}${shortestWords(deadlocks.shortest)}`,
          paint,
        ),
    ...traceLines(deadlocks.shortest, paint),
    ...report.properties.flatMap(({ name, kind, fairness, holds, trace }) => [
      holds === true
        ? verdictLine('good', `${printable(name)} (${kindWords(kind, fairness)})`, paint)
        : holds === null
          ? verdictLine('open', `${printable(name)} (${kindWords(kind, fairness)}): not violated so far`, paint)
          : verdictLine('bad', `${printable(name)} (${kindWords(kind, fairness)}): ${VIOLATED[kind]}`, paint),
      ...traceLines(trace, paint),
    ]),
    ...(report.unreachable ?? []).map(
      ({ process, step, from }) =>
        `  ${paint('dim', '–')} ${printable(`${process}: ${step}`)} (from ${printable(from)}) can never be taken`,
    ),
  ];
  return `${lines.join('\n')}\n\n`;
}

const kindWords = (kind: string, fairness: 'weak' | undefined): string =>
  fairness === undefined ? kind : `${kind}, weakly fair`;

/** By the kind of a property: what its trace shows. */
export const VIOLATED = {
  never: 'it becomes true',
  atEnd: 'it is false at an end',
  canAlwaysReach: 'from here it cannot be reached any more',
  progress: 'a cycle without any of these steps',
} as const;

/** By the reason: what stopped a search. */
export const STOPPED = {
  findings: '--max-findings',
  states: '--max-states',
  time: '--time-limit',
  memory: 'the limit of memory',
} as const;

function summaryOf(report: SystemReport): string {
  const { states, symmetry, transitions, acceptingEnds, depth, stopped, reduced } = report;
  const seen = `${number(states, 'state')}, ${number(transitions, 'transition')}, ${number(acceptingEnds, 'accepting end')}`;
  const visited =
    symmetry && !reduced ? `${symmetry.visited.toLocaleString('en')} visited, which stand for all` : undefined;
  if (stopped === undefined) {
    return `${seen}; ${reduced ? 'states that make no difference were left out' : (visited ?? 'every state was visited')}`;
  }
  return `${seen}; stopped at depth ${depth} by ${STOPPED[stopped]}, not exhausted`;
}

/** Beyond 2^53 not every integer is a number. */
const number = (n: number, one: string): string =>
  Number.isSafeInteger(n)
    ? `${n.toLocaleString('en')} ${one}${n === 1 ? '' : 's'}`
    : `about ${n.toExponential(1).replace('e+', ' × 10^')} ${one}s`;

function verdictLine(verdict: 'good' | 'bad' | 'open', words: string, paint: Paint): string {
  if (verdict === 'good') return `  ${paint('green', '✓')} ${words}`;
  return verdict === 'bad' ? `  ${paint('red', '✗')} ${words}` : `  ${paint('yellow', '?')} ${words}`;
}

function shortestWords(trace: SystemTrace | undefined): string {
  return trace === undefined ? '' : `, the nearest after ${counted(trace.steps.length, 'step')}`;
}

function traceLines(trace: SystemTrace | undefined, paint: Paint): readonly string[] {
  if (trace === undefined) return [];
  const { steps, cycle, state } = trace;
  const first = steps.length === 0 ? [`      ${paint('dim', 'in the initial state')}`] : numbered(steps, 0);
  const again = cycle ? [`      ${paint('dim', 'and then again and again')}`, ...numbered(cycle, steps.length)] : [];
  const processes = Object.entries(state.processes).map(
    ([name, it]) => `${name} at ${it.location}${own(it.variables)}`,
  );
  const shared = Object.entries(state.variables).map(([name, it]) => `${name} = ${JSON.stringify(it)}`);
  const reached = [...processes, ...shared].join(', ');
  return [...first, ...again, `      ${paint('dim', `${cycle ? 'from' : 'then'}: ${printable(reached)}`)}`];
}

function own(variables: Readonly<Record<string, unknown>>): string {
  const all = Object.entries(variables).map(([name, it]) => `${name} = ${JSON.stringify(it)}`);
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}

function numbered(steps: readonly TraceStep[], before: number): readonly string[] {
  return steps.map(
    ({ process, step }, i) => `    ${String(before + i + 1).padStart(3)}. ${printable(process)}: ${printable(step)}`,
  );
}
