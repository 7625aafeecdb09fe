import { lazy, lazyByText } from '../base/lazy';
import type { ManifestFile } from '../manifest/manifest';
import { isTemplateSource } from '../manifest/templates';
import { chartFileOf, chartFolders } from './charts';
import {
  filesUsed,
  isKustomizationName,
  KUSTOMIZATION_NAMES,
  type Kustomization,
  type KustomizationGraph,
  kustomizationGraph,
} from './kustomize';
import { baseNameOf, folderOf, isBelow } from './paths';
import { isRenderedUri, renderedSources, renderedUri } from './rendered/names';

/**
 * The role of a file. `objects`: manifests, checked as the API server does; `source`: manifests whose rendered output
 * is known and checked instead; `patch`: parts of objects; `kustomization`: the file that refers to all of these;
 * `template`: the source of manifests in another language; `settings`: YAML for other tools (values, Chart.yaml,
 * configurations of kustomize); `data`: content of a ConfigMap.
 */
export type FileRole = 'objects' | 'source' | 'patch' | 'kustomization' | 'template' | 'settings' | 'data';

/** Names of the files that say which roles the files below or beside them have. */
export const ROLE_FILES: readonly string[] = [...KUSTOMIZATION_NAMES, 'Chart.yaml'];

/** A kustomization or a chart whose output exists. */
export interface RenderedSource {
  /** The uri of the kustomization file, or of Chart.yaml. */
  readonly source: string;
  /** The uri of the virtual document with the output. */
  readonly rendered: string;
}

export interface Overlay {
  readonly name: string;
  /** How many rendered overlays share its base. */
  readonly of: number;
}

/** The roles of the workspace's files for Kustomize and Helm. Immutable. */
export interface FileRoles {
  readonly kustomizations: KustomizationGraph;
  /** Folders with a Chart.yaml. */
  readonly charts: ReadonlySet<string>;
  /** Virtual documents with the output of kustomizations and charts, by uri. */
  readonly rendered: ReadonlySet<string>;
  /** The kustomization or the chart of each of these documents, by the uri of the document. */
  readonly sources: ReadonlyMap<string, string>;
  readonly of: (file: ManifestFile) => FileRole;
  /** Whether the output of everything that is built from a file of objects exists. */
  readonly isSource: (uri: string) => boolean;
  /** The kustomizations and charts that a file may contribute to and whose output exists. */
  readonly renderedFrom: (uri: string) => readonly RenderedSource[];
  /** The overlay that a rendered root kustomization is, given by its uri; undefined for a chart. */
  readonly overlayOf: (source: string) => Overlay | undefined;
  /**
   * Whether the objects of a file come to a cluster as they are written: no patches, generators, transformers and values, and no
   * sources of what is rendered.
   */
  readonly isDeployed: (file: ManifestFile) => boolean;
}

/**
 * The roles of some files. Returns the previous value itself if nothing that it depends on has changed, so that caches
 * keyed by it stay valid.
 */
export function fileRolesOf(files: ReadonlyMap<string, ManifestFile>, previous?: FileRoles): FileRoles {
  const kustomizations = kustomizationGraph(files, previous?.kustomizations);
  const charts = chartFolders(files.keys());
  const rendered = new Set([...files.keys()].filter(isRenderedUri));
  const isAsBefore = previous?.kustomizations === kustomizations && isSame(previous.charts, charts);
  if (isAsBefore && isSame(previous.rendered, rendered)) return previous;
  const sources = rendered.size === 0 ? new Map<string, string>() : renderedSources(kustomizations.roots, files.keys());
  const known = { kustomizations, charts, rendered, sources, isSource: sourceIn(kustomizations, rendered) };
  const of = roleIn(known);
  return {
    ...known,
    of,
    isDeployed: deployedIn(known, of),
    renderedFrom: renderedFromIn(known),
    overlayOf: overlaysIn(known),
  };
}

type Known = Omit<FileRoles, 'of' | 'isDeployed' | 'renderedFrom' | 'overlayOf'>;

function deployedIn(known: Known, of: FileRoles['of']): FileRoles['isDeployed'] {
  return file => {
    const role = of(file);
    return role === 'objects' || (role === 'template' && !isInRenderedChart(file.uri, known));
  };
}

/** Whether a file is a part of a chart whose output exists, or of a chart in it. */
export function isInRenderedChart(uri: string, { charts, rendered }: Pick<FileRoles, 'charts' | 'rendered'>): boolean {
  const isPart = rendered.size > 0 && (chartFileOf(uri, charts)?.role ?? 'other') !== 'other';
  return isPart && [...charts].some(it => rendered.has(renderedUri(it)) && isBelow(uri, it));
}

function roleIn(known: Known): FileRoles['of'] {
  const roles = new WeakMap<ManifestFile, FileRole>();
  return file => {
    const role = roles.get(file) ?? roleOf(file, known);
    roles.set(file, role);
    return role;
  };
}

const OF_KUSTOMIZE = {
  objects: 'objects',
  kustomization: 'kustomization',
  patch: 'patch',
  plugin: 'settings',
  configuration: 'settings',
  values: 'settings',
  data: 'data',
} as const;

