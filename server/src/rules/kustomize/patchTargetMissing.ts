import { t } from '../../base/l10n';
import { lazyByText } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { nearestOfFirst } from '../../base/nearest';
import { quoted } from '../../base/quoted';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { type NamedPatch, namedPatches, patchableObjects } from '../../workspace/patchTargets';
import { defineRule } from '../framework/rule';

interface Facts {
  readonly patch: NamedPatch;
  /** The difference to an object that has the patch's kind and name. */
  readonly differs: { readonly what: 'apiVersion' | 'namespace'; readonly instead: string } | undefined;
  readonly nearest: string | undefined;
}

export default defineRule<Facts>({
  meta: {
    code: 'kustomize/patch-target-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A patch is for an object that the kustomization does not have.',
    why: 'kustomize finds no object with the apiVersion, kind, namespace and name of the patch, and builds nothing.',
    remedy:
      'Correct what the patch says of its object, or add the object to the resources. A patch for several objects says so with `target`.',
    details:
      'Silent where objects are generated, fetched or renamed on the way, and for components, which are built into others. A `target` that selects nothing is no error to kustomize.',
    source: { project: 'kustomize', symbol: 'resmap.ResMap.ApplySmPatch', fidelity: 'inspired' },
    url: 'https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/patches/',
  },
  on: 'any',
  reads: ['kustomization'],

  *check({ object: { manifest } }, { snapshot, kube }) {
    const kustomization = snapshot.roles.kustomizations.kustomizations.get(manifest.uri);
    if (kustomization === undefined) return;
    const patches = namedPatches(kustomization, snapshot);
    const objects = patches.length === 0 ? undefined : patchableObjects(kustomization, snapshot);
    if (objects === undefined) return;
    // There may be thousands of patches for as many objects.
    const byKind = grouped(objects, it => it.kind);
    const byName = grouped(objects, it => `${it.kind} ${it.name}`);
    const nearestIn = lazyByText(kind => nearestOfFirst(() => (byKind.get(kind) ?? []).flatMap(it => it.name ?? [])));
    for (const patch of patches) {
      const isNamespaced = kube.kindOf(patch.apiVersion, patch.kind)?.namespaced !== false;
      const differing = (it: WorkspaceObject) =>
        otherVersion(it, patch) ?? (isNamespaced ? otherNamespace(it, patch) : undefined);
      const alike = byName.get(`${patch.kind} ${patch.name}`) ?? [];
      if (alike.some(it => differing(it) === undefined)) continue;
      const differs = alike[0] && differing(alike[0]);
      const facts: Facts = { patch, differs, nearest: nearestIn(patch.kind)(patch.name) };
      yield {
        at: patch.at,
        part: 'value',
        facts,
        related: relatedOf(patch, snapshot.objectsIn(patch.file?.uri ?? '')),
      };
    }
  },

  message: ({ facts: { patch, differs, nearest } }) => {
    const what = t`this patch is for ${patch.kind} ${quoted(patch.name)}`;
    if (differs?.what === 'apiVersion') {
      return t`${what} of ${patch.apiVersion}, but that of the resources is of ${differs.instead}`;
    }
    if (differs !== undefined) {
      return t`${what} in ${inWords(patch.namespace)}, but that of the resources is in ${inWords(differs.instead)}`;
    }
    const guess = nearest === undefined ? '' : t`; did you mean ${quoted(nearest)}?`;
    return t`${what}, which the resources of this kustomization do not have${guess}`;
  },
});

const inWords = (namespace: string | undefined): string =>
  namespace === undefined || namespace === '' ? 'no namespace' : `namespace ${quoted(namespace)}`;

function otherVersion({ apiVersion }: WorkspaceObject, patch: NamedPatch): Facts['differs'] {
  return apiVersion === patch.apiVersion ? undefined : { what: 'apiVersion', instead: apiVersion };
}

/**
 * kustomize compares the written namespaces; no namespace and `default` are equal to it. Upstream: resid.ResId.Equals
 */
function otherNamespace(object: WorkspaceObject, patch: NamedPatch): Facts['differs'] {
  const { metadata } = object.manifest.value;
  const written = (metadata as { readonly namespace?: unknown } | undefined)?.namespace;
  const namespace = typeof written === 'string' ? written : '';
  if ((namespace || 'default') === (patch.namespace || 'default')) return undefined;
  return { what: 'namespace', instead: namespace };
}

function relatedOf({ file, kind, name }: NamedPatch, objects: readonly WorkspaceObject[]) {
  const patch = file && objects.find(it => it.kind === kind && it.name === name);
  return patch === undefined
    ? []
    : [{ object: patch, at: FieldPath.of('metadata', 'name'), message: t('the patch names its object here') }];
}
