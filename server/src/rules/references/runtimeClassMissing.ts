import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/runtime-class-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A Pod names a RuntimeClass that is defined nowhere.',
      why: 'The RuntimeClass admission plugin refuses such a Pod: "pod rejected: RuntimeClass … not found".',
      remedy: 'Correct the name, or define the RuntimeClass.',
      url: 'https://kubernetes.io/docs/concepts/containers/runtime-class/',
    },
    isChecked: targetsKind(NAMED.runtimeClass),
  }),
);
