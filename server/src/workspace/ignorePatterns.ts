import { lazyByText } from '../base/lazy';
import { push } from '../base/multiMap';

/** What ignore files say of a path: a pattern excludes it, or a later one includes it again; undefined: nothing. */
export type IgnoreVerdict = 'ignored' | 'included' | undefined;

/** The patterns of an ignore file, asked about paths relative to its folder. */
export interface IgnorePatterns {
  readonly verdictOn: (path: string, kind: 'file' | 'folder') => IgnoreVerdict;
}

/**
 * The patterns of a text in git's syntax; letters count as equal to capital ones. Written by hand, as are the paths of berth.yaml:
 * the regular expressions of libraries try all ways to divide a path among stars. Plain names are looked up, however many
 * there are, and a pattern takes at most its length × that of the path. Upstream: git's wildmatch.c and dir.c.
 */
export function ignorePatterns(text: string): IgnorePatterns {
  const plain = new Map<string, Rule[]>();
  const others: Rule[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const rule = ruleOf(line, index);
    if (rule === undefined) continue;
    if (rule.plain === undefined) others.push(rule);
    else push(plain, rule.plain, rule);
  }
  const ofFolder = lazyByText(path => verdictOn(path, 'folder'));

  function verdictOn(path: string, kind: 'file' | 'folder'): IgnoreVerdict {
    const end = path.lastIndexOf('/');
    // What is in an excluded folder cannot be included again.
    if (end > 0 && ofFolder(path.slice(0, end)) === 'ignored') return 'ignored';
    const rule = lastOf(path, path.slice(end + 1), kind);
    return rule && (rule.isNegated ? 'included' : 'ignored');
  }

  function lastOf(path: string, name: string, kind: 'file' | 'folder'): Rule | undefined {
    const isMeant = (it: Rule): boolean => kind === 'folder' || !it.isFolder;
    const named = [plain.get(name)?.findLast(isMeant), plain.get(`/${path}`)?.findLast(isMeant)];
    const last = named.reduce((a, b) => (b !== undefined && (a === undefined || b.index > a.index) ? b : a));
    const steps = path.split('/');
    for (let i = others.length - 1; i >= 0 && others[i]!.index > (last?.index ?? -1); i--) {
      const rule = others[i]!;
      if (isMeant(rule) && matches(rule, steps)) return rule;
    }
    return last;
  }

  return { verdictOn: (path, kind) => verdictOn(path.toLowerCase(), kind) };
}

interface Rule {
  /** The number of the line: the last one that matches counts. */
  readonly index: number;
  readonly isNegated: boolean;
  readonly isFolder: boolean;
  /** Of a pattern without wildcards: the name, or the path with a slash in front. */
  readonly plain: string | undefined;
  /** Whether it matches names anywhere, not paths from the folder of the file. */
  readonly isName: boolean;
  readonly steps: readonly Step[];
}

type Token = string | 'star' | 'any' | Letters;
interface Letters {
  readonly has: (letter: string) => boolean;
}
/** `**`, or the pattern of one step of a path. */
type Step = 'steps' | readonly Token[];

/** No path is longer. */
const LONGEST = 4_096;

function ruleOf(line: string, index: number): Rule | undefined {
  if (line.startsWith('#') || line.length > LONGEST) return undefined;
  const isNegated = line.startsWith('!');
  const written = withoutBlanks(isNegated ? line.slice(1) : line);
  const isFolder = written.endsWith('/');
  const pattern = (isFolder ? written.slice(0, -1) : written).toLowerCase();
  const tokens = tokensOf(pattern);
  if (tokens === undefined || tokens.length === 0) return undefined;
  const isName = !tokens.includes('/');
  const steps = isName ? [tokens] : stepsOf(tokens[0] === '/' ? tokens.slice(1) : tokens);
  const isPlain = tokens.every(it => typeof it === 'string' && it.length === 1);
  const name = tokens.join('');
  const plain = isPlain ? (isName || name.startsWith('/') ? name : `/${name}`) : undefined;
  return { index, isNegated, isFolder, plain, isName, steps };
}

