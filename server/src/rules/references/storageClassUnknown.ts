import { FieldPath } from '../../manifest/fieldPath';
import { absenceSeverity, isKnown, lookedIn } from '../absence';
import { nearestNames } from '../nearest';
import { podSpecOf } from '../podSpec';
import { defineRule, type Target } from '../rule';
import { asList, asText, fieldAt, quoted, valueAt } from '../values';

const GROUP = 'storage.k8s.io';

export default defineRule<{ readonly name: string }>({
  meta: {
    code: 'references/storage-class-unknown',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A claim names a StorageClass that is defined nowhere.',
    why: 'The claim is created, and stays Pending unless a PersistentVolume of that very class is there to be bound.',
    remedy: 'Correct the name, or define the StorageClass.',
    details: 'Silent where a PersistentVolume of the workspace names the class: such a claim can be bound without it.',
    url: 'https://kubernetes.io/docs/concepts/storage/storage-classes/',
  },
  on: 'any',

  *check(target, context) {
    for (const at of claimSpecs(target)) {
      const path = at.child('storageClassName');
      const name = asText(valueAt(target.value, path));
      if (name === undefined || isKnown(context, GROUP, 'StorageClass', undefined, name)) continue;
      const volumes = context.snapshot.objectsOf('', 'PersistentVolume');
      if (volumes.some(it => fieldAt(it.manifest.value, 'spec', 'storageClassName') === name)) continue;
      yield { at: path, part: 'value', facts: { name }, severity: absenceSeverity(context) };
    }
  },

  message: ({ facts }, context) => `StorageClass ${quoted(facts.name)} ${lookedIn(context)}`,

  fixes: ({ at, facts }, { object }, { snapshot }, edit) =>
    nearestNames(facts.name, new Set(snapshot.objectsOf(GROUP, 'StorageClass').flatMap(it => it.name ?? [])))
      .slice(0, 3)
      .map(name => ({
        title: `Change to ${name}`,
        safety: 'unsafe' as const,
        edits: [edit.replaceValue(object, at, name)],
      })),
});

/** Every claim spec in an object: of a claim, of claim templates, of ephemeral volumes. */
function* claimSpecs(target: Target): Iterable<FieldPath> {
  const { group, kind } = target.object;
  if (group === '' && kind === 'PersistentVolumeClaim') yield FieldPath.of('spec');
  if (group === 'apps' && kind === 'StatefulSet') {
    const list = FieldPath.of('spec', 'volumeClaimTemplates');
    for (const i of asList(fieldAt(target.value, 'spec', 'volumeClaimTemplates')).keys())
      yield list.index(i).child('spec');
  }
  const place = podSpecOf(target);
  for (const i of asList(place?.spec.volumes).keys()) {
    if (place === undefined) return;
    yield place.at.child('volumes').index(i).child('ephemeral', 'volumeClaimTemplate', 'spec');
  }
}
