import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { aimsAt, type Missing, missingRule } from './missing';

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
    isAimed: aimsAt(NAMED.snapshotClass, NAMED.groupSnapshotClass),
  }),
);
