import { labelMatcher } from '../kube/labelSelector';
import type { LabelSelector, StringMap } from '../kube/types';

type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

/** Parses a selector such as `a=b,c!=d,e in (f,g),h,!i`; an absent one selects all. Upstream: labels.Parse. */
export function nodeSelectorOf(text: string | undefined): { matches(labels: StringMap): boolean } {
  const parts = (text ?? '').split(/,(?![^(]*\))/).map(it => it.trim());
  const matchExpressions = parts.filter(it => it !== '').map(expressionOf);
  return labelMatcher({ matchExpressions });
}

function expressionOf(text: string): Expression {
  const [, member, word, list] = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text) ?? [];
  if (member !== undefined) {
    const values = (list ?? '').split(',').map(it => it.trim());
    return { key: member, operator: word === 'in' ? 'In' : 'NotIn', values };
  }
  const [, key, sign, value] = /^([^=!\s]+)\s*(==?|!=)\s*(\S*)$/.exec(text) ?? [];
  if (key !== undefined) return { key, operator: sign === '!=' ? 'NotIn' : 'In', values: [value ?? ''] };
  return text.startsWith('!')
    ? { key: text.slice(1).trim(), operator: 'DoesNotExist' }
    : { key: text, operator: 'Exists' };
}