/** Blanks at the end do not count, unless the first of them has a backslash in front. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
}

/** undefined for a pattern that matches nothing. */
function tokensOf(pattern: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern.charAt(at);
    if (letter === '*') tokens.push('star');
    else if (letter === '?') tokens.push('any');
    else if (letter === '\\') {
      at += 1;
      if (at === pattern.length) return undefined;
      tokens.push(pattern.charAt(at));
    } else if (letter === '[') {
      const set = lettersAt(pattern, at + 1);
      if (set === undefined) return undefined;
      tokens.push(set.letters);
      at = set.end;
    } else tokens.push(letter);
  }
  return tokens;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9a-z]/,
  alpha: /[a-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[a-z]/,
  xdigit: /[0-9a-f]/,
};

/** The letters of a bracket expression that begins before a place, and where it ends; undefined: it does not end, or is wrong. */
function lettersAt(pattern: string, start: number): { readonly letters: Letters; readonly end: number } | undefined {
  const isNegated = pattern[start] === '!' || pattern[start] === '^';
  const first = isNegated ? start + 1 : start;
  const parts: ((letter: string) => boolean)[] = [];
  for (let at = first; at < pattern.length; at++) {
    const letter = pattern.charAt(at);
    // The first one may be a closing bracket.
    if (letter === ']' && at > first) {
      const has = (it: string): boolean => it !== '/' && parts.some(part => part(it)) !== isNegated;
      return { letters: { has }, end: at };
    }
    const named = letter === '[' ? /^\[:([a-z]*):\]/.exec(pattern.slice(at, at + 20)) : null;
    if (named !== null) {
      const [whole, name = ''] = named;
      const known = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
      if (known === undefined) return undefined;
      parts.push(it => known.test(it));
      at += whole.length - 1;
      continue;
    }
    if (letter === '\\') at += 1;
    const from = pattern.charAt(at);
    if (pattern[at + 1] !== '-' || pattern[at + 2] === ']' || at + 2 >= pattern.length) {
      parts.push(it => it === from);
      continue;
    }
    at += pattern[at + 2] === '\\' ? 3 : 2;
    const to = pattern.charAt(at);
    parts.push(it => it === from || (from <= it && it <= to));
  }
  return undefined;
}

function stepsOf(tokens: readonly Token[]): readonly Step[] {
  const steps: Step[] = [];
  let step: Token[] = [];
  for (const token of [...tokens, '/']) {
    if (token !== '/') step.push(token);
    else {
      const isAll = step.length > 1 && step.every(it => it === 'star');
      if (!isAll) steps.push(step);
      else if (steps.at(-1) !== 'steps') steps.push('steps');
      step = [];
    }
  }
  // What is in a folder, and not the folder itself.
  return steps.at(-1) === 'steps' ? [...steps, ['star']] : steps;
}

function matches({ isName, steps }: Rule, path: readonly string[]): boolean {
  if (!isName) return matchesAll(steps, path, it => it === 'steps', matchesStep);
  const [step] = steps;
  return step !== undefined && matchesStep(step, path.at(-1) ?? '');
}

const matchesStep = (step: Step, name: string): boolean =>
  step !== 'steps' && matchesAll(step, name, it => it === 'star', isLetter);

function isLetter(token: Token, letter: string): boolean {
  if (typeof token !== 'string') return token.has(letter);
  return token === 'any' || token === letter;
}

/**
 * Whether items are matched one by one, where some patterns stand for any number of items. Only the last of these is tried with
 * more: what it takes the one before need not.
 */
function matchesAll<P, T>(
  patterns: readonly P[],
  items: ArrayLike<T>,
  isAny: (pattern: P) => boolean,
  isMatch: (pattern: P, item: T) => boolean,
): boolean {
  let [at, any, resume] = [0, -1, 0];
  for (let i = 0; i < items.length; ) {
    const pattern = patterns[at];
    if (pattern !== undefined && isAny(pattern)) {
      any = at;
      at += 1;
      resume = i;
    } else if (pattern !== undefined && isMatch(pattern, items[i]!)) {
      at += 1;
      i += 1;
    } else if (any >= 0) {
      at = any + 1;
      resume += 1;
      i = resume;
    } else return false;
  }
  while (at < patterns.length && isAny(patterns[at]!)) at += 1;
  return at === patterns.length;
}
