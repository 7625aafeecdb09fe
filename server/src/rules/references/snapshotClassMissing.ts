import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/snapshot-class-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A snapshot names a class that is defined nowhere.',
      why: 'The snapshot controller cannot take the snapshot: it never becomes ready.',
      remedy: 'Correct the name, or define the class.',
      url: 'https://kubernetes.io/docs/concepts/storage/volume-snapshot-classes/',
    },
    isChecked: targetsKind(NAMED.snapshotClass, NAMED.groupSnapshotClass),
  }),
);
