import { isObject, type JsonObject, type JsonValue } from '../base/json';
import type { ManifestFile } from '../manifest/manifest';
import { parseManifests } from '../manifest/parse';
import { isInline } from './kustomizeFields';

/** The target of a patch or of a replacement; undefined matches any. Names of targets are patterns. */
export interface PatchTarget {
  readonly kind: string | undefined;
  readonly name: string | undefined;
}

/** One patch of a kustomization: objects that are merged, or lists of operations of a JSON patch. */
export interface KustomizePatch {
  /** undefined where each object of the patch gives its target by kind and name. */
  readonly target: PatchTarget | undefined;
  readonly documents: readonly JsonValue[];
}

/** The patches that are written in a kustomization itself. */
export function inlinePatchesIn(kustomization: JsonObject): readonly KustomizePatch[] {
  const written = ['patches', 'patchesJson6902'].flatMap(field =>
    listOf(kustomization[field]).flatMap((it): readonly KustomizePatch[] => {
      if (!isObject(it) || typeof it.patch !== 'string') return [];
      return [{ target: targetIn(it.target), documents: documentsOf(it.patch) }];
    }),
  );
  const merged = listOf(kustomization.patchesStrategicMerge).flatMap(it =>
    typeof it === 'string' && isInline(it) ? [{ target: undefined, documents: documentsOf(it) }] : [],
  );
  return [...written, ...merged];
}

/** The target that is written in a patch or a replacement; undefined where there is none. */
export function targetIn(value: JsonValue | undefined): PatchTarget | undefined {
  return isObject(value) ? { kind: textOf(value.kind), name: textOf(value.name) } : undefined;
}

/** The target that an object of a strategic merge patch gives itself. */
export function ownTarget(patch: JsonValue): PatchTarget | undefined {
  if (!isObject(patch)) return undefined;
  const { kind, metadata } = patch;
  return { kind: textOf(kind), name: isObject(metadata) ? textOf(metadata.name) : undefined };
}

const documentsOf = (text: string): readonly JsonValue[] => valuesOf(parseManifests('patch.yaml', text));

/** The documents of a file of patches; a list is one. */
export function valuesOf({ documents }: ManifestFile): readonly JsonValue[] {
  return documents.map(it => it.value).filter(it => it !== undefined);
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
