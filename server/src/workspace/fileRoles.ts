import type { ManifestFile } from '../manifest/manifest';
import { isTemplateSource } from '../manifest/templates';
import { chartFileOf, chartFolders } from './charts';
import { isKustomizationName, type KustomizationGraph, kustomizationGraph } from './kustomize';
import { baseNameOf, folderOf } from './paths';

/**
 * What a file holds. `objects`: manifests, judged as the API server does; `patch`: parts of objects; `kustomization`:
 * the file that names both; `template`: the source of manifests in another language; `settings`: YAML that other tools
 * read (values, Chart.yaml, configurations of kustomize); `data`: whatever a ConfigMap is made of.
 */
export type FileRole = 'objects' | 'patch' | 'kustomization' | 'template' | 'settings' | 'data';

/** What the files of the workspace are to Kustomize and Helm. Immutable. */
export interface FileRoles {
  readonly kustomizations: KustomizationGraph;
  /** Folders that hold a Chart.yaml. */
  readonly charts: ReadonlySet<string>;
  readonly of: (file: ManifestFile) => FileRole;
}

/**
 * The roles of some files. Is the very value from before when nothing that it depends on has changed, so that whoever
 * keeps something by it can go on.
 */
export function fileRolesOf(files: ReadonlyMap<string, ManifestFile>, previous?: FileRoles): FileRoles {
  const kustomizations = kustomizationGraph(files, previous?.kustomizations);
  const charts = chartFolders(files.keys());
  if (previous?.kustomizations === kustomizations && isSame(previous.charts, charts)) return previous;
  return { kustomizations, charts, of: roleIn(kustomizations, charts) };
}

function roleIn(kustomizations: KustomizationGraph, charts: ReadonlySet<string>): FileRoles['of'] {
  const roles = new WeakMap<ManifestFile, FileRole>();
  return file => {
    const known = roles.get(file) ?? roleOf(file, kustomizations, charts);
    roles.set(file, known);
    return known;
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

function roleOf(file: ManifestFile, kustomizations: KustomizationGraph, charts: ReadonlySet<string>): FileRole {
  const ofKustomize = kustomizations.roleOf(file.uri);
  if (ofKustomize === 'data') return 'data';
  const inChart = chartFileOf(file.uri, charts);
  if (inChart !== undefined && inChart.role !== 'other') return OF_CHART[inChart.role];
  if (isTemplateSource(file)) return 'template';
  if (ofKustomize !== undefined) return OF_KUSTOMIZE[ofKustomize];
  if (isKustomizationName(file.uri)) return 'kustomization';
  if (isCalledPatch(file.uri, kustomizations)) return 'patch';
  const hasNoObject =
    inChart !== undefined && !file.documents.some(it => it.objects.some(object => hasKind(object.value)));
  return hasNoObject ? 'settings' : 'objects';
}

/** A patch that no kustomization names, as a scaffold leaves it: its name says what it is, and a kustomization is around it. */
function isCalledPatch(uri: string, { inFolder }: KustomizationGraph): boolean {
  const folder = folderOf(uri);
  if (!/patch/i.test(baseNameOf(uri)) && baseNameOf(folder) !== 'patches') return false;
  return inFolder(folder) !== undefined || inFolder(folderOf(folder)) !== undefined;
}

const hasKind = (value: { readonly kind?: unknown }): boolean => typeof value.kind === 'string';

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every(it => b.has(it));
}
