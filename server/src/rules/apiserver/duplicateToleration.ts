import { asList, asObject, type JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { printed } from '../../base/printed';
import { firstIndexes } from '../../base/repeated';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';

export default defineRule<{ readonly path: string; readonly first: number }>({
  meta: {
    code: 'apiserver/duplicate-toleration',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    summary: 'A RuntimeClass has the same toleration twice.',
    why: 'Unlike for a Pod, the API server refuses a repeated entry here.',
    remedy: 'Remove one of the two.',
    source: { project: 'kubernetes', symbol: 'node validation.validateTolerations', fidelity: 'same' },
  },
  on: ['RuntimeClass'],

  *check({ object, value }) {
    if (object.group !== 'node.k8s.io') return;
    const list = FieldPath.of('scheduling', 'tolerations');
    const keys = asList(fieldAt(value, 'scheduling', 'tolerations')).map(it => keyOf(asObject(it) ?? {}));
    const firsts = firstIndexes(keys);
    for (const [i, key] of keys.entries()) {
      const first = firsts.get(key) ?? i;
      if (first === i) continue;
      const at = list.index(i);
      yield {
        at,
        part: 'value',
        errorType: 'FieldValueDuplicate',
        facts: { path: at.toString(), first },
        related: [{ object, at: list.index(first), message: t('the first of the two') }],
      };
    }
  },

  message: ({ facts }) =>
    layered(
      t`the same toleration stands at scheduling.tolerations[${facts.first}]: remove one of the two`,
      `${facts.path}: Duplicate value`,
    ),

  fixes: ({ at }, { object }, _context, edit) => [
    { title: t('Remove the repeated toleration'), safety: 'safe', edits: [edit.remove(object, at)] },
  ],
});

function keyOf({ key, operator, value, effect, tolerationSeconds }: JsonObject): string {
  return [key ?? '', operator ?? '', value ?? '', effect ?? '', tolerationSeconds ?? 'none'].map(printed).join('\n');
}
