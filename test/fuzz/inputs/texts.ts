import type { TextFile } from '../corpus';
import { below, pick, type Random } from '../random';

const BITS = [
  '\n',
  '\r',
  '\r\n',
  '\t',
  ' ',
  '  ',
  ':',
  ': ',
  '-',
  '- ',
  ',',
  '[',
  ']',
  '{',
  '}',
  '#',
  ' #',
  '&a',
  '*a',
  '<<: *a',
  '!',
  '!!str ',
  '!!binary |',
  '!!set ',
  '|',
  '>',
  '|2-',
  '"',
  "'",
  '\\',
  '\\u0000',
  '\\xff',
  '%YAML 1.1\n',
  '---',
  '...',
  '? ',
  '@',
  '`',
  '~',
  '\0',
  '\x07',
  '\x1b[31m',
  '\ufeff',
  '\u0085',
  '\u2028',
  '\ud800',
  '\u{1f433}',
  '\u202e',
  '# berth-ignore',
  '# berth-ignore all',
  '{{ .Values.x }}',
  '{{- if a }}',
  '0o17',
  '0b1',
  '1_000',
  '.inf',
  '-.NaN',
  '2001-12-14t21:59:43.10-05:00',
  '1:30',
  'yes',
  '=',
  '__proto__',
];

/** A file with a few random text changes: parts inserted, removed, doubled, moved, or copied from elsewhere. */
export function textually(random: Random, file: TextFile, others: readonly TextFile[]): TextFile {
  let { text } = file;
  for (let left = 1 + below(random, 4); left > 0; left--) text = pick(random, CHANGES)(random, text, others);
  return { ...file, text };
}

type Change = (random: Random, text: string, others: readonly TextFile[]) => string;

const CHANGES: readonly Change[] = [
  (random, text) => spliced(text, placeIn(random, text), 0, pick(random, BITS)),
  (random, text) => spliced(text, placeIn(random, text), 0, pick(random, BITS)),
  (random, text) => spliced(text, placeIn(random, text), 1 + below(random, 3), ''),
  (random, text) => spliced(text, placeIn(random, text), below(random, 80), ''),
  (random, text) => spliced(text, placeIn(random, text), 0, String.fromCharCode(below(random, 0x250))),
  (random, text) => text.slice(0, placeIn(random, text)),
  (random, text) => {
    const at = placeIn(random, text);
    return spliced(text, at, 0, text.slice(at, at + below(random, 200)));
  },
  (random, text) => text.replaceAll('\n', pick(random, ['\r\n', '\r', '\n\n', '\u0085'])),
  (random, text) => {
    const lines = text.split('\n');
    const at = below(random, lines.length);
    return [
      ...lines.slice(0, at),
      pick(random, [' ', '  ', '\t', '- ', '# ']) + lines[at],
      ...lines.slice(at + 1),
    ].join('\n');
  },
  (random, text, others) => {
    const other = pick(random, others).text;
    const at = placeIn(random, other);
    return spliced(text, placeIn(random, text), below(random, 20), other.slice(at, at + below(random, 200)));
  },
  (random, text) => {
    const words = [...text.matchAll(/[\w./-]+/g)];
    if (words.length === 0) return text;
    const [from, to] = [pick(random, words), pick(random, words)];
    return spliced(text, from.index, from[0].length, to[0]);
  },
];

const placeIn = (random: Random, text: string): number => below(random, text.length + 1);

const spliced = (text: string, at: number, remove: number, insert: string): string =>
  text.slice(0, at) + insert + text.slice(at + remove);
