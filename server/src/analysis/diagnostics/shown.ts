import { withFields } from '../../rules/framework/fixes';
import type { Problem } from '../../rules/framework/problem';
import { movedThrough } from '../../text/moved';

type Shown = Pick<Problem, 'category' | 'severity' | 'document' | 'follows' | 'suppressed'> & {
  readonly path?: string;
  readonly uri?: string;
};

/**
 * The problems that a person is shown: what only follows from another problem waits until that one is mended. Where
 * the cause is not told (silenced, or left out by a choice of categories) its consequences are.
 */
export function shownProblems<P extends Shown>(all: readonly P[]): readonly P[] {
  const problems = all.filter(it => it.suppressed === undefined);
  const groupOf = ({ uri, path, document, category }: Shown): string =>
    `${path ?? uri} ${document} ${category === 'placement' ? 'scheduler' : 'server'}`;
  const withCause = new Set(problems.filter(it => it.follows !== true && isCause(it)).map(groupOf));
  return problems.filter(it => it.follows !== true || !withCause.has(groupOf(it)));
}

/** Nothing that the scheduler says is an error: the object itself is in order. */
function isCause({ category, severity }: Shown): boolean {
  return severity === 'error' || (category === 'placement' && severity === 'warning');
}

/** Problems of a text as they stand in the text that came of it; those whose place was changed are left out. */
export function movedProblems(problems: readonly Problem[], before: string, after: string): readonly Problem[] {
  if (before === after) return problems;
  const moved = movedThrough(before, after);
  return problems.flatMap(it => {
    const span = moved(it.span);
    return span === undefined ? [] : [withFields(it, { span, related: [] })];
  });
}
