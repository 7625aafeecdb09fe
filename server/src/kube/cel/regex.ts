import { hasMatch } from './regexMatch';
import { inJavaScript } from './regexSyntax';
import { isAnchored, type RegexNode, regexTree, waysThrough } from './regexTree';

/**
 * A regular expression of RE2. The engine of JavaScript can take exponential time where RE2 cannot, so that it is asked
 * only where it surely ends soon.
 */
export interface Regex {
  /** Whether a text has a match anywhere; undefined where it could take too long to tell. */
  matches(text: string): boolean | undefined;
  /** The expression of JavaScript, to find where a text matches; undefined where that could take too long. */
  finderFor(text: string): RegExp | undefined;
}

export type CompiledRegex = { readonly regex: Regex } | { readonly error: string } | { readonly unsupported: string };

/** What is said of a text and a pattern for which the answer is undefined. */
export const TOO_LONG = 'a regular expression that could take too long here';

/** Steps after which another way is gone to see whether there is a match. */
const FEW_STEPS = 1e6;
/** Steps that are taken where there is no other way: a second or two. */
const MANY_STEPS = 1e8;

/** The pattern, with `flags` of RegExp beside those it sets itself. Upstream: Go's regexp.Compile. */
export function compileRegex(pattern: string, flags = ''): CompiledRegex {
  const [lead = ''] = /^\(\?[ims]+\)/.exec(pattern) ?? [];
  const body = pattern.slice(lead.length);
  if (/\(\?[imsU-]*[U-]|\(\?[ims]+[):]/.test(body)) return { unsupported: 'this form of regular expression' };
  const made = inJavaScript(body);
  if ('error' in made) return { error: `error parsing regexp: ${made.error}` };
  if ('unsupported' in made) return made;
  const own = [...new Set(`u${flags}${lead.replace(/[^ims]/g, '')}`)].join('');
  try {
    return { regex: regexOf(new RegExp(made.source, own)) };
  } catch (error) {
    return { error: `error parsing regexp: ${error instanceof Error ? error.message : pattern}` };
  }
}

function regexOf(finder: RegExp): Regex {
  const tree = regexTree(finder.source);
  const isSoon = (text: string, steps: number) => tree !== undefined && stepsAtMost(tree, finder, text.length) <= steps;
  return {
    matches(text) {
      if (!isSoon(text, FEW_STEPS)) return tree && hasMatch(tree, finder.flags, text);
      finder.lastIndex = 0;
      return finder.test(text);
    },
    finderFor: text => (isSoon(text, MANY_STEPS) ? finder : undefined),
  };
}

/** The ways through a pattern, from each place of a text where it may begin. */
function stepsAtMost(tree: RegexNode, { multiline }: RegExp, length: number): number {
  const { degree, factor } = waysThrough(tree);
  if (degree === Number.POSITIVE_INFINITY) return degree;
  let steps = factor;
  // Each place that divides a text divides what the ones before it have left.
  for (let i = 1; i <= degree; i++) steps *= Math.max(1, (length + 1) / i);
  return isAnchored(tree) && !multiline ? steps : (steps * (length + 1)) / (degree + 1);
}
