import { withFields } from '../../rules/framework/fixes';
import type { Problem } from '../../rules/framework/problem';
import { movedThrough } from '../../text/moved';

type Shown = Pick<Problem, 'code' | 'category' | 'severity' | 'document' | 'follows' | 'suppressed' | 'fieldPath'> & {
  readonly path?: string;
  readonly uri?: string;
};

/**
 * The problems to show. A problem that follows from another one is hidden until that one is fixed, but not if the other one
 * is itself hidden (suppressed, or of a category that is left out). Its cause is any error of the object, a known issue of
 * the same field, or the problem that lists the fields that only the server writes.
 */
export function shownProblems<P extends Shown>(all: readonly P[]): readonly P[] {
  const problems = all.filter(it => it.suppressed === undefined);
  const placeOf = ({ uri, path, document, fieldPath }: Shown): string => `${path ?? uri} ${document} ${fieldPath}`;
  const explained = new Set(problems.filter(it => it.category === 'known-issue').map(placeOf));
  const groupOf = ({ uri, path, document, category }: Shown): string =>
    `${path ?? uri} ${document} ${category === 'placement' ? 'scheduler' : 'server'}`;
  const withCause = new Set(problems.filter(it => it.follows !== true && isCause(it)).map(groupOf));
  const withList = new Set(problems.filter(it => it.code === 'registry/server-metadata').map(groupOf));
  const isTold = (it: P): boolean =>
    withCause.has(groupOf(it)) ||
    explained.has(placeOf(it)) ||
    (it.code === 'dropped/field' && withList.has(groupOf(it)));
  return problems.filter(it => it.follows !== true || !isTold(it));
}

/** The scheduler reports no errors: the object itself is valid. */
function isCause({ category, severity }: Shown): boolean {
  return severity === 'error' || (category === 'placement' && severity === 'warning');
}

/** Problems of a text, moved to their places in a later text. Problems whose place was edited are left out. */
export function movedProblems(problems: readonly Problem[], before: string, after: string): readonly Problem[] {
  if (before === after) return problems;
  const moved = movedThrough(before, after);
  return problems.flatMap(it => {
    const span = moved(it.span);
    return span === undefined ? [] : [withFields(it, { span, related: [] })];
  });
}
