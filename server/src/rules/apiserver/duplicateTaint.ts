import { asList, asObject } from '../../base/json';
import { t } from '../../base/l10n';
import { printed } from '../../base/printed';
import { firstIndexes } from '../../base/repeated';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';

export default defineRule<{ readonly path: string; readonly first: number }>({
  meta: {
    code: 'apiserver/duplicate-taint',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    summary: 'A Node has two taints with the same key and effect.',
    why: 'A taint is known by its key and effect. The API server refuses the second one, whatever its value.',
    remedy: 'Remove one of the two.',
    details: 'The server prints the path as `metadata.taints`, though the field is `spec.taints`.',
    source: { project: 'kubernetes', symbol: 'core validation.validateNodeTaints', fidelity: 'same' },
  },
  on: ['Node'],

  *check({ object, value }) {
    if (object.group !== '') return;
    const list = FieldPath.of('spec', 'taints');
    const keys = asList(fieldAt(value, 'spec', 'taints')).map(it => {
      const { key, effect } = asObject(it) ?? {};
      return `${printed(key ?? '')}\n${printed(effect ?? '')}`;
    });
    const firsts = firstIndexes(keys);
    for (const [i, key] of keys.entries()) {
      const first = firsts.get(key) ?? i;
      if (first === i) continue;
      const fieldPath = `metadata.taints[${i}]`;
      yield {
        at: list.index(i),
        part: 'value',
        errorType: 'FieldValueDuplicate',
        fieldPath,
        facts: { path: fieldPath, first },
        related: [{ object, at: list.index(first), message: t('the first of the two') }],
      };
    }
  },

  message: ({ facts }) =>
    layered(
      t`the Node has this taint already, at spec.taints[${facts.first}]: remove one of the two`,
      `${facts.path}: Duplicate value: taints must be unique by key and effect pair`,
    ),

  fixes: ({ at }, { object }, _context, edit) => [
    { title: t('Remove this taint'), safety: 'unsafe', edits: [edit.remove(object, at)] },
  ],
});
