const ESCAPE = '\u001b';
/** Colours that `style` writes; they take no column. */
const COLOUR = new RegExp(`${ESCAPE}\\[\\d+m`, 'g');
const HANGING = 4;

/** How many columns a text without line breaks takes; wide characters count as one. */
export function columnsOf(text: string): number {
  return text.includes(ESCAPE) ? text.replace(COLOUR, '').length : text.length;
}

/** The words of a text in lines of at most `width` columns; a word that is longer stays whole. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let columns = 0;
  for (const word of text.split(' ')) {
    const more = columnsOf(word);
    if (line !== '' && columns + 1 + more > width) {
      lines.push(line);
      line = word;
      columns = more;
    } else {
      line = line === '' ? word : `${line} ${word}`;
      columns += columns === 0 ? more : more + 1;
    }
  }
  return [...lines, line];
}

/** Folds the lines of a text that are wider than a terminal, each below its own beginning; undefined: no terminal. */
export function fitted(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .map(line => (columnsOf(line) <= columns ? line : foldedLine(line, columns)))
    .join('\n');
}

function foldedLine(line: string, columns: number): string {
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  const hanging = Math.min(indent + HANGING, Math.floor(columns / 2));
  const [first = '', ...rest] = wrapped(line.slice(indent), columns - hanging);
  return [' '.repeat(indent) + first, ...rest.map(it => ' '.repeat(hanging) + it)].join('\n');
}
