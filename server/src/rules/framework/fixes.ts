import type { Fix, Problem } from './problem';

/**
 * A problem whose fixes are computed when first read: most problems are shown, few are fixed. The property is
 * enumerable, so that the problem still copies and serializes as plain data.
 */
export function withLazyFixes(problem: Omit<Problem, 'fixes'>, make: () => readonly Fix[]): Problem {
  return Object.defineProperty({ ...problem }, 'fixes', lazyProperty(make)) as Problem;
}

/** The same problem with more fixes, which are computed as lazily as its own. */
export function withMoreFixes(problem: Problem, make: () => readonly Fix[]): Problem {
  const fixes = lazyProperty(() => [...problem.fixes, ...make()]);
  return Object.defineProperty(withoutFixes(problem), 'fixes', fixes) as Problem;
}

/** The same problem with other fields; its fixes stay lazy. */
export function withFields(problem: Problem, fields: Partial<Omit<Problem, 'fixes'>>): Problem {
  const { fixes } = Object.getOwnPropertyDescriptors(problem);
  return Object.defineProperty({ ...withoutFixes(problem), ...fields }, 'fixes', fixes) as Problem;
}

/** The same problem without fixes; they are not computed. */
export function withNoFixes(problem: Problem): Problem {
  return { ...withoutFixes(problem), fixes: [] };
}

/** All fields of a problem but its fixes, which are not computed. */
export function withoutFixes(problem: Problem): Omit<Problem, 'fixes'> {
  // Copied field by field: a spread would compute the fixes, and property descriptors take many times as long.
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(problem)) if (key !== 'fixes') copy[key] = problem[key as keyof Problem];
  return copy as unknown as Omit<Problem, 'fixes'>;
}

function lazyProperty(make: () => readonly Fix[]): PropertyDescriptor {
  let made: readonly Fix[] | undefined;
  return {
    enumerable: true,
    configurable: true,
    get: () => {
      made ??= make();
      return made;
    },
  };
}
