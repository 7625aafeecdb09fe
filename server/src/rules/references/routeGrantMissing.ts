import { asText, type JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { fieldAt, valueAt } from '../../manifest/valueAt';
import { filledInto } from '../../workspace/kustomizeFilled';
import type { WorkspaceObject } from '../../workspace/object';
import { ROUTES } from '../../workspace/references/gatewayTable';
import type { ObjectTarget } from '../../workspace/references/references';
import { defineRule, type RuleTarget } from '../framework/rule';
import { absenceSeverity } from '../reading/absence';
import { grantText, isGranted } from '../reading/referenceGrants';
import { inWords } from './missing';

interface Facts {
  readonly target: ObjectTarget;
  readonly from: { readonly group: string; readonly kind: string; readonly namespace: string };
}

const GROUP = 'gateway.networking.k8s.io';

export default defineRule<Facts>({
  meta: {
    code: 'references/route-grant-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A route or a Gateway refers to an object of another namespace, and no ReferenceGrant there allows it.',
    why: 'The controller does not follow the reference (RefNotPermitted): requests to the backend are answered with status 500, and a listener without its certificate is not programmed.',
    remedy: 'Write a ReferenceGrant in the namespace of the object, or move the object.',
    details: 'References from routes to Gateways need no grant.',
    source: { project: 'kubernetes-sigs/gateway-api', symbol: 'RouteReasonRefNotPermitted', fidelity: 'inspired' },
    url: 'https://gateway-api.sigs.k8s.io/api-types/referencegrant/',
  },
  on: [...ROUTES, 'Gateway'],

  *check({ object, value }, context) {
    const { snapshot, clusterObjects } = context;
    if (object.group !== GROUP) return;
    const { kustomizations } = snapshot.roles;
    // Each overlay may put the object into another namespace.
    const filledIn = (it: WorkspaceObject): readonly string[] => filledInto(it, kustomizations)?.namespaces ?? [];
    const [namespace = object.namespace ?? 'default', ...others] = filledIn(object);
    const from = { group: GROUP, kind: object.kind, namespace };
    for (const { at, target, row } of snapshot.references.of(object)) {
      if (
        target.to !== 'object' ||
        row.at.startsWith('spec.parentRefs') ||
        !isElsewhere(at, value, [namespace, ...others])
      ) {
        continue;
      }
      const isIn = (it: JsonObject): boolean => asText(fieldAt(it, 'metadata', 'namespace')) === target.namespace;
      const written = snapshot
        .objectsOf(GROUP, 'ReferenceGrant')
        .filter(it => it.namespace === target.namespace || filledIn(it).includes(target.namespace ?? ''));
      const elsewhere = (clusterObjects?.(GROUP, 'ReferenceGrant') ?? []).map(it => it as JsonObject).filter(isIn);
      const grants = [...written.map(it => it.manifest.value), ...elsewhere];
      if (grants.some(it => isGranted(it, from, target))) continue;
      yield {
        at: at.parent!.child('namespace'),
        part: 'value',
        facts: { target, from },
        severity: absenceSeverity(context, { group: GROUP, kind: 'ReferenceGrant', namespace: target.namespace }),
      };
    }
  },

  message: ({ facts: { target, from }, severity }) =>
    t`no ReferenceGrant in namespace ${quoted(target.namespace ?? '')}${severity === 'error' ? '' : t(' of this workspace')} lets a ${from.kind} of namespace ${quoted(from.namespace)} use ${inWords({ ...target, namespace: undefined })}`,

  fixes: ({ facts: { target, from } }, { object }, _context, edit) => [
    {
      title: t('Write the ReferenceGrant at the end of this file'),
      safety: 'unsafe',
      edits: [edit.appendDocument(object, grantText(from, target))],
    },
  ],
});

function isElsewhere(at: Parameters<typeof valueAt>[1], value: RuleTarget['value'], own: readonly string[]): boolean {
  const namespace = asText(at.parent && valueAt(value, at.parent.child('namespace')));
  return namespace !== undefined && !own.includes(namespace);
}
