/**
 * Regular expressions of RE2 on the engine of JavaScript. That engine can take exponential time where RE2 cannot, so a
 * pattern that might is not run at all.
 */

import { inJavaScript } from './regexSyntax';

export type Regex = { readonly regex: RegExp } | { readonly error: string } | { readonly unsupported: string };

/**
 * The pattern, with `flags` of RegExp beside those it sets itself. One by a trusted author is taken to end in time.
 * Upstream: Go's regexp.Compile.
 */
export function compileRegex(pattern: string, flags = '', author: 'anyone' | 'trusted' = 'anyone'): Regex {
  const [lead = ''] = /^\(\?[ims]+\)/.exec(pattern) ?? [];
  const body = pattern.slice(lead.length);
  if (/\(\?[imsU-]*[U-]|\(\?[ims]+[):]/.test(body)) return { unsupported: 'this form of regular expression' };
  const made = inJavaScript(body);
  if ('error' in made) return { error: `error parsing regexp: ${made.error}` };
  if ('unsupported' in made) return made;
  if (author === 'anyone' && mayExplode(body))
    return { unsupported: 'a regular expression that could take too long here' };
  const own = [...new Set(`u${flags}${lead.replace(/[^ims]/g, '')}`)].join('');
  try {
    return { regex: new RegExp(made.source, own) };
  } catch (error) {
    return { error: `error parsing regexp: ${error instanceof Error ? error.message : pattern}` };
  }
}

/** Whether something that repeats without end is repeated without end itself, or is a choice that is. */
function mayExplode(pattern: string): boolean {
  const plain = pattern.replace(/\\./gs, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x');
  const groups: { readonly isRisky: boolean }[] = [];
  let current = { isRisky: false };
  for (let i = 0; i < plain.length; i++) {
    if (plain[i] === '(') {
      groups.push(current);
      current = { isRisky: false };
    } else if (plain[i] === ')') {
      const isRisky = current.isRisky;
      current = groups.pop() ?? { isRisky: false };
      if (isRisky && isEndless(plain.slice(i + 1))) return true;
      if (isRisky || isEndless(plain.slice(i + 1))) current = { isRisky: true };
    } else if (plain[i] === '|' || isEndless(plain.slice(i))) {
      current = { isRisky: true };
    }
  }
  return false;
}

function isEndless(rest: string): boolean {
  return /^(?:[*+]|\{\d+,\})/.test(rest);
}
