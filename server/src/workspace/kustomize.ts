import type { JsonObject } from '../base/json';
import { lazy, lazyByObject, lazyByText } from '../base/lazy';
import { push } from '../base/multiMap';
import type { ManifestFile, ManifestObject } from '../manifest/manifest';
import { asKustomization, fluxComponents, fluxKustomizationsIn, foldersMeant } from './flux';
import { inlinePatchesIn, type KustomizePatch } from './inlinePatches';
import { isRemote, type KustomizeUse, type WrittenPath, writtenPaths } from './kustomizeFields';
import { baseNameOf, folderOf, resolverIn } from './paths';

/** Names of kustomization files, in kustomize's order. Upstream: konfig.RecognizedKustomizationFileNames */
export const KUSTOMIZATION_NAMES: readonly string[] = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

/** A path in a kustomization, and its target. */
export interface NamedPath extends WrittenPath {
  /** The file or folder; undefined if kustomize would fetch it. */
  readonly uri: string | undefined;
}

/** One kustomization file. A component adds to the kustomizations that use it and is not built by itself. */
export interface Kustomization {
  readonly uri: string;
  readonly folder: string;
  readonly kind: 'Kustomization' | 'Component';
  /** undefined if the file does not contain a mapping. */
  readonly object: ManifestObject | undefined;
  readonly paths: readonly NamedPath[];
  readonly inlinePatches: () => readonly KustomizePatch[];
}

/** What adds to objects when they are deployed: a kustomization, or a Kustomization of Flux, which deploys the folder of one. */
export interface Builder extends Pick<Kustomization, 'uri' | 'kind' | 'paths' | 'inlinePatches'> {
  readonly object: Pick<ManifestObject, 'value'> | undefined;
}

/** The location of a path that refers to a file or a folder. */
export interface NamedBy {
  readonly kustomization: Kustomization;
  readonly named: NamedPath;
}

/** Everything that kustomize reads to build a kustomization, as uris of files of the workspace. */
export interface KustomizationFiles {
  readonly kustomizations: ReadonlySet<string>;
  /** Files of whole objects. */
  readonly objects: ReadonlySet<string>;
  readonly patches: ReadonlySet<string>;
  /** Plugins, configurations, data and values. */
  readonly others: ReadonlySet<string>;
}

/**
 * The role of a file for the kustomizations of the workspace. A file that is used both as a resource and as something
 * else is `objects`.
 */
export type KustomizeRole = 'kustomization' | 'objects' | Exclude<KustomizeUse, 'resource' | 'component'>;

/** Upstream: the fields `namePrefix` and `nameSuffix`. */
export interface Affixes {
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
}

/** The kustomizations of the workspace, and the role of each file. Immutable. */
export interface KustomizationGraph {
  /** By the uri of the kustomization file. */
  readonly kustomizations: ReadonlyMap<string, Kustomization>;
  /** Kustomizations, without components, that no other kustomization of the workspace uses: those that people build. */
  readonly roots: readonly Kustomization[];
  /** undefined for a file that no kustomization refers to. */
  readonly roleOf: (uri: string) => KustomizeRole | undefined;
  /** The references to a file, or to the folder of a kustomization file. */
  readonly namedBy: (uri: string) => readonly NamedBy[];
  /** The kustomization file in a folder. */
  readonly inFolder: (folder: string) => Kustomization | undefined;
  /** What builds the objects of a file, directly or indirectly, with the components that it uses. */
  readonly buildersOf: (uri: string) => readonly Builder[];
  /** The Kustomizations of Flux, by which folders are deployed. */
  readonly flux: readonly ManifestObject[];
  readonly fluxIn: (file: ManifestFile) => readonly ManifestObject[];
  /** Whether a file, before or after a change, has one of these. */
  readonly isOfFlux: (file: ManifestFile | undefined) => boolean;
  /** What all kustomizations put before and after names, each once. */
  readonly affixes: () => Affixes;
  /** The namespaces that kustomizations put objects into. */
  readonly namespaces: () => ReadonlySet<string>;
  /** All files of a kustomization and of those that it uses; circles end. */
  readonly filesOf: (kustomization: Kustomization) => KustomizationFiles;
  /** Whether a file exists at the uri of a path in a kustomization; other uris are not known. */
  readonly exists: (uri: string) => boolean;
}

/** The files that kustomize reads for a root. Its output may come from any of them. */
export function filesUsed(root: Kustomization, { filesOf }: KustomizationGraph): readonly ReadonlySet<string>[] {
  const { kustomizations, objects, patches } = filesOf(root);
  return [kustomizations, objects, patches];
}

/** Whether the workspace has what a path of a kustomization leads to: a file, or a folder with a kustomization. */
export const isKnownPath = (
  { exists, inFolder }: Pick<KustomizationGraph, 'exists' | 'inFolder'>,
  uri: string,
): boolean => exists(uri) || inFolder(uri) !== undefined;

