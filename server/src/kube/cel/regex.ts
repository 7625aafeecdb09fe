import type { RE2JS } from 're2js';
import { respelled } from './regexNames';

/** A regular expression of Go. */
export interface Regex {
  /** How many groups there are; the whole is none of them. */
  readonly groupCount: number;
  /** Whether a text has a match anywhere; undefined where it could take too long to tell. */
  matches(text: string): boolean | undefined;
  /** The first `most` matches; undefined where it could take too long to find them. Upstream: Regexp.FindAll. */
  findAll(text: string, most?: number): readonly RegexMatch[] | undefined;
}

export interface RegexMatch {
  /** Where it begins, in UTF-16 units of the text. */
  readonly index: number;
  readonly whole: string;
  /** The whole, and what each group has of it; undefined for a group that takes no part. */
  readonly groups: readonly (string | undefined)[];
  /** What the first group of this name has that takes part. */
  named(name: string): string | undefined;
}

export type CompiledRegex = { readonly regex: Regex } | { readonly error: string } | { readonly unsupported: string };

/** What is said of a text and a pattern for which the answer is undefined. */
export const TOO_LONG = 'a regular expression that could take too long here';

/** Characters of a pattern; more could take a second to compile. */
const LONGEST_PATTERN = 10_000;
/** Instructions of a pattern times characters of a text that are gone through at once: a second, at the slowest. */
const MOST_STEPS = 5e7;
/** What a character of a pattern costs to compile, and a match to keep, in such steps. */
const STEPS_TO_COMPILE = 300;
const STEPS_OF_A_MATCH = 300;

/** What may be repeated without end. */
const LOOP = /[*+]|\{\d+,\}/;
/** A character, or a class, once or more often: nothing beyond where it ends has to be looked at. */
const ONE_RUN = /^(?:\[(?:\[:\^?\w+:\]|\\.|[^\\\]])+\]|\\?.)\+$/su;

/** The engine's module. Bundled with the rest, but run only when the first expression is met. */
const regexLibrary = (): typeof import('re2js') => require('re2js');

/**
 * Upstream: Go's regexp.Compile; characters have their classes of a later version of Unicode. `spend` is told what
 * compiling and searching cost, in microseconds, and may throw.
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
  // Without a loop, no way through the instructions comes to one of them twice.
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
      // Nothing of no length is found where the match before ends.
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
 * The text with its first `most` matches replaced by what `expanded` makes of a template for each; undefined where it
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

/** `$1`, `${1}`, `$name`, `$$`; a `$` before anything else is itself. Upstream: Regexp.Expand. */
export function expand(template: string, match: RegexMatch): string {
  return template.replace(
    /\$(?:(\$)|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu,
    (_, dollar?: string, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? '';
      return dollar ?? (/^(?:0|[1-9]\d{0,8})$/.test(name) ? match.groups[Number(name)] : match.named(name)) ?? '';
    },
  );
}
