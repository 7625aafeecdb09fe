import { MAX_CHANGES, type PodSuggestions, type TextSuggestion } from '../../analysis/scenario';
import type { LineIndex } from '../../text/lineIndex';
import { printable } from '../../text/printable';
import type { Paint } from './style';

/** More suggestions than these are for the JSON. */
const MOST_SHOWN = 5;

/** Lines below a Pod without a node: what to change, and what that does. */
export function suggestionLines({ suggestions, cut }: PodSuggestions, paint: Paint): readonly string[] {
  const rest = suggestions.length - MOST_SHOWN;
  const shown = suggestions.slice(0, MOST_SHOWN).map(it => `${it.title}: ${it.effect}`);
  const notes = [
    ...(suggestions.length === 0 ? [`No change of up to ${MAX_CHANGES} things gives it a node.`] : []),
    ...(rest > 0 ? [`${rest} more with --format json.`] : []),
    ...(cut === undefined ? [] : [cut]),
  ];
  return [
    ...shown.map(it => `      ${paint('green', 'try')} ${printable(it)}\n`),
    ...notes.map(it => `          ${printable(it)}\n`),
  ];
}

/** The suggestions of one Pod as JSON; places in files count lines and characters from 0, as everywhere. */
export function suggestionJson(
  { suggestions }: PodSuggestions,
  linesOf: (path: string) => LineIndex,
): readonly object[] {
  return suggestions.map(it => ({
    title: it.title,
    effect: it.effect,
    changes: it.changes,
    edits: it.edits.map(({ path: _, ...edit }) => edit),
    ...filesOf(it, linesOf),
    outcome: it.outcome,
  }));
}

function filesOf({ fileEdits }: TextSuggestion, linesOf: (path: string) => LineIndex): object {
  const files = fileEdits?.map(({ uri, span, newText }) => {
    const lines = linesOf(uri);
    return { path: uri, range: { start: lines.position(span.start), end: lines.position(span.end) }, newText };
  });
  return files === undefined ? {} : { files };
}
