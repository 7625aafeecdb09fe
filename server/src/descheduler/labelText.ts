import { labelMatcher } from '../kube/labelSelector';
import type { LabelSelector, StringMap } from '../kube/types';

type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

/** Parses a selector such as `a=b,c!=d,e in (f,g),h,!i`; an absent one selects all. Upstream: labels.Parse. */
export function nodeSelectorOf(text: string | undefined): { matches(labels: StringMap): boolean } {
  const parts = partsOf(text ?? '').map(it => it.trim());
  const matchExpressions = parts.filter(it => it !== '').map(expressionOf);
  return labelMatcher({ matchExpressions });
}

/** The text divided at commas, but for those before which a bracket is open: the next one behind them closes. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let [end, next] = [text.length, ''];
  for (let at = text.length - 1; at >= 0; at--) {
    const letter = text.charAt(at);
    if (letter === '(' || letter === ')') next = letter;
    if (letter !== ',' || next === ')') continue;
    parts.push(text.slice(at + 1, end));
    end = at;
  }
  return [...parts, text.slice(0, end)].toReversed();
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
