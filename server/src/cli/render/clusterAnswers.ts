import type { ClusterStep, Cure, CuredAnswer, OrderFix } from '../../analysis/scenario';
import { printable } from '../../text/printable';
import type { JunitCase } from './junit';
import { counted, type Paint } from './style';

/** What could happen to a cluster, for people; empty where nothing was asked. */
export function renderAnswers(answers: readonly CuredAnswer[], paint: Paint): string {
  return answers.map(it => `${linesOf(it, paint).join('\n')}\n`).join('');
}

function linesOf({ claim, holds, trouble, states, cures, why }: CuredAnswer, paint: Paint): readonly string[] {
  if (why !== undefined) return [`  ${paint('yellow', '?')} ${printable(claim)}: not explored, as ${printable(why)}`];
  if (holds === true) return [`  ${paint('green', '✓')} ${printable(claim)}`];
  if (trouble === undefined)
    return [`  ${paint('yellow', '?')} ${printable(claim)}: so in the first ${counted(states, 'state')}`];
  const { says, steps, cycle, upToNames } = trouble;
  const again = upToNames ? AGAIN_UP_TO_NAMES : AGAIN;
  return [
    `  ${paint('red', '✗')} ${printable(says)}`,
    ...numbered(steps, 0),
    ...(cycle ? [`      ${paint('dim', again)}`, ...numbered(cycle, steps.length)] : []),
    ...cures.map(it => `    ${paint('green', 'fix')} ${printable(it.title)}`),
  ];
}

const AGAIN = 'and then again and again';
const AGAIN_UP_TO_NAMES = `${AGAIN}, with equal nodes in each other's place`;

const numbered = (steps: readonly ClusterStep[], before: number): readonly string[] =>
  steps.map(
    ({ actor, step }, i) => `    ${String(before + i + 1).padStart(3)}. ${printable(actor)}: ${printable(step)}`,
  );

/** The answers as lines of JSON say them: `holds` is null where a limit left it open. */
export function answersInJson(answers: readonly CuredAnswer[]): readonly object[] {
  return answers.map(({ question, about, claim, holds, trouble, states, cures, why }) => ({
    question,
    ...(about !== undefined && { about }),
    claim,
    holds: holds ?? null,
    ...(why !== undefined && { why }),
    ...(trouble && {
      says: trouble.says,
      trace: {
        steps: trouble.steps.map(inJson),
        ...(trouble.cycle && { cycle: trouble.cycle.map(inJson), end: trouble.end }),
        ...(trouble.upToNames && { upToNames: true }),
      },
    }),
    states,
    ...(cures.length > 0 && { suggestions: cures.map(cureInJson) }),
  }));
}

/** What ends a trouble of orders of arrival, for people. */
export function renderFixes(fixes: readonly OrderFix[], paint: Paint): string {
  const against = { stranded: 'every Pod is placed', deadlock: 'no deadlock' } as const;
  return fixes.map(it => `${paint('green', 'fix')} ${printable(it.title)} (then ${against[it.ends]})\n`).join('');
}

/** The same for JSON. */
export const fixInJson = ({ ends, ...cure }: OrderFix): object => ({ ends, ...cureInJson(cure) });

/** Edits as those of `berth place --suggest`. */
const cureInJson = ({ title, edits, adds, deletes }: Cure): object => ({
  title,
  edits,
  ...(adds.length > 0 && { adds }),
  ...(deletes.length > 0 && { deletes }),
});

const inJson = ({ actor, step }: ClusterStep): object => ({ process: actor, step });

/** A case for each answer. */
export function casesOfAnswers(answers: readonly CuredAnswer[]): readonly JunitCase[] {
  return answers.map(({ question, claim, holds, trouble, states, why }) => ({
    name: claim,
    failures: trouble ? [{ type: question, message: messageOf(trouble) }] : [],
    ...(holds === undefined && {
      skipped: why === undefined ? `It is so in the first ${counted(states, 'state')}.` : `Not explored: ${why}.`,
    }),
  }));
}

function messageOf({ says, steps, cycle, upToNames }: NonNullable<CuredAnswer['trouble']>): string {
  const listed = (its: readonly ClusterStep[]): string => its.map(it => `${it.actor}: ${it.step}`).join(', ');
  const again = cycle ? `, ${upToNames ? AGAIN_UP_TO_NAMES : AGAIN}: ${listed(cycle)}` : '';
  return `${says}: ${steps.length === 0 ? 'in the initial state' : listed(steps)}${again}`;
}
