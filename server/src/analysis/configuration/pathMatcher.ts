import { push } from '../../base/multiMap';
import { isBelow, resolveIn } from '../../workspace/paths';

/** A matcher for files that some paths below a folder name, or that are in a folder that they name. */
export function pathMatcher(paths: readonly string[], folder: string): (uri: string) => boolean {
  const matchers = paths.map(it => matcherOf(resolveIn(folder, it)));
  return uri => matchers.some(it => it(uri));
}

/**
 * Finds which of some lists of paths name a file, as `pathMatcher` does for each, by their indexes in ascending order. There may be
 * thousands of lists: only patterns that begin in a folder around the file are tried one by one.
 */
export function pathFinder(lists: readonly (readonly string[])[], folder: string): (uri: string) => readonly number[] {
  const byPath = new Map<string, number[]>();
  const patterns = new Map<string, { readonly index: number; readonly isNamed: (uri: string) => boolean }[]>();
  for (const [index, paths] of lists.entries()) {
    for (const path of paths.map(it => resolveIn(folder, it))) {
      if (path.includes('*') || path === '.') push(patterns, folderBefore(path), { index, isNamed: matcherOf(path) });
      else push(byPath, path, index);
    }
  }
  return uri => {
    const found: number[] = [];
    for (const path of new Set(['', ...pathsAbove(uri)])) {
      for (const index of byPath.get(path) ?? []) found.push(index);
      for (const { index, isNamed } of patterns.get(path) ?? []) if (isNamed(uri)) found.push(index);
    }
    return [...new Set(found)].sort((a, b) => a - b);
  };
}

/** The folder in which a pattern begins: what is before its first star. */
const folderBefore = (pattern: string): string =>
  pattern.slice(0, Math.max(0, pattern.lastIndexOf('/', pattern.indexOf('*'))));

/** The path of a file, and those of all folders that it is below. */
function pathsAbove(uri: string): readonly string[] {
  const paths = [uri];
  for (let at = uri.indexOf('/'); at >= 0; at = uri.indexOf('/', at + 1)) paths.push(uri.slice(0, at));
  return paths;
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
