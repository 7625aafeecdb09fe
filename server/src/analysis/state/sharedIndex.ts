import type { Kube } from '../../kube/kube';
import type { ManifestFile } from '../../manifest/manifest';
import type { RuleCache } from '../../rules/engine/run';
import { createRuleCache } from '../../rules/engine/run';
import type { Touched } from '../../workspace/reads';
import { touchedBetween } from '../../workspace/reads';
import type { FileChange } from '../../workspace/snapshot';
import { emptySnapshot, withFiles } from '../../workspace/snapshot';
import type { Snapshot } from '../../workspace/workspace';
import type { Settings } from '../configuration/settings';
import type { DefinedKinds } from './customKinds';
import { definedKinds, noDefinedKinds } from './customKinds';
import type { Environments } from './environments';
import type { kubeOf } from './facts';
import type { PropertyCache } from './propertyCache';

/** What environments of one Kubernetes version and one default namespace share: the facts, and an index of all files. */
export interface SharedIndex {
  /** With the kinds that the files define. */
  readonly kube: Kube;
  readonly defined: DefinedKinds;
  /** Settings that could not be followed, one sentence each. */
  readonly problems: readonly string[];
  readonly snapshot: Snapshot;
  /** Findings that hold as long as `kube` does. */
  readonly cache: RuleCache;
  readonly properties: PropertyCache;
}

/** A ground with these files and no others. What it holds of them already stays. */
export function holding(ground: SharedIndex, files: ReadonlyMap<string, ManifestFile>): SharedIndex {
  const held = ground.snapshot.files;
  const gone = [...held.keys()].filter(it => !files.has(it)).map((uri): FileChange => ({ uri, file: undefined }));
  const come = [...files].filter(([uri, file]) => held.get(uri) !== file).map(([uri, file]) => ({ uri, file }));
  const changed = [...gone, ...come];
  return changed.length === 0 ? ground : changedIndex(ground, changed);
}

/** A ground after some of its files changed. Where they define other kinds now, nothing that was found holds. */
function changedIndex(ground: SharedIndex, changed: readonly FileChange[]): SharedIndex {
  const snapshot = withFiles(ground.snapshot, changed);
  const defined = definedKinds(snapshot, ground.defined);
  const { kube } = defined;
  if (kube === ground.kube) return { ...ground, defined, snapshot };
  return { ...ground, defined, kube, snapshot, cache: createRuleCache(), properties: new WeakMap() };
}

/** A file stands in the index of every environment that it belongs to. */
export function indexesWith(
  grounds: ReadonlyMap<string, SharedIndex>,
  environments: Environments,
  changed: readonly FileChange[],
): ReadonlyMap<string, SharedIndex> {
  const byGround = new Map<string, FileChange[]>([...grounds.keys()].map(it => [it, []]));
  for (const it of changed) {
    // What is gone may have taken its environment along.
    const keys =
      it.file === undefined ? grounds.keys() : environments.of(it.uri).map(({ settings }) => keyOf(settings));
    for (const key of new Set(keys)) byGround.get(key)?.push(it);
  }
  return new Map(
    [...grounds].map(([key, ground]) => {
      const own = byGround.get(key) ?? [];
      return [key, own.length === 0 ? ground : changedIndex(ground, own)];
    }),
  );
}

/** How a moment came of the one before, where only texts changed. */
export interface IncrementalChange {
  readonly grounds: ReadonlyMap<string, SharedIndex>;
  readonly changed: readonly string[];
}

/** What a step may have altered in each ground; nothing is known of one where the files have other roles now. */
export function touchedIndexes(
  grounds: ReadonlyMap<string, SharedIndex>,
  step: IncrementalChange | undefined,
): ReadonlyMap<string, Touched> {
  if (step === undefined) return new Map();
  return new Map(
    [...grounds].flatMap(([key, { snapshot }]) => {
      const before = step.grounds.get(key)?.snapshot;
      if (before === undefined || before.roles !== snapshot.roles) return [];
      return [[key, touchedBetween(before, snapshot, step.changed)] as const];
    }),
  );
}

/** Environments with the same key share a ground. */
export function keyOf(settings: Settings): string {
  const { kubernetesVersion, featureGates, namespace, completeSources, presets, rules, severity, only } = settings;
  const gates = Object.entries(featureGates).sort();
  const opinions = [presets, rules, Object.keys(severity).sort(), only];
  return JSON.stringify([kubernetesVersion, gates, namespace, completeSources, opinions]);
}

export function emptyIndex(settings: Settings, { kube, problems }: ReturnType<typeof kubeOf>): SharedIndex {
  const { completeSources, namespace } = settings;
  const snapshot = emptySnapshot(isNamespacedIn(kube), {
    complete: completeSources,
    ...(namespace !== undefined && { namespace }),
  });
  const defined = noDefinedKinds(kube);
  return { kube, defined, problems, snapshot, cache: createRuleCache(), properties: new WeakMap() };
}

const isNamespacedIn =
  (kube: Kube) =>
  (group: string, version: string, kind: string): boolean | undefined =>
    kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.namespaced;
