import { asText, type JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import { defineRule } from '../framework/rule';
import { absenceSeverity, type KindInNamespace } from '../reading/absence';
import { CROSS_NAMESPACE_GATE, claimSources } from '../reading/claimSource';
import { grantText, isGranted } from '../reading/referenceGrants';

/** A reference from a claim in namespace `own` to an object of another namespace. */
export interface CrossNamespaceSource {
  readonly namespace: string;
  readonly own: string;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

const GROUP = 'gateway.networking.k8s.io';

const CLAIM = { group: '', kind: 'PersistentVolumeClaim' };

export default defineRule<CrossNamespaceSource>({
  meta: {
    code: 'references/reference-grant-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A claim takes its data from another namespace, and no ReferenceGrant there allows it.',
    why: 'The API server does not look, but the provisioner does: it makes no volume, and the claim stays Pending.',
    remedy: 'Write a ReferenceGrant in the namespace of the source.',
    source: { project: 'kubernetes-csi/external-provisioner', symbol: 'IsGranted', fidelity: 'inspired' },
    since: '1.26',
    url: 'https://kubernetes.io/docs/concepts/storage/persistent-volumes/#cross-namespace-data-sources',
  },
  on: ['PersistentVolumeClaim'],

  *check(target, context) {
    if (!context.kube.isGateOn(CROSS_NAMESPACE_GATE)) return;
    const ref = claimSources(target, context.kube)?.stored.dataSourceRef;
    const own = target.object.namespace ?? 'default';
    if (ref === undefined || ref.namespace === '' || ref.namespace === own) return;
    const facts = { namespace: ref.namespace, own, group: ref.apiGroup ?? '', kind: ref.kind, name: ref.name };
    if (context.snapshot.objectsOf(GROUP, 'ReferenceGrant').some(it => allows(it, facts))) return;
    if (context.clusterObjects?.(GROUP, 'ReferenceGrant').some(it => allowsIn(it as JsonObject, facts))) return;
    yield {
      at: FieldPath.of('spec', 'dataSourceRef', 'namespace'),
      part: 'value',
      facts,
      severity: absenceSeverity(context, targetOf(facts)),
    };
  },

  message: ({ facts: { namespace, own, kind, name }, severity }) =>
    t`no ReferenceGrant in namespace ${quoted(namespace)}${severity === 'error' ? '' : t(' of this workspace')} allows claims of namespace ${quoted(own)} to use ${kind} ${quoted(name)}`,

  fixes({ facts }, { object }, _context, edit) {
    const text = grantText({ ...CLAIM, namespace: facts.own }, facts);
    const folder = object.manifest.uri.slice(0, object.manifest.uri.lastIndexOf('/') + 1);
    return [
      {
        title: t('Write the ReferenceGrant at the end of this file'),
        safety: 'unsafe',
        edits: [edit.appendDocument(object, text)],
      },
      {
        title: t('Write the ReferenceGrant into a new file'),
        safety: 'unsafe',
        edits: [],
        newFiles: [{ uri: `${folder}reference-grant-${facts.own}-to-${facts.namespace}.yaml`, text }],
      },
    ];
  },
});

/**
 * Upstream: one `from` and one `to` entry of a grant in the source's namespace must match; a `to` without a name
 * matches any.
 */
export function allows(grant: WorkspaceObject, { namespace, own, group, kind, name }: CrossNamespaceSource): boolean {
  return (
    grant.namespace === namespace &&
    isGranted(grant.manifest.value, { ...CLAIM, namespace: own }, { group, kind, name })
  );
}

/** Whether a grant, as the API server gives it, allows the reference. */
function allowsIn(grant: JsonObject, source: CrossNamespaceSource): boolean {
  const from = { ...CLAIM, namespace: source.own };
  return asText(fieldAt(grant, 'metadata', 'namespace')) === source.namespace && isGranted(grant, from, source);
}

const targetOf = ({ namespace }: CrossNamespaceSource): KindInNamespace => ({
  group: GROUP,
  kind: 'ReferenceGrant',
  namespace,
});
