/**
 * Regular expressions of RE2 on the engine of JavaScript. That engine can take exponential time where RE2 cannot, so a
 * pattern that might is not run at all.
 */

export type Regex = { readonly regex: RegExp } | { readonly error: string } | { readonly unsupported: string };

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
  punct: '!-\\/:-@[-`{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/**
 * The pattern, with `flags` of RegExp beside those it sets itself. One by a trusted author is taken to end in time.
 * Upstream: Go's regexp.Compile.
 */
export function compileRegex(pattern: string, flags = '', author: 'anyone' | 'trusted' = 'anyone'): Regex {
  const wrong = foreign(pattern);
  if (wrong !== undefined) return { error: `error parsing regexp: ${wrong}` };
  const [lead = ''] = /^\(\?[ims]+\)/.exec(pattern) ?? [];
  const body = pattern.slice(lead.length);
  if (/\(\?[imsU-]*[U-]|\(\?[ims]+[):]|\\[QEC]/.test(body)) {
    return { unsupported: 'this form of regular expression' };
  }
  if (author === 'anyone' && mayExplode(body))
    return { unsupported: 'a regular expression that could take too long here' };
  const own = [...new Set(`u${flags}${lead.replace(/[^ims]/g, '')}`)].join('');
  try {
    return { regex: new RegExp(translated(body), own) };
  } catch (error) {
    return { error: `error parsing regexp: ${error instanceof Error ? error.message : pattern}` };
  }
}

/** What JavaScript has and RE2 has not. */
function foreign(pattern: string): string | undefined {
  const plain = pattern.replace(/\\[^1-9k]/gs, '');
  if (/\(\?<?[=!]/.test(plain)) return 'invalid or unsupported Perl syntax';
  return /\\[1-9k]/.test(plain) ? 'invalid escape sequence' : undefined;
}

function translated(pattern: string): string {
  return pattern
    .replace(/\(\?P</g, '(?<')
    .replace(/\\A/g, '^')
    .replace(/\\z/g, '$(?![\\s\\S])')
    .replace(/\\a/g, '\\x07')
    .replace(/\[:(\w+):\]/g, (whole, name: string) => posixClasses[name] ?? whole)
    .replace(/\\x\{([0-9A-Fa-f]+)\}/g, '\\u{$1}')
    .replace(/\\p([A-Z])(?!\w|\{)/g, '\\p{$1}')
    .replace(/\\([^0-9A-Za-z^$\\.*+?()[\]{}|/-])/g, '$1');
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
