import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { defaultSchedulerName } from '../../kube/podTemplates';
import { definitionsOf, namesFor } from '../../workspace/references/definitions';
import { NAMED } from '../../workspace/references/kinds';
import { kindsWith } from '../../workspace/references/table';
import { defineRule } from '../framework/rule';
import { absenceSeverity } from '../reading/absence';
import { isName, nearest } from './missing';

export default defineRule<{ readonly name: string; readonly known: readonly string[] }>({
  meta: {
    code: 'references/scheduler-profile-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A Pod names a scheduler that is no profile of the scheduler configurations.',
    why: 'No scheduler takes the Pod from its queue: it stays Pending, without an event that says why.',
    remedy: 'Correct `schedulerName`, or add the profile to the KubeSchedulerConfiguration.',
    details: 'Silent where the workspace holds no KubeSchedulerConfiguration. `default-scheduler` is never missing.',
    url: 'https://kubernetes.io/docs/reference/scheduling/config/#multiple-profiles',
  },
  on: kindsWith(({ aim }) => aim.to === 'partOfAny'),

  *check({ object }, { snapshot, ...context }) {
    const { group, kind } = NAMED.schedulerConfiguration;
    if (snapshot.objectsOf(group, kind).length === 0) return;
    for (const reference of snapshot.references.of(object)) {
      const { target, name, at } = reference;
      if (target.to !== 'partOfAny' || name === defaultSchedulerName || !isName(name)) continue;
      if (definitionsOf(snapshot, { object, reference }).length > 0) continue;
      const known = [...namesFor(snapshot, object, target).map(it => it.name), defaultSchedulerName];
      yield { at, part: 'value', facts: { name, known }, severity: absenceSeverity({ snapshot, ...context }) };
    }
  },

  message: ({ facts: { name } }, { snapshot }) =>
    t`no KubeSchedulerConfiguration${snapshot.complete ? '' : t(' of this workspace')} has the profile ${quoted(name)}`,

  fixes: ({ at, facts }, { object }, _context, edit) =>
    nearest(facts.name, facts.known).map(name => ({
      title: t`Change to ${name}`,
      safety: 'unsafe' as const,
      edits: [edit.replaceValue(object, at, name)],
    })),
});
