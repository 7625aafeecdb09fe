import { isObject, type JsonObject, type JsonValue } from '../base/json';
import { compileRegex } from '../kube/cel/regex';
import type { ManifestFile } from '../manifest/manifest';
import { parseManifests } from '../manifest/parse';
import type { Kustomization, KustomizationGraph } from './kustomize';
import { isInline } from './kustomizeFields';
import type { WorkspaceObject } from './object';

/**
 * What kustomizations may add to an object before the API server sees it. `labels`: to labels and selectors; `namespace`:
 * to the object and to what it names; `fields`: a patch or a transformer adds any field; `variables`: `$(NAME)` is
 * replaced.
 */
export type Effect = 'labels' | 'namespace' | 'fields' | 'variables';

const ALL_EFFECTS: ReadonlySet<Effect> = new Set(['labels', 'namespace', 'fields', 'variables']);

type FilesByUri = ReadonlyMap<string, ManifestFile>;

/** The effects that the kustomizations that build an object, and their components, may have on it. */
export function effectsOn(
  { manifest: { uri }, kind, name }: Pick<WorkspaceObject, 'manifest' | 'kind' | 'name'>,
  graph: KustomizationGraph,
  files: FilesByUri,
): ReadonlySet<Effect> {
  const effects = new Set<Effect>();
  for (const builder of graph.buildersOf(uri)) {
    const { object, paths } = builder;
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
      targetsOf(value, paths, files).some(it => mayMatch(it, kind, name));
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

/** The target of a patch; undefined matches any. Names of targets are patterns. */
interface PatchTarget {
  readonly kind: string | undefined;
  readonly name: string | undefined;
}

function targetsOf(value: JsonObject, paths: Kustomization['paths'], files: FilesByUri): readonly PatchTarget[] {
  const selected = [...listOf(value.patches), ...listOf(value.patchesJson6902)].flatMap(
    (it): readonly PatchTarget[] => {
      if (!isObject(it)) return [];
      if (isObject(it.target)) return [{ kind: textOf(it.target.kind), name: textOf(it.target.name) }];
      return typeof it.patch === 'string' ? patchTargetsOf(parseManifests('patch.yaml', it.patch)) : [];
    },
  );
  const inline = listOf(value.patchesStrategicMerge).flatMap(it =>
    typeof it === 'string' && isInline(it) ? patchTargetsOf(parseManifests('patch.yaml', it)) : [],
  );
  const named = paths.flatMap(({ as, uri }) => {
    const file = as === 'patch' && uri !== undefined ? files.get(uri) : undefined;
    return file === undefined ? [] : patchTargetsOf(file);
  });
  return [...selected, ...inline, ...named];
}

function patchTargetsOf({ documents }: ManifestFile): readonly PatchTarget[] {
  return documents.flatMap(({ objects }) =>
    objects.map(({ value: { kind, metadata } }) => ({
      kind: textOf(kind),
      name: isObject(metadata) ? textOf(metadata.name) : undefined,
    })),
  );
}

/** The name may have a prefix or a suffix by the time the patch is applied. */
function mayMatch({ kind: wantedKind, name: pattern }: PatchTarget, kind: string, name: string | undefined): boolean {
  if (wantedKind !== undefined && !matches(wantedKind, kind)) return false;
  return pattern === undefined || name === undefined || pattern.includes(name) || matches(pattern, name);
}

function matches(pattern: string, text: string): boolean {
  if (/^[\w.-]*$/.test(pattern)) return pattern === text;
  const compiled = compileRegex(`^(?:${pattern})$`);
  // A pattern that Go refuses, or that could take too long, may match anything.
  return !('regex' in compiled) || compiled.regex.matches(text) !== false;
}

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const textOf = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