/** Whether kustomize treats a file of this name as a kustomization, whatever its content. */
export function isKustomizationName(uri: string): boolean {
  return KUSTOMIZATION_NAMES.includes(baseNameOf(uri));
}

/**
 * The graph of all kustomizations among some files. With the previous graph, unchanged kustomizations are reused, and
 * so is the graph itself if nothing that it depends on has changed: an edit of another file costs only a pass over the
 * names.
 */
export function kustomizationGraph(
  files: ReadonlyMap<string, ManifestFile>,
  previous?: KustomizationGraph,
): KustomizationGraph {
  const kustomizations = new Map<string, Kustomization>();
  for (const [uri, file] of files) {
    if (!isKustomizationName(uri)) continue;
    const object = file.documents[0]?.objects[0];
    const known = previous?.kustomizations.get(uri);
    const isSame = known !== undefined && known.object?.contentId === object?.contentId;
    kustomizations.set(uri, isSame ? { ...known, object } : readKustomization(uri, object));
  }
  const fluxIn = previous?.fluxIn ?? lazyByObject(fluxKustomizationsIn);
  const flux = kustomizations.size === 0 ? [] : [...files.values()].flatMap(fluxIn);
  if (previous !== undefined && isUnchanged(previous, kustomizations, flux, files)) return previous;
  return graphOf(kustomizations, flux, fluxIn, new Set(files.keys()));
}

/**
 * The kustomization in a file; `object` is undefined if the file does not contain a mapping. Read once: the graph of the
 * workspace and those of its environments have the same kustomizations.
 */
export function readKustomization(uri: string, object: ManifestObject | undefined): Kustomization {
  return object === undefined ? kustomizationIn(uri, undefined) : kustomizationOf(object);
}

const kustomizationOf = lazyByObject((object: ManifestObject) => kustomizationIn(object.uri, object));

function kustomizationIn(uri: string, object: ManifestObject | undefined): Kustomization {
  const folder = folderOf(uri);
  const kind = object?.value.kind === 'Component' ? 'Component' : 'Kustomization';
  const paths = object === undefined ? [] : writtenPaths(object.value);
  const resolve = resolverIn(folder);
  const uriOf = ({ path }: WrittenPath): string | undefined => (isRemote(path) ? undefined : resolve(path));
  return {
    uri,
    folder,
    kind,
    object,
    paths: paths.map(it => ({ ...it, uri: uriOf(it) })),
    inlinePatches: inlinePatchesLater(object?.value ?? {}),
  };
}

/** Of the value alone: a graph must not hold positions of an earlier version of the file. */
const inlinePatchesLater = (value: JsonObject): Kustomization['inlinePatches'] => lazy(() => inlinePatchesIn(value));

/** Objects must be identical, since their positions belong to one version of the file. */
function isUnchanged(
  { kustomizations: before, flux: fluxBefore, exists }: KustomizationGraph,
  now: ReadonlyMap<string, Kustomization>,
  flux: readonly ManifestObject[],
  files: ReadonlyMap<string, ManifestFile>,
): boolean {
  if (before.size !== now.size) return false;
  for (const [uri, { object }] of now) if (!before.has(uri) || before.get(uri)?.object !== object) return false;
  if (flux.length !== fluxBefore.length || flux.some((it, i) => it !== fluxBefore[i])) return false;
  const named = [...now.values()].flatMap(it => it.paths.flatMap(path => path.uri ?? []));
  return named.every(it => exists(it) === files.has(it));
}

function graphOf(
  kustomizations: ReadonlyMap<string, Kustomization>,
  flux: readonly ManifestObject[],
  fluxIn: KustomizationGraph['fluxIn'],
  uris: ReadonlySet<string>,
): KustomizationGraph {
  const folders = new Map<string, Kustomization>();
  for (const it of kustomizations.values()) {
    const rank = (uri: string): number => KUSTOMIZATION_NAMES.indexOf(baseNameOf(uri));
    const other = folders.get(it.folder);
    if (other === undefined || rank(it.uri) < rank(other.uri)) folders.set(it.folder, it);
  }
  const namedBy = new Map<string, NamedBy[]>();
  for (const kustomization of kustomizations.values()) {
    for (const named of kustomization.paths) {
      if (named.uri === undefined) continue;
      push(namedBy, folders.get(named.uri)?.uri ?? named.uri, { kustomization, named });
    }
  }
  const roleOf = (uri: string): KustomizeRole | undefined => {
    if (kustomizations.has(uri)) return 'kustomization';
    const uses = new Set((namedBy.get(uri) ?? []).map(it => it.named.as));
    if (uses.has('resource')) return 'objects';
    return ROLES.find(it => uses.has(it));
  };
  // One may name thousands of files, each of which asks for its builders.
  const componentsOf = lazyByObject(({ paths }: Kustomization) =>
    paths.flatMap(it => (it.as === 'component' && it.uri !== undefined ? (folders.get(it.uri) ?? []) : [])),
  );
  const deployers = deployersOf(flux, folders);
  const deploying = [...deployers.values()].flat();
  const filesOf = new Map<string, () => KustomizationFiles>();
  for (const it of kustomizations.values())
    filesOf.set(
      it.uri,
      lazy(() => closure(it, folders, uris)),
    );
  return {
    kustomizations,
    roots: [...kustomizations.values()].filter(it => it.kind === 'Kustomization' && !namedBy.has(it.uri)),
    roleOf,
    namedBy: uri => namedBy.get(uri) ?? [],
    buildersOf: lazyByText(uri => buildersOf(uri, namedBy, componentsOf, deployers)),
    flux,
    fluxIn,
    isOfFlux: file => file !== undefined && fluxIn(file).length > 0,
    affixes: lazy(() => affixesOf([...kustomizations.values(), ...deploying])),
    namespaces: lazy(() => new Set(textsOf('namespace', [...kustomizations.values(), ...deploying]))),
    inFolder: folder => folders.get(folder),
    filesOf: it => filesOf.get(it.uri)?.() ?? closure(it, folders, uris),
    exists: uri => uris.has(uri),
  };
}

