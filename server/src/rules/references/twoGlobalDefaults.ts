import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { defineRule, MOST_RELATED } from '../framework/rule';

export default defineRule<{ readonly other: string }>({
  meta: {
    code: 'references/two-global-defaults',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'Two PriorityClasses say `globalDefault: true`.',
    why: 'A cluster has at most one. The Priority admission plugin refuses the second one that is created.',
    remedy: 'Keep `globalDefault: true` on one of them.',
    source: { project: 'kubernetes', symbol: 'plugin/pkg/admission/priority', fidelity: 'inspired' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/',
  },
  on: ['PriorityClass'],

  *check({ object, value }, { snapshot }) {
    if (object.group !== 'scheduling.k8s.io' || value.globalDefault !== true) return;
    const others: WorkspaceObject[] = [];
    for (const it of snapshot.objectsOf(object.group, object.kind)) {
      if (it.name !== object.name && it.manifest.value.globalDefault === true) others.push(it);
      if (others.length === MOST_RELATED) break;
    }
    const [first] = others;
    if (first === undefined) return;
    const at = FieldPath.of('globalDefault');
    yield {
      at,
      part: 'value',
      facts: { other: first.name ?? '' },
      related: others.map(other => ({ object: other, at, message: t`globalDefault of ${quoted(other.name ?? '')}` })),
    };
  },

  message: ({ facts }) => t`PriorityClass ${quoted(facts.other)} is the global default too; the cluster takes only one`,

  fixes: ({ at }, { object }, _context, edit) => [
    { title: t('Set globalDefault to false'), safety: 'unsafe', edits: [edit.replaceValue(object, at, 'false')] },
  ],
});
