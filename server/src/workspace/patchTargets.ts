import { isObject, type JsonObject, type JsonValue } from '../base/json';
import { FieldPath } from '../manifest/fieldPath';
import type { ManifestFile, SyntaxProblem } from '../manifest/manifest';
import { parseManifests } from '../manifest/parse';
import type { Kustomization } from './kustomize';
import { isInline } from './kustomizeFields';
import type { WorkspaceObject } from './object';
import type { Snapshot } from './workspace';

/** A strategic merge patch that gives its target itself: kustomize fails if that does not exist. */
export interface NamedPatch {
  /** The location of the patch, or of its path, in the kustomization. */
  readonly at: FieldPath;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  /** The file of the patch; undefined for an inline one. */
  readonly file: ManifestFile | undefined;
}

/** The patches of a kustomization that give their target by apiVersion, kind and name. */
export function namedPatches({ object, paths }: Kustomization, { files }: Snapshot): readonly NamedPatch[] {
  if (object === undefined) return [];
  const { value } = object;
  const inFiles = paths.flatMap(({ as, at, uri }) => {
    const file = as === 'patch' && uri !== undefined ? files.get(uri) : undefined;
    return file === undefined || hasTarget(value, at) ? [] : patchesIn(file, at, file);
  });
  const written = ['patches', 'patchesStrategicMerge'].flatMap(field =>
    listOf(value[field]).flatMap((it, i) => {
      const at = FieldPath.of(field).index(i);
      if (typeof it === 'string') return isInline(it) ? patchesIn(parseManifests('patch.yaml', it), at, undefined) : [];
      if (!isObject(it) || typeof it.patch !== 'string' || it.target !== undefined) return [];
      return patchesIn(parseManifests('patch.yaml', it.patch), at.child('patch'), undefined);
    }),
  );
  return [...inFiles, ...written];
}

function hasTarget(value: JsonObject, { segments: [field, index] }: FieldPath): boolean {
  if (typeof field !== 'string' || typeof index !== 'number') return true;
  const patch = listOf(value[field])[index];
  return isObject(patch) && patch.target !== undefined;
}

function patchesIn({ documents }: ManifestFile, at: FieldPath, file: ManifestFile | undefined): readonly NamedPatch[] {
  return documents.flatMap(({ objects }) =>
    objects.flatMap(({ value: { apiVersion, kind, metadata } }) => {
      if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isObject(metadata)) return [];
      const { name, namespace } = metadata;
      if (typeof name !== 'string') return [];
      return [{ at, apiVersion, kind, name, file, namespace: typeof namespace === 'string' ? namespace : undefined }];
    }),
  );
}

/**
 * The possible targets of a kustomization's patches; undefined if they are not known for certain: something is fetched,
 * generated or missing, names are changed, or a component adds to the objects of others.
 */
export function patchableObjects(
  kustomization: Kustomization,
  snapshot: Snapshot,
): readonly WorkspaceObject[] | undefined {
  const { kustomizations } = snapshot.roles;
  if (kustomization.kind === 'Component') return undefined;
  const { kustomizations: used, objects } = kustomizations.filesOf(kustomization);
  for (const uri of used) {
    const it = kustomizations.kustomizations.get(uri);
    if (
      it?.object === undefined ||
      hasOneOf(it.object.value, uri === kustomization.uri ? MAKING : [...MAKING, ...RENAMING])
    )
      return undefined;
    const isKnown = it.paths.every(({ as, uri: named }) => {
      if (as !== 'resource' && as !== 'component') return true;
      return named !== undefined && (snapshot.files.has(named) || kustomizations.inFolder(named) !== undefined);
    });
    if (!isKnown) return undefined;
  }
  const files = [...objects].flatMap(uri => snapshot.files.get(uri) ?? []);
  const isError = (it: SyntaxProblem): boolean => it.severity === 'error';
  if (files.some(it => it.problems.some(isError) || it.documents.some(doc => doc.problems.some(isError))))
    return undefined;
  return files.flatMap(it => snapshot.objectsIn(it.uri));
}

/** Fields that create objects; those of `RENAMING` rename them for the kustomizations above. */
const MAKING = ['configMapGenerator', 'secretGenerator', 'generators', 'helmCharts', 'helmChartInflationGenerator'];
const RENAMING = ['namePrefix', 'nameSuffix', 'namespace', 'transformers', 'replacements', 'vars'];

function hasOneOf(value: JsonObject, fields: readonly string[]): boolean {
  return fields.some(it => value[it] !== undefined);
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
