import { asObject } from '../../base/json';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { defineRule, type RuleContext, type RuleTarget } from '../framework/rule';
import { applies } from '../minors/minorChange';
import { minorChanges } from '../minors/minorChanges';
import { type ReportedError, serverFinding } from './answer';
import { message } from './messages/sentences';
import { adminAccessErrors } from './validate/dra/claim';
import { isFlat } from './validate/dra/versions';

const LABEL = 'resource.kubernetes.io/admin-access';

export default defineRule<ReportedError>({
  meta: {
    code: 'apiserver/admin-access',
    category: 'apiserver',
    severity: 'error',
    cost: 'workspace',
    summary: 'A claim asks for admin access to devices in a namespace that is not known to allow it.',
    why: 'The API server refuses such a claim unless the label of its namespace says that administrators own it.',
    remedy: `Label the namespace with \`${LABEL}: "true"\`, or leave \`adminAccess\` out.`,
    details: 'The label is looked for in the Namespaces of the workspace.',
    source: { project: 'kubernetes', symbol: 'pkg/registry/resource.AuthorizedForAdmin', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#admin-access',
  },
  on: ['ResourceClaim', 'ResourceClaimTemplate'],

  check(target, context) {
    const { object, value } = target;
    const { kube } = context;
    if (object.group !== 'resource.k8s.io' || !kube.isGateOn('DRAAdminAccess')) return [];
    if (!applies(minorChanges.adminNamespaces, kube) || isAllowed(target, context)) return [];
    const inRequest = isFlat(value) ? ['adminAccess'] : ['exactly', 'adminAccess'];
    const spec = object.kind === 'ResourceClaim' ? fieldAt(value, 'spec') : fieldAt(value, 'spec', 'spec');
    // The server's path has no `exactly` and, for a template, no inner `spec`.
    const root = object.kind === 'ResourceClaim' ? FieldPath.root : FieldPath.of('spec');
    return adminAccessErrors(asObject(spec) ?? {}, inRequest).map(it => ({
      ...serverFinding(it, target),
      at: it.at.segments
        .slice(0, -1)
        .reduce((at, segment) => (typeof segment === 'number' ? at.index(segment) : at.child(String(segment))), root)
        .child(...inRequest),
      part: 'value' as const,
    }));
  },

  message: ({ facts }) => message(facts),
});

function isAllowed({ object }: RuleTarget, { snapshot }: RuleContext): boolean {
  if (object.namespace === undefined) return false;
  const namespaces = snapshot.find('', 'Namespace', undefined, object.namespace);
  return namespaces.some(it => fieldAt(it.manifest.value, 'metadata', 'labels', LABEL) === 'true');
}
