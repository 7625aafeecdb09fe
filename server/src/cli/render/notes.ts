import type { ScenarioPlacement } from '../../analysis/scenario';
import { printable } from '../../text/printable';
import type { Paint } from './style';

type Notes = ScenarioPlacement['notes'];

/** More than these are for the JSON. */
const MOST_LINES = 20;

/** A note as one line, with its end. */
export const noteLine = ({ pod, message }: Notes[number], paint: Paint): string =>
  `${paint('yellow', 'note')} ${printable(pod === undefined ? message : `${pod}: ${message}`)}\n`;

/** A line for each of the first notes, and one for the others. */
export function firstNotes(notes: Notes, paint: Paint): readonly string[] {
  const rest = notes.length - MOST_LINES;
  return [
    ...notes.slice(0, MOST_LINES).map(it => noteLine(it, paint)),
    ...(rest > 0 ? [`… ${rest} more with --format json\n`] : []),
  ];
}
