import type { JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { systemPriorityClasses, systemPriorityClassPrefix } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';

export default defineRule<{ readonly reason: string }>({
  meta: {
    code: 'apiserver/priority-class-name',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    summary: 'A PriorityClass has a name that is kept for the system.',
    why: 'Names that begin with `system-` belong to system-node-critical and system-cluster-critical, each with one fixed value. The API server refuses any other.',
    remedy: 'Choose a name without the prefix.',
    source: { project: 'kubernetes', symbol: 'scheduling.IsKnownSystemPriorityClass', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/',
  },
  on: ['PriorityClass'],

  *check({ object, value }) {
    const { group, name } = object;
    if (group !== 'scheduling.k8s.io' || !name?.startsWith(systemPriorityClassPrefix)) return;
    const reason = reasonAgainst(name, value);
    if (reason === undefined) return;
    yield { at: FieldPath.of('metadata', 'name'), part: 'value', errorType: 'FieldValueForbidden', facts: { reason } };
  },

  message: ({ facts }) =>
    layered(
      t`names that begin with "${systemPriorityClassPrefix}" are kept for the system: choose another`,
      `metadata.name: Forbidden: priority class names with '${systemPriorityClassPrefix}' prefix are reserved for system use only. error: ${facts.reason}`,
    ),

  fixes: ({ at }, { object }, _context, edit) => [
    {
      title: t('Take away the system- prefix'),
      safety: 'unsafe',
      edits: [edit.replaceValue(object, at, (object.name ?? '').slice(systemPriorityClassPrefix.length))],
    },
  ],
});

function reasonAgainst(name: string, { value, globalDefault }: JsonObject): string | undefined {
  if (!Object.hasOwn(systemPriorityClasses, name)) return `${name} is not a known system priority class`;
  const wanted = systemPriorityClasses[name];
  if ((value ?? 0) !== wanted) return `value of ${name} PriorityClass must be ${wanted}`;
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
