import type { PreviewPolicy, Rescheduler, WhatIf } from '../../../../server/src/analysis/previewModel';
import { strings } from './strings';

/** What is tried without a rescheduler: the state that it starts from. */
export function withoutRescheduler(whatIf: WhatIf): WhatIf {
  const { mover: _, ...rest } = whatIf;
  return rest;
}

/** "descheduler, round 2". */
export function reschedulerInWords(rescheduler: Rescheduler): string {
  const words = strings.evictions.tried;
  return rescheduler.kind === 'vpa'
    ? words.vpa(rescheduler.vpa, rescheduler.mode, rescheduler.round)
    : words.descheduler(rescheduler.round);
}

export const isSameRescheduler = (a: Rescheduler | undefined, b: Rescheduler): boolean =>
  a !== undefined && JSON.stringify({ ...a, now: 0 }) === JSON.stringify({ ...b, now: 0 });

/** How many Pods a policy evicts now, and whether evictions end. */
export function policySummary({ rounds, ending }: PreviewPolicy): string {
  const words = strings.evictions;
  const [first] = rounds.first;
  if (ending === undefined) return '';
  if (first === undefined) return ending.kind === 'settles' ? words.noRounds : words.unknownStopped(0);
  return `${words.evictsNow(first.evicted.count)} ${endingInWords(ending)}`;
}

function endingInWords(ending: NonNullable<PreviewPolicy['ending']>): string {
  const words = strings.evictions;
  switch (ending.kind) {
    case 'settles':
      return words.settles(ending.rounds);
    case 'cycle':
      return words.cycles(ending.back, ending.from);
    case 'unknown':
      return ending.stopped ? words.unknownStopped(ending.rounds) : words.unknown(ending.rounds);
  }
}
