import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';

import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/admission-policy-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'The binding of an admission policy names a policy that is defined nowhere.',
      why: 'The server takes the binding and asks no policy.',
      remedy: 'Correct the name, or define the policy.',
      since: '1.30',
      url: 'https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#getting-started-with-validating-admission-policy',
    },
    isChecked: targetsKind(NAMED.admissionPolicy, NAMED.mutatingPolicy),
  }),
);
