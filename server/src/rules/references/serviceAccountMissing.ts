import { valueAt } from '../../manifest/valueAt';
import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';
import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/service-account-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'An object names a ServiceAccount that is defined nowhere in its namespace.',
      why: 'The ServiceAccount admission plugin refuses such a Pod: "error looking up service account …". A binding gives its rights to nobody.',
      remedy: 'Correct the name or the namespace, or define the ServiceAccount.',
      details: '`default`, which every namespace gets, and the accounts of kube-controller-manager are never missing.',
      url: 'https://kubernetes.io/docs/concepts/security/service-accounts/',
    },
    isChecked: targetsKind(NAMED.serviceAccount),
    // The old field is reported only if it is the only one.
    isSkipped: ({ at }, { value }) =>
      at.segments.at(-1) === 'serviceAccount' &&
      valueAt(value, at.parent?.child('serviceAccountName') ?? at) !== undefined,
    define: ({ name, namespace }) =>
      `apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\n`,
  }),
);
