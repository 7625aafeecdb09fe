/** Columns of a hover: the editor wraps longer lines. */
const COLUMNS = 90;

/** How many lines a hover takes for a part of Markdown. */
export function linesOf(markdown: string): number {
  return markdown
    .split('\n')
    .filter(it => it.trim() !== '' && !/^[|:\s-]+$/.test(it))
    .reduce((sum, it) => sum + Math.ceil(it.length / COLUMNS), 0);
}

/**
 * Markdown in at most `most` lines, of which the last is `more`, a pointer to the rest; unchanged if it is shorter. Whole
 * paragraphs are kept, and of the first that is too long its first sentences.
 */
export function fewLines(markdown: string, most: number, more: string): string {
  if (linesOf(markdown) <= most) return markdown;
  const kept: string[] = [];
  let left = most - linesOf(more);
  for (const block of markdown.split('\n\n')) {
    const lines = linesOf(block);
    if (lines > left) {
      kept.push(...startOf(block, left));
      break;
    }
    kept.push(block);
    left -= lines;
  }
  return [...kept, more].join('\n\n');
}

/** The first lines of a list, or the first sentences of a paragraph, in at most `most` lines of the hover. */
function startOf(block: string, most: number): readonly string[] {
  if (most <= 0) return [];
  const parts = block.includes('\n') ? block.split('\n') : block.split(/(?<=\.) (?=[A-Z`*])/);
  const joint = block.includes('\n') ? '\n' : ' ';
  const fits = (count: number): boolean => linesOf(parts.slice(0, count).join(joint)) <= most;
  const count = parts.findIndex((_, i) => !fits(i + 1));
  if (count > 0) return [parts.slice(0, count).join(joint)];
  const text = parts[0] ?? '';
  const cut = text.slice(0, most * COLUMNS - 1);
  // A code span or a link that is cut would swallow what follows.
  return /[`[\]|<]/.test(cut) ? [] : [`${cut.slice(0, cut.lastIndexOf(' '))}…`];
}