/** By the uri of a kustomization: the Kustomizations of Flux that deploy its folder, with the components that they add. */
function deployersOf(
  flux: readonly ManifestObject[],
  folders: ReadonlyMap<string, Kustomization>,
): ReadonlyMap<string, readonly Builder[]> {
  const found = new Map<string, Builder[]>();
  for (const it of flux) {
    const folder = foldersMeant(it).find(meant => folders.has(meant));
    const deployed = folder === undefined ? undefined : folders.get(folder);
    if (folder === undefined || deployed === undefined) continue;
    const value = asKustomization(it.value);
    push(found, deployed.uri, {
      uri: it.uri,
      kind: 'Kustomization',
      object: { value },
      paths: [],
      inlinePatches: inlinePatchesLater(value),
    });
    for (const component of fluxComponents(it, folder).flatMap(of => folders.get(of) ?? []))
      push(found, deployed.uri, component);
  }
  return found;
}

function affixesOf(all: readonly Builder[]): Affixes {
  return {
    prefixes: [...new Set(textsOf('namePrefix', all))],
    suffixes: [...new Set(textsOf('nameSuffix', all))],
  };
}

/** The texts of one field of some kustomizations, without empty ones. */
export const textsOf = (field: string, kustomizations: readonly Builder[]): readonly string[] =>
  kustomizations
    .map(it => it.object?.value[field])
    .filter(it => typeof it === 'string' && it !== '') as readonly string[];

function buildersOf(
  uri: string,
  namedBy: ReadonlyMap<string, readonly NamedBy[]>,
  componentsOf: (kustomization: Kustomization) => readonly Kustomization[],
  deployers: ReadonlyMap<string, readonly Builder[]>,
): readonly Builder[] {
  const found = new Set<Builder>();
  // A set yields what is added to it while it is gone through. No recursion: chains may be thousands long.
  const built = new Set([uri]);
  for (const named of built) {
    for (const { kustomization, named: path } of namedBy.get(named) ?? []) {
      if (path.as !== 'resource' && path.as !== 'component') continue;
      built.add(kustomization.uri);
      found.add(kustomization);
      for (const it of componentsOf(kustomization)) found.add(it);
      for (const it of deployers.get(kustomization.uri) ?? []) found.add(it);
    }
  }
  return [...found];
}

const ROLES = ['patch', 'plugin', 'configuration', 'data', 'values'] as const;

function closure(
  start: Kustomization,
  folders: ReadonlyMap<string, Kustomization>,
  uris: ReadonlySet<string>,
): KustomizationFiles {
  const kustomizations = new Set<string>();
  const objects = new Set<string>();
  const patches = new Set<string>();
  const others = new Set<string>();
  // Where it goes on, the innermost last. No recursion: chains may be thousands long.
  const open: { readonly paths: Iterator<NamedPath>; readonly makes: Set<string> }[] = [];
  const enter = ({ uri, paths }: Kustomization, makes: Set<string>): void => {
    if (kustomizations.has(uri)) return;
    kustomizations.add(uri);
    open.push({ paths: paths.values(), makes });
  };
  enter(start, objects);
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const { done, value } = inner.paths.next();
    if (done === true) open.pop();
    if (done === true || value.uri === undefined) continue;
    const { as, uri } = value;
    const used = folders.get(uri);
    // A plugin's folder builds configurations of plugins, not objects of the cluster.
    if (used !== undefined) enter(used, as === 'plugin' ? others : inner.makes);
    else if (uris.has(uri)) (as === 'resource' ? inner.makes : as === 'patch' ? patches : others).add(uri);
  }
  return { kustomizations, objects, patches, others };
}
