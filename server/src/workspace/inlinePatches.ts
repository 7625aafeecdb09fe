import { isObject, type JsonObject, type JsonValue } from '../base/json';
import { lazy, lazyByObject } from '../base/lazy';
import { compileRegex } from '../kube/cel/regex';
import type { ManifestFile } from '../manifest/manifest';
import { parseManifests } from '../manifest/parse';
import { isInline } from './kustomizeFields';

/** The target of a patch or of a replacement; undefined matches any. */
export interface PatchTarget {
  readonly kind: NamePattern | undefined;
  readonly name: NamePattern | undefined;
}

/** A name in a target, which is a regular expression of Go. */
export interface NamePattern {
  readonly text: string;
  /** Whether it matches a whole text. */
  readonly matches: (text: string) => boolean;
}

export function namePattern(text: string): NamePattern {
  if (/^[\w.-]*$/.test(text)) return { text, matches: it => it === text };
  const compiled = lazy(() => compileRegex(`^(?:${text})$`));
  const matches = (it: string): boolean => {
    const known = compiled();
    // A pattern that Go refuses, or that could take too long, may match anything.
    return !('regex' in known) || known.regex.matches(it) !== false;
  };
  return { text, matches };
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
export const targetIn = (value: JsonValue | undefined): PatchTarget | undefined =>
  isObject(value) ? targetWritten(value) : undefined;

/** The target that an object of a strategic merge patch gives itself. */
export const ownTarget = (patch: JsonValue): PatchTarget | undefined =>
  isObject(patch) ? targetOfPatch(patch) : undefined;

/** By what is written, so that its patterns are compiled once for all objects that they are compared with. */
const targetWritten = lazyByObject(({ kind, name }: JsonObject) => targetOf(kind, name));
const targetOfPatch = lazyByObject(({ kind, metadata }: JsonObject) =>
  targetOf(kind, isObject(metadata) ? metadata.name : undefined),
);

const targetOf = (kind: JsonValue | undefined, name: JsonValue | undefined): PatchTarget => ({
  kind: typeof kind === 'string' ? namePattern(kind) : undefined,
  name: typeof name === 'string' ? namePattern(name) : undefined,
});

const documentsOf = (text: string): readonly JsonValue[] => valuesOf(parseManifests('patch.yaml', text));

/** The documents of a file of patches; a list is one. */
export function valuesOf({ documents }: ManifestFile): readonly JsonValue[] {
  return documents.map(it => it.value).filter(it => it !== undefined);
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
