import type { WorkspaceObject } from '../../workspace/workspace';
import { absenceSeverity, isKnown, lookedIn } from '../absence';
import { nearestNames } from '../nearest';
import { podSpecOf } from '../podSpec';
import { defineRule } from '../rule';
import { asList, asText, fieldAt, quoted } from '../values';

interface Facts {
  readonly name: string;
  readonly namespace: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'references/claim-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A Pod uses a PersistentVolumeClaim that is defined nowhere in its namespace.',
    why: 'The scheduler waits for the claim: the Pod stays Pending ("persistentvolumeclaim … not found").',
    remedy: 'Correct the name or the namespace, or define the claim.',
    details:
      'Claims that a StatefulSet makes from its templates, and those of ephemeral volumes, are made by controllers and not asked for here.',
    source: { project: 'kubernetes', symbol: 'scheduler volumebinding PreFilter', fidelity: 'inspired' },
    url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/',
  },
  on: 'podSpec',

  *check(target, context) {
    const place = podSpecOf(target);
    if (place === undefined) return;
    const namespace = target.object.namespace ?? 'default';
    for (const [i, volume] of asList(place.spec.volumes).entries()) {
      const name = asText(fieldAt(volume, 'persistentVolumeClaim', 'claimName'));
      if (name === undefined || isKnown(context, '', 'PersistentVolumeClaim', namespace, name)) continue;
      if (isFromTemplate(name, namespace, context.snapshot.objectsOf('apps', 'StatefulSet'))) continue;
      yield {
        at: place.at.child('volumes').index(i).child('persistentVolumeClaim', 'claimName'),
        part: 'value',
        facts: { name, namespace },
        severity: absenceSeverity(context),
      };
    }
  },

  message: ({ facts }, context) =>
    `PersistentVolumeClaim ${quoted(facts.name)} of namespace ${quoted(facts.namespace)} ${lookedIn(context)}`,

  fixes: ({ at, facts }, { object }, { snapshot }, edit) => {
    const claims = snapshot.objectsOf('', 'PersistentVolumeClaim').filter(it => it.namespace === facts.namespace);
    return nearestNames(facts.name, new Set(claims.flatMap(it => it.name ?? [])))
      .slice(0, 3)
      .map(name => ({
        title: `Change to ${name}`,
        safety: 'unsafe' as const,
        edits: [edit.replaceValue(object, at, name)],
      }));
  },
});

/** Whether it is the claim of a StatefulSet's Pod: TEMPLATE-SET-ORDINAL. */
function isFromTemplate(name: string, namespace: string, sets: readonly WorkspaceObject[]): boolean {
  return sets.some(set => {
    if (set.namespace !== namespace) return false;
    return asList(fieldAt(set.manifest.value, 'spec', 'volumeClaimTemplates')).some(template => {
      const prefix = `${asText(fieldAt(template, 'metadata', 'name')) ?? ''}-${set.name ?? ''}-`;
      return name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length));
    });
  });
}
