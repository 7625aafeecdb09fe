import { t } from '../../base/l10n';
import { FieldPath } from '../../manifest/fieldPath';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';

export default defineRule<Record<string, never>>({
  meta: {
    code: 'apiserver/empty-preemption-policy',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    summary: 'The preemptionPolicy of a PriorityClass is written but empty.',
    why: 'Left out it means PreemptLowerPriority; empty text is refused by the API server.',
    remedy: 'Remove the field, or write `PreemptLowerPriority` or `Never`.',
    source: { project: 'kubernetes', symbol: 'apivalidation.ValidatePreemptionPolicy', fidelity: 'same' },
  },
  on: ['PriorityClass'],

  *check({ object, value }) {
    if (object.group !== 'scheduling.k8s.io' || value.preemptionPolicy !== '') return;
    yield { at: FieldPath.of('preemptionPolicy'), part: 'value', errorType: 'FieldValueRequired', facts: {} };
  },

  message: () =>
    layered(
      t('"preemptionPolicy" is empty: remove it, or write PreemptLowerPriority or Never'),
      'preemptionPolicy: Required value',
    ),

  fixes: ({ at }, { object }, _context, edit) => [
    { title: t('Remove the empty preemptionPolicy'), safety: 'safe', edits: [edit.remove(object, at)] },
  ],
});
