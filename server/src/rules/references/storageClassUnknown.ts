import { fieldAt } from '../../manifest/valueAt';
import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';
import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/storage-class-unknown',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A claim names a StorageClass that is defined nowhere.',
      why: 'The claim is created, and stays Pending unless a PersistentVolume of that very class is there to be bound.',
      remedy: 'Correct the name, or define the StorageClass.',
      details:
        'Silent where a PersistentVolume of the workspace names the class: such a claim can be bound without it.',
      url: 'https://kubernetes.io/docs/concepts/storage/storage-classes/',
    },
    isChecked: targetsKind(NAMED.storageClass),
    isSkipped: ({ name }, _target, { snapshot }) =>
      snapshot
        .objectsOf('', 'PersistentVolume')
        .some(it => fieldAt(it.manifest.value, 'spec', 'storageClassName') === name),
  }),
);
