import { isBelow, resolveIn } from '../../workspace/paths';

/** A matcher for files that some paths below a folder name, or that are in a folder that they name. */
export function pathMatcher(paths: readonly string[], folder: string): (uri: string) => boolean {
  const matchers = paths.map(it => matcherOf(resolveIn(folder, it)));
  return uri => matchers.some(it => it(uri));
}

/**
 * Matches the file or what lies below the folder that a path names; `*` stands for letters of a step, `**` for steps.
 * Written by hand: picomatch makes backtracking regular expressions, and this is linear in the length of the path.
 */
function matcherOf(path: string): (uri: string) => boolean {
  if (!path.includes('*')) return uri => uri === path || isBelow(uri, path);
  const parts = path.split(/(\*\*\/?|\*)/).filter(it => it !== '');
  return uri => {
    // The positions at which each part may begin: this is linear, unlike backtracking over many stars.
    let starts: readonly number[] = [0];
    for (const part of parts) {
      starts = endsOf(part, starts, uri);
      if (starts.length === 0) return false;
    }
    return starts.some(it => it === uri.length || uri[it] === '/');
  };
}

/** Where a part of a pattern may end that begins at one of some places; both in ascending order. */
function endsOf(part: string, starts: readonly number[], uri: string): readonly number[] {
  if (part !== '*' && !part.startsWith('**')) {
    return starts.filter(it => uri.startsWith(part, it)).map(it => it + part.length);
  }
  const isStart = new Set(starts);
  const ends: number[] = [];
  let isWithin = false;
  for (let at = starts[0] ?? 0; at <= uri.length; at++) {
    const isStep = uri[at - 1] === '/';
    isWithin = isStart.has(at) || (isWithin && !(part === '*' && isStep));
    if (isStart.has(at) || (isWithin && (part !== '**/' || isStep))) ends.push(at);
  }
  return ends;
}
