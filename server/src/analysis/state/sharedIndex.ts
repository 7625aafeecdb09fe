import { lazy } from '../../base/lazy';
import { changedSchemas } from '../../kube/customKinds';
import type { Kube } from '../../kube/kube';
import type { ManifestFile } from '../../manifest/manifest';
import { cacheForSchemas, createRuleCache, type RuleCache } from '../../rules/engine/ruleCache';
import { schemaRead, type Touched, touchedBetween } from '../../workspace/reads';
import { emptySnapshot, type FileChange, withFiles } from '../../workspace/snapshot';
import type { Snapshot } from '../../workspace/workspace';
import type { Settings } from '../configuration/settings';
import { type DefinedKinds, definedKinds, noDefinedKinds } from './customKinds';
import type { Environments } from './environments';
import { isNamespacedIn, type KubeOfSettings } from './facts';
import type { PropertyCache } from './propertyCache';

/** Facts and the index of all files, shared by environments with the same `indexKey`. */
export interface SharedIndex {
  /** Includes the kinds that the files define. */
  readonly kube: Kube;
  /** `kube` with the newest descriptions, for people. */
  readonly documented: Kube;
  readonly defined: DefinedKinds;
  /** Settings that could not be applied, one sentence each. */
  readonly problems: readonly string[];
  /** Settings that are followed otherwise than written, one sentence each. */
  readonly notes: readonly string[];
  readonly snapshot: Snapshot;
  /** Valid for this `kube`. */
  readonly cache: RuleCache;
  readonly properties: PropertyCache;
}

/** Adds and removes files so that the index holds exactly `files`. */
export function indexHolding(index: SharedIndex, files: ReadonlyMap<string, ManifestFile>): SharedIndex {
  const held = index.snapshot.files;
  const removed = [...held.keys()].filter(it => !files.has(it)).map((uri): FileChange => ({ uri, file: undefined }));
  const added = [...files].filter(([uri, file]) => held.get(uri) !== file).map(([uri, file]) => ({ uri, file }));
  const changed = [...removed, ...added];
  return changed.length === 0 ? index : changedIndex(index, changed);
}

/**
 * The index after a change of files. Its caches start empty where the files define other kinds than before, and without the
 * objects of kinds whose schemas changed.
 */
function changedIndex(index: SharedIndex, changed: readonly FileChange[]): SharedIndex {
  const snapshot = withFiles(index.snapshot, changed);
  const defined = definedKinds(snapshot, index.defined);
  const { kube, documented } = defined;
  if (kube === index.kube) return { ...index, defined, documented, snapshot };
  const schemas = changedSchemas(index.defined.kinds, defined.kinds);
  const cache = schemas === undefined ? createRuleCache() : cacheForSchemas(index.cache, schemas);
  return { ...index, defined, kube, documented, snapshot, cache, properties: new WeakMap() };
}

/** The indexes after a change of files. A file is in the index of each of its environments. */
export function indexesWith(
  indexes: ReadonlyMap<string, SharedIndex>,
  environments: Environments,
  changed: readonly FileChange[],
): ReadonlyMap<string, SharedIndex> {
  const changesByIndex = new Map<string, FileChange[]>([...indexes.keys()].map(it => [it, []]));
  for (const it of changed) {
    // The environment of a removed file may be gone, too.
    const keys = it.file === undefined ? indexes.keys() : environments.of(it.uri).map(({ index }) => index);
    for (const key of new Set(keys)) changesByIndex.get(key)?.push(it);
  }
  return new Map(
    [...indexes].map(([key, index]) => {
      const own = changesByIndex.get(key) ?? [];
      return [key, own.length === 0 ? index : changedIndex(index, own)];
    }),
  );
}

/** The difference to the previous state where only texts changed. */
export interface IncrementalChange {
  /** Those of the previous state. */
  readonly indexes: ReadonlyMap<string, SharedIndex>;
  /** Uris. */
  readonly changed: readonly string[];
}

/** What a change touches in each index. An index is missing where the files have other roles or define other kinds. */
export function touchedIndexes(
  indexes: ReadonlyMap<string, SharedIndex>,
  step: IncrementalChange | undefined,
): ReadonlyMap<string, Touched> {
  if (step === undefined) return new Map();
  return new Map(
    [...indexes].flatMap(([key, index]) => {
      const before = step.indexes.get(key);
      const touched = before && touchedIndex(before, index, step.changed);
      return touched === undefined ? [] : [[key, touched] as const];
    }),
  );
}

function touchedIndex(
  before: SharedIndex,
  { kube, defined, snapshot }: SharedIndex,
  changed: readonly string[],
): Touched | undefined {
  if (before.snapshot.roles !== snapshot.roles) return undefined;
  const schemas = before.kube === kube ? [] : changedSchemas(before.defined.kinds, defined.kinds);
  if (schemas === undefined) return undefined;
  const { content, positions } = touchedBetween(before.snapshot, snapshot, changed);
  return { content: lazy(() => new Set([...content(), ...schemas.map(schemaRead)])), positions };
}

export function emptyIndex(settings: Settings, { kube, problems, notes }: KubeOfSettings): SharedIndex {
  const { completeSources, namespace } = settings;
  const snapshot = emptySnapshot(isNamespacedIn(kube), {
    complete: completeSources,
    ...(namespace !== undefined && { namespace }),
  });
  const defined = noDefinedKinds(kube);
  const caches = { cache: createRuleCache(), properties: new WeakMap() };
  return { kube, documented: kube, defined, problems, notes, snapshot, ...caches };
}
