import type { RE2JS } from 're2js';
import { respelled } from './regexNames';

/** A compiled regular expression of Go. */
export interface Regex {
  /** The number of groups, without the whole match. */
  readonly groupCount: number;
  /** Whether a text has a match anywhere; undefined if that could take too long to find out. */
  matches(text: string): boolean | undefined;
  /** The first `most` matches; undefined if that could take too long. Upstream: Regexp.FindAll. */
  findAll(text: string, most?: number): readonly RegexMatch[] | undefined;
}

export interface RegexMatch {
  /** Its start, in UTF-16 units of the text. */
  readonly index: number;
  readonly whole: string;
  /** The whole match and each group's part of it; undefined for a group that does not participate. */
  readonly groups: readonly (string | undefined)[];
  /** The part of the first group with this name that participates. */
  named(name: string): string | undefined;
}

export type CompiledRegex = { readonly regex: Regex } | { readonly error: string } | { readonly unsupported: string };

/** The message for a text and a pattern whose result is undefined. */
export const TOO_LONG = 'a regular expression that could take too long here';

/** The maximum length of a pattern; a longer one could take a second to compile. */
const LONGEST_PATTERN = 10_000;
/** The maximum product of a pattern's instructions and a text's characters in one search: at most one second. */
const MOST_STEPS = 5e7;
/** The cost of compiling one character of a pattern, and of keeping a match, in such steps. */
const STEPS_TO_COMPILE = 300;
const STEPS_OF_A_MATCH = 300;

/** Unbounded repetition. */
const LOOP = /[*+]|\{\d+,\}/;
/** A character, or a class, once or more often: a match needs no look-ahead beyond its end. */
const ONE_RUN = /^(?:\[(?:\[:\^?\w+:\]|\\.|[^\\\]])+\]|\\?.)\+$/su;

/** The engine's module. It is part of the bundle, but run only when the first expression is compiled. */
const regexLibrary = (): typeof import('re2js') => require('re2js');

/**
 * Upstream: Go's regexp.Compile; the character classes are those of a later version of Unicode. `spend` receives the
 * cost of compiling and searching, in microseconds, and may throw.
 */
export function compileRegex(pattern: string, spend: (microseconds: number) => void = () => {}): CompiledRegex {
  if (pattern.length > LONGEST_PATTERN) {
    return { unsupported: `a regular expression of more than ${LONGEST_PATTERN} characters` };
  }
  const { RE2JS, RE2JSSyntaxException } = regexLibrary();
  const { source, pieces, names } = respelled(pattern);
  const take = (steps: number) => spend(steps / 100);
  take(pattern.length * STEPS_TO_COMPILE);
  try {
    return { regex: regexOf(RE2JS.compile(source), pattern, names, take) };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const place = pieces.reduce((text, [made, written]) => text.replace(made, () => written), error.input ?? '');
    return { error: `error parsing regexp: ${error.error}: \`${place}\`` };
  }
}

function regexOf(
  engine: RE2JS,
  pattern: string,
  names: ReadonlyMap<string, string>,
  take: (steps: number) => void,
): Regex {
  const size = engine.programSize();
  const stepsFor = (length: number) => size * (length + 1);
  // Without a loop, every path through the instructions visits each at most once.
  const reach = ONE_RUN.test(pattern) ? 1 : LOOP.test(pattern) ? Number.POSITIVE_INFINITY : size;

  function matches(text: string): boolean | undefined {
    const steps = stepsFor(text.length);
    if (steps > MOST_STEPS) return undefined;
    take(steps);
    return engine.test(text);
  }

  function findAll(text: string, most = Number.POSITIVE_INFINITY): readonly RegexMatch[] | undefined {
    if (most <= 0) return [];
    if (stepsFor(text.length) > MOST_STEPS) return undefined;
    const found: RegexMatch[] = [];
    let left = MOST_STEPS;
    let end = -1;
    for (const it of engine.matchAll(text)) {
      const match = matchOf(it, names);
      const start = Math.max(0, end);
      // An empty match at the end of the previous one does not count.
      if (match.index > end || match.whole !== '') found.push(match);
      end = match.index + match.whole.length;
      const steps = stepsFor(Math.min(text.length, end + reach) - start) + STEPS_OF_A_MATCH;
      take(steps);
      left -= steps;
      if (left < 0) return undefined;
      if (found.length >= most) return found;
    }
    take(stepsFor(text.length - Math.max(0, end)));
    return found;
  }

  return { groupCount: engine.groupCount(), matches, findAll };
}

function matchOf(it: RegExpMatchArray, names: ReadonlyMap<string, string>): RegexMatch {
  return {
    index: it.index ?? 0,
    whole: it[0],
    groups: [...it],
    named: name => [...names].flatMap(([own, written]) => (written === name ? (it.groups?.[own] ?? []) : []))[0],
  };
}

/**
 * The text with its first `most` matches replaced by a template, which `expanded` expands for each; undefined if that
 * could take too long. Upstream: Regexp.ReplaceAll.
 */
export function replaceMatches(
  regex: Regex,
  text: string,
  template: string,
  expanded: (template: string, match: RegexMatch) => string,
  most?: number,
): string | undefined {
  const found = template.length * (text.length + 1) > MOST_STEPS ? undefined : regex.findAll(text, most);
  if (found === undefined) return undefined;
  const ends = found.map(({ index, whole }) => index + whole.length);
  const replaced = found.map((it, i) => text.slice(ends[i - 1] ?? 0, it.index) + expanded(template, it));
  return replaced.join('') + text.slice(ends.at(-1) ?? 0);
}

/** `$1`, `${1}`, `$name`, `$$`; a `$` before anything else is literal. Upstream: Regexp.Expand. */
export function expand(template: string, match: RegexMatch): string {
  return template.replace(
    /\$(?:(\$)|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu,
    (_, dollar?: string, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      return dollar ?? (/^(?:0|[1-9]\d{0,8})$/.test(name) ? match.groups[Number(name)] : match.named(name)) ?? '';
    },
  );
}
