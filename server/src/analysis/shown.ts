import type { Problem } from '../rules/problem';

type Shown = Pick<Problem, 'severity' | 'document' | 'follows'> & { readonly path?: string; readonly uri?: string };

/**
 * The problems that a person is shown: what only follows from another problem waits until that one is mended. Where
 * the cause is not told (silenced, or left out by a choice of categories) its consequences are.
 */
export function shownProblems<P extends Shown>(problems: readonly P[]): readonly P[] {
  const documentOf = ({ uri, path, document }: Shown): string => `${path ?? uri} ${document}`;
  const causes = problems.filter(it => it.follows !== true && it.severity === 'error');
  const withCause = new Set(causes.map(documentOf));
  return problems.filter(it => it.follows !== true || !withCause.has(documentOf(it)));
}
