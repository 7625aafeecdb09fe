import { t } from '../../base/l10n';
import { highestUserDefinablePriority, systemPriorityClassPrefix } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';

export default defineRule<{ readonly value: string }>({
  meta: {
    code: 'apiserver/priority-class-value',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    summary: 'The value of a PriorityClass is above what users may define.',
    why: 'Values above 1,000,000,000 are kept for the two system classes. The API server refuses the object.',
    remedy: 'Choose a value of at most 1000000000. Negative values are fine.',
    source: { project: 'kubernetes', symbol: 'scheduling validation.ValidatePriorityClass', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/',
  },
  on: ['PriorityClass'],

  *check({ object, value: { value } }) {
    if (object.group !== 'scheduling.k8s.io') return;
    if (object.name?.startsWith(systemPriorityClassPrefix)) return;
    if (typeof value !== 'number' || value <= highestUserDefinablePriority) return;
    yield {
      at: FieldPath.of('value'),
      part: 'value',
      errorType: 'FieldValueForbidden',
      facts: { value: String(value) },
    };
  },

  message: () =>
    layered(
      t`"value" must be at most ${highestUserDefinablePriority}, more is kept for the system`,
      `value: Forbidden: maximum allowed value of a user defined priority is ${highestUserDefinablePriority}`,
    ),

  fixes: ({ at }, { object }, _context, edit) => [
    {
      title: t`Set the value to ${highestUserDefinablePriority}`,
      safety: 'unsafe',
      edits: [edit.replaceValue(object, at, String(highestUserDefinablePriority))],
    },
  ],
});
