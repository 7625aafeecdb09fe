import type { ScenarioPlacement } from '../../analysis/scenario';
import { printable } from '../../text/printable';
import { firstLines } from './firstLines';
import type { Paint } from './style';

type Notes = ScenarioPlacement['notes'];

/** A note as one line, with its end. */
export const noteLine = (note: Notes[number], paint: Paint): string => `${words(note, paint)}\n`;

const words = ({ pod, message }: Notes[number], paint: Paint): string =>
  `${paint('yellow', 'note')} ${printable(pod === undefined ? message : `${pod}: ${message}`)}`;

/** A line for each of the first notes, and one for the others. */
export const firstNotes = (notes: Notes, paint: Paint): readonly string[] =>
  firstLines(notes, it => words(it, paint)).map(it => `${it}\n`);
