import { isObject, type JsonObject, type JsonValue } from '../base/json';
import { FieldPath } from '../manifest/fieldPath';
import type { ManifestFile } from '../manifest/manifest';
import { valueAt } from '../manifest/valueAt';
import { type KustomizePatch, ownTarget, type PatchTarget, targetIn, valuesOf } from './inlinePatches';
import type { Builder, KustomizationGraph } from './kustomize';
import type { WorkspaceObject } from './object';

/**
 * What kustomizations may add to an object before the API server sees it. `labels`: to labels and selectors; `namespace`:
 * to the object and to what it names; `fields`: a patch or a transformer adds any field; `variables`: `$(NAME)` is
 * replaced.
 */
export type Effect = 'labels' | 'namespace' | 'fields' | 'variables';

const ALL_EFFECTS: ReadonlySet<Effect> = new Set(['labels', 'namespace', 'fields', 'variables']);

export type FilesByUri = Pick<ReadonlyMap<string, ManifestFile>, 'get'>;

/** More patches of one kustomization are not compared with each object that it builds: they may be of any. */
export const MOST_PATCHES = 500;

/** The effects that the kustomizations that build an object, and their components, may have on it. */
export function effectsOn(
  { manifest: { uri }, kind, name }: Pick<WorkspaceObject, 'manifest' | 'kind' | 'name'>,
  graph: KustomizationGraph,
  files: FilesByUri,
): ReadonlySet<Effect> {
  const effects = new Set<Effect>();
  for (const builder of graph.buildersOf(uri)) {
    const { object } = builder;
    if (object === undefined) continue;
    // Nobody builds a Component alone: what includes it is elsewhere, and may do anything.
    if (builder.kind === 'Component' && graph.namedBy(builder.uri).length === 0) return ALL_EFFECTS;
    const { value } = object;
    if (addsLabels(value)) effects.add('labels');
    if ((textOf(value.namespace) ?? '') !== '') effects.add('namespace');
    if (listOf(value.vars).length > 0) effects.add('variables');
    const isChanged =
      listOf(value.transformers).length > 0 ||
      listOf(value.replacements).length > 0 ||
      countOfPatches(builder) > MOST_PATCHES ||
      patchesOf(builder, files).some(patch => targetsOf(patch).some(it => mayMatch(it, kind, name)));
    if (isChanged) effects.add('fields');
  }
  return effects;
}

function addsLabels({ commonLabels, labels }: JsonObject): boolean {
  if (isObject(commonLabels) && Object.keys(commonLabels).length > 0) return true;
  return listOf(labels).some(
    it => isObject(it) && (it.includeSelectors === true || it.includeTemplates === true || it.fields !== undefined),
  );
}

/** How many patches a kustomization has, in its own text and in files. */
export const countOfPatches = ({ inlinePatches, paths }: Builder): number =>
  inlinePatches().length + paths.reduce((count, it) => (it.as === 'patch' ? count + 1 : count), 0);

/** All patches of a kustomization. Those of files that are not there, or are fetched, have no documents. */
export function patchesOf({ object, paths, inlinePatches }: Builder, files: FilesByUri): readonly KustomizePatch[] {
  const inFiles = paths
    .filter(it => it.as === 'patch')
    .map(({ at, uri }) => {
      const file = uri === undefined ? undefined : files.get(uri);
      const written = valueAt(object?.value, at.parent ?? FieldPath.root);
      const target = isObject(written) ? targetIn(written.target) : undefined;
      return { target, documents: file === undefined ? [] : valuesOf(file) };
    });
  return [...inlinePatches(), ...inFiles];
}

const targetsOf = ({ target, documents }: KustomizePatch): readonly PatchTarget[] =>
  target === undefined ? documents.flatMap(it => ownTarget(it) ?? []) : [target];

/** Whether an object may be a target. Its name may have a prefix or a suffix by the time the patch is applied. */
export function mayMatch(
  { kind: wantedKind, name: pattern }: PatchTarget,
  kind: string,
  name: string | undefined,
): boolean {
  if (wantedKind !== undefined && !wantedKind.matches(kind)) return false;
  return pattern === undefined || name === undefined || pattern.text.includes(name) || pattern.matches(name);
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