const OF_CHART = { chart: 'settings', values: 'settings', template: 'template', crd: 'objects' } as const;

function roleOf(file: ManifestFile, { kustomizations, charts, rendered, sources, isSource }: Known): FileRole {
  // A base may be a root in one environment, where it is rendered, and part of an overlay in another.
  if (rendered.has(file.uri)) return sources.has(file.uri) ? 'objects' : 'settings';
  const ofKustomize = kustomizations.roleOf(file.uri);
  if (ofKustomize === 'data') return 'data';
  const inChart = chartFileOf(file.uri, charts);
  if (inChart !== undefined && inChart.role !== 'other') return OF_CHART[inChart.role];
  if (isTemplateSource(file)) return 'template';
  if (isSource(file.uri)) return 'source';
  if (ofKustomize !== undefined) return OF_KUSTOMIZE[ofKustomize];
  if (isKustomizationName(file.uri)) return 'kustomization';
  if (isCalledPatch(file.uri, kustomizations)) return 'patch';
  const hasNoObject =
    inChart !== undefined && !file.documents.some(it => it.objects.some(object => hasKind(object.value)));
  return hasNoObject ? 'settings' : 'objects';
}

/** Each environment asks about the files of a base that all of them share. */
function renderedFromIn({ rendered, sources, kustomizations, charts }: Known): FileRoles['renderedFrom'] {
  const find = lazyByText((uri): readonly RenderedSource[] => {
    const ofCharts = [...charts].filter(it => isBelow(uri, it)).map(renderedUri);
    const ofKustomizations = kustomizations.roots
      .filter(it => filesUsed(it, kustomizations).some(files => files.has(uri)))
      .map(it => renderedUri(it.folder));
    return [...ofCharts, ...ofKustomizations].flatMap(it => {
      const source = sources.get(it);
      return source === undefined || !rendered.has(it) ? [] : [{ source, rendered: it }];
    });
  });
  return uri => (rendered.size === 0 || rendered.has(uri) ? [] : find(uri));
}

/** Each problem of what is rendered asks for the name of its overlay. */
function overlaysIn({ rendered, kustomizations: graph }: Known): FileRoles['overlayOf'] {
  const basesOf = (root: Kustomization): readonly string[] => {
    const { kustomizations, objects } = graph.filesOf(root);
    return [...kustomizations, ...objects];
  };
  const builtRoots = lazy(() => graph.roots.filter(it => rendered.has(renderedUri(it.folder))));
  return lazyByText((source): Overlay | undefined => {
    const root = graph.kustomizations.get(source);
    if (root === undefined) return undefined;
    const bases = new Set(basesOf(root));
    const siblings = builtRoots().filter(it => basesOf(it).some(uri => bases.has(uri)));
    return { name: overlayName(root, siblings), of: siblings.length };
  });
}

/** The last folder of an overlay; with the one above where two have the same. */
function overlayName({ folder }: Kustomization, siblings: readonly Kustomization[]): string {
  const isShared = siblings.filter(it => baseNameOf(it.folder) === baseNameOf(folder)).length > 1;
  return decodeURIComponent(isShared ? `${baseNameOf(folderOf(folder))}/${baseNameOf(folder)}` : baseNameOf(folder));
}

function sourceIn(graph: KustomizationGraph, rendered: ReadonlySet<string>): FileRoles['isSource'] {
  if (rendered.size === 0) return () => false;
  const isRendered = (uri: string): boolean => {
    if (graph.roleOf(uri) !== 'objects') return false;
    const builders = new Set(graph.buildersOf(uri));
    const built = graph.roots.filter(it => builders.has(it));
    return built.length > 0 && built.every(it => rendered.has(renderedUri(it.folder)));
  };
  const known = new Map<string, boolean>();
  return uri => {
    const answer = known.get(uri) ?? isRendered(uri);
    known.set(uri, answer);
    return answer;
  };
}

/** What kubeadm patches is the name of the file. Upstream: kubeadm's `patches.directory` */
const OF_KUBEADM =
  /^(?:etcd|kube-(?:apiserver|controller-manager|scheduler)|kubeletconfiguration|corednsdeployment)\d*(?:\+(?:strategic|merge|json))?\.(?:ya?ml|json)$/;

/**
 * Whether a file is a patch by its name although no kustomization refers to it, as scaffolds leave it; a kustomization
 * is in its folder or above. kubeadm's need none.
 */
function isCalledPatch(uri: string, { inFolder }: KustomizationGraph): boolean {
  const folder = folderOf(uri);
  if (baseNameOf(folder) === 'patches' && OF_KUBEADM.test(baseNameOf(uri))) return true;
  if (!/patch/i.test(baseNameOf(uri)) && baseNameOf(folder) !== 'patches') return false;
  return inFolder(folder) !== undefined || inFolder(folderOf(folder)) !== undefined;
}

const hasKind = (value: { readonly kind?: unknown }): boolean => typeof value.kind === 'string';

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every(it => b.has(it));
}
