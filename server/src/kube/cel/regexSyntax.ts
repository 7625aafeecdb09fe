/** What RE2 writes, as JavaScript writes the same with the flag `u`. Upstream: Go's regexp/syntax. */
export type Translation = { readonly source: string } | { readonly error: string } | { readonly unsupported: string };

/** A piece of a pattern in JavaScript, and how many characters of RE2 it stands for. */
type Piece = { readonly text: string; readonly length: number } | Exclude<Translation, { source: string }>;

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** White space as RE2 has it; JavaScript has more. */
const SPACES = '\\t\\n\\f\\r ';
/** Places and characters that JavaScript spells in another way. */
const SPELLED: Readonly<Record<string, string>> = { A: '(?<![\\s\\S])', z: '(?![\\s\\S])', a: '\\x07' };
/** More repetitions than this RE2 refuses. */
const MOST_REPEATED = 1000;

export function inJavaScript(pattern: string): Translation {
  let source = '';
  for (let at = 0; at < pattern.length; ) {
    const piece = pieceAt(pattern.slice(at));
    if (!('text' in piece)) return piece;
    source += piece.text;
    at += piece.length;
  }
  return { source };
}

function pieceAt(rest: string): Piece {
  switch (rest[0]) {
    case '\\':
      return escapeAt(rest, 'outside');
    case '[':
      return classAt(rest);
    case '{':
      return repetitionAt(rest);
    case '}':
    case ']':
      return { text: `\\${rest[0]}`, length: 1 };
    case '(':
      return groupAt(rest);
    default:
      return { text: rest[0] ?? '', length: 1 };
  }
}

function groupAt(rest: string): Piece {
  if (/^\(\?<?[=!]/.test(rest)) return { error: 'invalid or unsupported Perl syntax' };
  return rest.startsWith('(?P<') ? { text: '(?<', length: 4 } : { text: '(', length: 1 };
}

/** A brace that begins no repetition is itself. */
function repetitionAt(rest: string): Piece {
  const [whole, least = '', most = ''] = /^\{(\d+)(?:,(\d*))?\}/.exec(rest) ?? [];
  if (whole === undefined) return { text: '\\{', length: 1 };
  const isTooMuch = Math.max(Number(least), Number(most)) > MOST_REPEATED;
  return isTooMuch ? { error: `invalid repeat count: ${whole}` } : { text: whole, length: whole.length };
}

function classAt(rest: string): Piece {
  const isNegated = rest[1] === '^';
  let text = isNegated ? '[^' : '[';
  let at = text.length;
  if (rest[at] === ']') {
    text += '\\]';
    at += 1;
  }
  while (at < rest.length && rest[at] !== ']') {
    const piece = classPieceAt(rest.slice(at));
    if (!('text' in piece)) return piece;
    text += piece.text;
    at += piece.length;
  }
  return at < rest.length ? { text: `${text}]`, length: at + 1 } : { error: `missing closing ]: ${rest}` };
}

function classPieceAt(rest: string): Piece {
  const [named, negation, name = ''] = /^\[:(\^?)(\w+):\]/.exec(rest) ?? [];
  if (named !== undefined) {
    const members = posixClasses[name];
    if (members === undefined) return { error: `invalid character class range: ${named}` };
    return negation ? { unsupported: `the class ${named}` } : { text: members, length: named.length };
  }
  if (rest[0] === '\\') return escapeAt(rest, 'in a class');
  return { text: rest[0] === '[' ? '\\[' : (rest[0] ?? ''), length: 1 };
}

function escapeAt(rest: string, where: 'outside' | 'in a class'): Piece {
  const [, letter = ''] = rest;
  const isOutside = where === 'outside';
  if (/[pP]/.test(letter)) return propertyAt(rest);
  if (letter === 'x') return codePointAt(rest);
  if (/[QEC]/.test(letter)) return { unsupported: 'this form of regular expression' };
  if (letter === 's') return { text: isOutside ? `[${SPACES}]` : SPACES, length: 2 };
  if (letter === 'S') {
    return isOutside ? { text: `[^${SPACES}]`, length: 2 } : { unsupported: 'this form of regular expression' };
  }
  if (/[dDwWfnrtv]/.test(letter) || (isOutside && /[bB]/.test(letter))) return { text: `\\${letter}`, length: 2 };
  if (letter === 'a' || (isOutside && /[Az]/.test(letter))) return { text: SPELLED[letter] ?? '', length: 2 };
  const [octal] = /^\\0[0-7]{0,2}/.exec(rest) ?? [];
  if (octal !== undefined)
    return { text: `\\u{${Number.parseInt(octal.slice(1), 8).toString(16)}}`, length: octal.length };
  const isPunctuation = /^[!-/:-@[-`{-~]$/.test(letter);
  if (!isPunctuation) return { error: `invalid escape sequence: ${rest.slice(0, 2)}` };
  const isSyntax = /[$^\\.*+?()[\]{}|/]/.test(letter) || (!isOutside && letter === '-');
  return { text: isSyntax ? `\\${letter}` : letter, length: 2 };
}

/** `\pL`, `\p{Lu}`, `\p{Greek}`, `\p{^Lu}`. Names of more than two letters are those of scripts. */
function propertyAt(rest: string): Piece {
  const [whole, letter = '', short, negation, long] = /^\\([pP])(?:([A-Z])|\{(\^?)(\w+)\})/.exec(rest) ?? [];
  const name = short ?? long;
  if (whole === undefined || name === undefined) return { error: `invalid character class range: ${rest.slice(0, 3)}` };
  const isNegated = (letter === 'P') !== (negation === '^');
  if (name === 'Any') return { unsupported: whole };
  return { text: `\\${isNegated ? 'P' : 'p'}{${name.length > 2 ? `Script=${name}` : name}}`, length: whole.length };
}

function codePointAt(rest: string): Piece {
  const [whole, braced, plain] = /^\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))/.exec(rest) ?? [];
  if (whole === undefined) return { error: `invalid escape sequence: ${rest.slice(0, 2)}` };
  return { text: `\\u{${braced ?? plain}}`, length: whole.length };
}
