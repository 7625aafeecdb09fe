import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/role-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A binding names a role that is defined nowhere.',
      why: 'The binding gives nobody any right until the role is there.',
      remedy: 'Correct the name or the namespace, or define the role.',
      details: '`cluster-admin`, `admin`, `edit`, `view` and the `system:` roles are in every cluster.',
      url: 'https://kubernetes.io/docs/reference/access-authn-authz/rbac/',
    },
    isChecked: targetsKind(NAMED.role, NAMED.clusterRole),
  }),
);
