/** A regular expression in pieces. */
export type RegexNode =
  | { readonly is: 'character'; readonly source: string }
  /** A place between characters: `^`, `\b`. */
  | { readonly is: 'place'; readonly source: string }
  | { readonly is: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly is: 'choice'; readonly parts: readonly RegexNode[] }
  | { readonly is: 'repetition'; readonly of: RegexNode; readonly least: number; readonly most: number };

const TOKEN =
  /\(\?<?![^)]*\)|\\u\{[^}]*\}|\\[pP]\{[^}]*\}|\\x[\dA-Fa-f]{2}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?:|\(\?<\w+>|[\s\S]/uy;
const REPETITION = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
const PLACE = /^(?:[$^]|\\[bB]|\(\?.*)$/s;

/** Groups within each other beyond this are read by nobody. */
const MAX_DEPTH = 500;

/** The pieces of what `inJavaScript` gives, where RegExp takes it; undefined where groups are nested too deep. */
export function regexTree(source: string): RegexNode | undefined {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };

  function choice(depth: number): RegexNode | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const parts: RegexNode[] = [];
    let sequence: RegexNode[] = [];
    for (let token = take(TOKEN)?.[0]; token !== undefined && token !== ')'; token = take(TOKEN)?.[0]) {
      if (token === '|') {
        parts.push({ is: 'sequence', parts: sequence });
        sequence = [];
        continue;
      }
      const piece = /^\((?:\?:|\?<\w+>)?$/.test(token) ? choice(depth + 1) : leaf(token);
      if (piece === undefined) return undefined;
      sequence.push(repeated(piece, take(REPETITION)));
    }
    parts.push({ is: 'sequence', parts: sequence });
    return parts.length === 1 ? parts[0] : { is: 'choice', parts };
  }

  return choice(0);
}

const leaf = (source: string): RegexNode => ({ is: PLACE.test(source) ? 'place' : 'character', source });

function repeated(of: RegexNode, found: RegExpExecArray | null): RegexNode {
  if (found === null) return of;
  const [, mark, count, comma, most] = found;
  if (mark !== undefined) {
    const least = mark === '+' ? 1 : 0;
    return { is: 'repetition', of, least, most: mark === '?' ? 1 : Number.POSITIVE_INFINITY };
  }
  const least = Number(count);
  if (comma === undefined) return { is: 'repetition', of, least, most: least };
  return { is: 'repetition', of, least, most: most ? Number(most) : Number.POSITIVE_INFINITY };
}

/** How many ways there are through a pattern: `factor` times the characters of the text to the power of `degree`. */
export interface Ways {
  readonly degree: number;
  readonly factor: number;
}

const ONE_WAY: Ways = { degree: 0, factor: 1 };

/** The ways that an engine may try one after the other before it gives up; no fewer. */
export function waysThrough(node: RegexNode): Ways {
  switch (node.is) {
    case 'sequence':
      return node.parts.map(waysThrough).reduce(bothOf, ONE_WAY);
    case 'choice': {
      const all = node.parts.map(waysThrough);
      return { degree: Math.max(...all.map(it => it.degree)), factor: all.reduce((sum, it) => sum + it.factor, 0) };
    }
    case 'repetition':
      return waysToRepeat(waysThrough(node.of), node.least, node.most);
    default:
      return ONE_WAY;
  }
}

const bothOf = (a: Ways, b: Ways): Ways => ({ degree: a.degree + b.degree, factor: a.factor * b.factor });

function waysToRepeat({ degree, factor }: Ways, least: number, most: number): Ways {
  const isSimple = degree === 0 && factor === 1;
  if (most === Number.POSITIVE_INFINITY) return isSimple ? { degree: 1, factor: 1 } : { degree: most, factor: 1 };
  return { degree: degree * most, factor: factor ** most * (most - least + 1) };
}

/** Whether a match can only begin where the text does. */
export const isAnchored = (node: RegexNode): boolean =>
  node.is === 'sequence' && node.parts[0]?.is === 'place' && node.parts[0].source === '^';
