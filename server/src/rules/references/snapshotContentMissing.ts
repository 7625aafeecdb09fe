import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/snapshot-content-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A snapshot is bound to a content that is defined nowhere.',
      why: 'The snapshot never becomes ready.',
      remedy: 'Correct the name, or define the content.',
      url: 'https://kubernetes.io/docs/concepts/storage/volume-snapshots/',
    },
    isChecked: targetsKind(NAMED.snapshotContent, NAMED.groupSnapshotContent),
  }),
);
