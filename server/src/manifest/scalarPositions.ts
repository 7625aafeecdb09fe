import { smallest } from '../base/manyItems';

/**
 * Maps offsets of a string value to its YAML source. `source` is the text of the scalar (with its quotes, or from the
 * `|` or `>` on), `value` its value. The result maps an offset of the value in UTF-16 units to the offset in the
 * source; the end of the value maps to the end of the source.
 */
export function scalarPositions(source: string, value: string): (offset: number) => number {
  const first = source[0];
  const positions =
    first === '|' || first === '>'
      ? ofBlock(source, value)
      : ofFlow(source, value, first === '"' ? '"' : first === "'" ? "'" : '');
  return offset => positions[Math.max(0, offset)] ?? positions.at(-1) ?? 0;
}

function ofBlock(source: string, value: string): readonly number[] {
  const isFolded = source[0] === '>';
  const header = source.indexOf('\n');
  if (header < 0) return [source.length];
  const lines = source.slice(header + 1).split('\n');
  const indent = indentOf(source.slice(0, header), lines);
  const positions: number[] = [];
  let at = header + 1;
  for (const line of lines) {
    const skipped = Math.min(indent, line.length - line.trimStart().length);
    const from = at + skipped;
    const to = at + line.length;
    for (let i = from; i < to && positions.length < value.length; i++) positions.push(i);
    // A line's end becomes a line break, a space if it is folded, or nothing before an empty line of folded text.
    const character = value[positions.length];
    const isBreak = character === '\n' || (isFolded && character === ' ');
    if (isBreak && !(isFolded && isFoldedAway(value, positions.length, source, to))) positions.push(to);
    at = to + 1;
  }
  return [...positions, source.length];
}

/** In folded text the first of several line breaks is not part of the value. */
function isFoldedAway(value: string, index: number, source: string, lineEnd: number): boolean {
  const breaks = /^\n*/.exec(value.slice(index))?.[0].length ?? 0;
  const empty = /^(?:\n[ \t]*)*(?=\n)/.exec(source.slice(lineEnd))?.[0].split('\n').length ?? 1;
  const written = Math.max(1, empty);
  return breaks > 0 && source[lineEnd - 1] !== '\n' && breaks < written;
}

function indentOf(header: string, lines: readonly string[]): number {
  const first = lines.find(it => it.trim() !== '') ?? '';
  const own = first.length - first.trimStart().length;
  // With an indentation indicator the text may begin with spaces of its own; then the least indented line decides.
  if (!/[1-9]/.test(header)) return own;
  const indents = lines.filter(it => it.trim() !== '').map(it => it.length - it.trimStart().length);
  return Math.min(own, smallest(indents));
}

const ESCAPE_LENGTHS: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 };

function ofFlow(source: string, value: string, quote: '"' | "'" | ''): readonly number[] {
  const positions: number[] = [];
  let at = quote === '' ? 0 : 1;
  while (positions.length < value.length && at < source.length) {
    const fold = /^[ \t]*\n\s*/.exec(source.slice(at, at + 2000));
    if (fold) {
      const breaks = fold[0].split('\n').length - 1;
      for (let i = 0; i < Math.max(1, breaks - 1); i++) positions.push(at);
      at += fold[0].length;
      continue;
    }
    const escaped = escapeLength(source, at, quote);
    positions.push(at);
    // Beyond the basic plane one escape or character makes two units.
    if (escaped === ESCAPE_LENGTHS.U && (value.codePointAt(positions.length - 1) ?? 0) > 0xffff) positions.push(at);
    at += escaped;
  }
  return [...positions, quote === '' ? at : Math.min(at, source.length)];
}

function escapeLength(source: string, at: number, quote: string): number {
  if (quote === "'" && source.startsWith("''", at)) return 2;
  if (quote !== '"' || source[at] !== '\\') return 1;
  return ESCAPE_LENGTHS[source[at + 1] ?? ''] ?? 2;
}
