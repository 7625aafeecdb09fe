import type { DeschedulerRound, SettleEnding, SettleResult } from '../../analysis/scenario';
import { printable, printableStrings } from '../../text/printable';
import { firstLines } from './firstLines';
import { counted, type Paint } from './style';

/** More rounds than these are for the JSON. */
const MOST_SHOWN = 3;

/** What a DeschedulerPolicy does, for people. */
export function renderDescheduling(scenario: string, settling: SettleResult, paint: Paint): string {
  const { rounds, ending, notes } = printableStrings(settling);
  const shown = rounds.slice(0, MOST_SHOWN).flatMap((it, i) => roundLines(it, i + 1, paint));
  const rest = rounds.length - MOST_SHOWN;
  const lines = [
    paint('bold', printable(scenario)),
    ...shown,
    ...(rest > 0 ? [`${counted(rest, 'more round')} with --format json.`] : []),
    ...notes.map(it => `${paint('yellow', 'note')} ${it}`),
    `${paint(ending.kind === 'settles' ? 'green' : 'red', endingInWords(ending))}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** One sentence. */
export function endingInWords(ending: SettleEnding): string {
  switch (ending.kind) {
    case 'settles':
      return ending.rounds === 0
        ? 'The descheduler evicts nobody.'
        : `This settles after ${counted(ending.rounds, 'round')}: then the descheduler evicts nobody any more.`;
    case 'cycle': {
      const before = ending.from === 1 ? 'at the start' : `after round ${ending.from - 1}`;
      return `This never settles: after round ${ending.back} all is as it was ${before}, a cycle of ${ending.states} states.`;
    }
    case 'unknown':
      return `After ${counted(ending.rounds, 'round')} the descheduler still evicts; no state came back so far (--rounds looks further).`;
  }
}

function roundLines({ evictions, refusals, landings, lost }: DeschedulerRound, round: number, paint: Paint): string[] {
  return [
    `Round ${round} evicts ${counted(evictions.length, 'Pod')}:`,
    ...podLines(evictions, it => `${it.pod} on ${it.node}${paint('dim', ` — ${it.plugin}: ${it.reason}`)}`),
    ...podLines(
      refusals,
      it => `${paint('yellow', 'kept')} ${it.pod} on ${it.node}${paint('dim', ` — ${it.plugin}: ${it.because}`)}`,
    ),
    ...(landings.length > 0 ? ['Then these Pods are placed:'] : []),
    ...podLines(
      [...landings.filter(it => it.node === undefined), ...landings.filter(it => it.node !== undefined)],
      it =>
        it.node === undefined
          ? `${it.pod} ${paint('red', 'waits')}${it.message === undefined ? '' : `: ${it.message}`}`
          : `${it.pod} on ${paint('green', it.node)}`,
    ),
    ...lost.map(it => `  ${it} ${paint('red', 'is lost')}: nothing makes it again`),
  ];
}

/** Lines below that of a round. */
const podLines = <T>(items: readonly T[], lineOf: (item: T) => string): readonly string[] =>
  firstLines(items, lineOf, '  ');
