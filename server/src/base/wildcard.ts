/**
 * Whether a text matches a pattern in which `*` stands for any characters and `?` for exactly one. It takes at most
 * pattern × text steps. Upstream: ext/wildcard.Match. Written by hand: in globs (picomatch, the paths of berth.yaml) `*`
 * does not match `/`, and brackets and braces have a meaning.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (pattern === '*') return true;
  if (!hasWildcard(pattern)) return pattern === text;
  // `?` is one code point, which most texts have one unit for.
  const isPlain = !/[\ud800-\udfff]/.test(text);
  const want: ArrayLike<string> = isPlain ? pattern : [...pattern];
  const have: ArrayLike<string> = isPlain ? text : [...text];
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let i = 0; i < have.length; ) {
    if (want[at] === '*') {
      star = at;
      at += 1;
      resume = i;
    } else if (at < want.length && (want[at] === '?' || want[at] === have[i])) {
      at += 1;
      i += 1;
    } else if (star >= 0) {
      at = star + 1;
      resume += 1;
      i = resume;
    } else {
      return false;
    }
  }
  while (want[at] === '*') at += 1;
  return at === want.length;
}

/** Upstream: ext/wildcard.ContainsWildcard. */
export function hasWildcard(text: string): boolean {
  return text.includes('*') || text.includes('?');
}

/** Whether one of the patterns matches. Upstream: ext/wildcard.CheckPatterns. */
export function matchesAnyWildcard(patterns: readonly string[], text: string): boolean {
  return patterns.some(it => matchesWildcard(it, text));
}
