import { isObject, type JsonObject } from '../../base/json';
import type { ManifestFile } from '../../manifest/manifest';
import type { FileRoles } from '../fileRoles';
import { isKnownPath, type Kustomization } from '../kustomize';
import type { KustomizeUse } from '../kustomizeFields';
import { folderOf, isBelow } from '../paths';

/** A kustomization that no other uses, or a chart that is not part of another, to be rendered. */
export interface RenderJob {
  readonly tool: 'kustomize' | 'helm';
  /** kustomization.yaml or Chart.yaml. */
  readonly source: string;
  /** The working directory of the tool. */
  readonly folder: string;
  /** The name of the chart. */
  readonly chart?: string;
  /** Why it is not rendered, as a clause: it would fetch something, or start another program. */
  readonly obstacle?: string;
  /**
   * Uris of files and folders that it refers to and that are in no index: whether they need fetching is not known yet.
   */
  readonly unseen: readonly string[];
  /** Whether a change of a file may change the output. */
  readonly reads: (uri: string) => boolean;
}

type Files = ReadonlyMap<string, ManifestFile>;

/** Everything that can be rendered, in the order of its files. */
export function renderJobs(files: Files, { kustomizations, charts }: FileRoles): readonly RenderJob[] {
  const ofKustomize = kustomizations.roots
    .filter(it => it.object !== undefined && kustomizations.inFolder(it.folder) === it)
    .map((root): RenderJob => {
      const { kustomizations: used, objects, patches, others } = kustomizations.filesOf(root);
      const folders = new Set([...used].map(folderOf));
      const reads = (uri: string): boolean =>
        folders.has(folderOf(uri)) || [used, objects, patches, others].some(it => it.has(uri));
      const all = [...used].flatMap(it => kustomizations.kustomizations.get(it) ?? []);
      const plugins = all.flatMap(it => it.paths.flatMap(({ as, uri }) => (as === 'plugin' && uri ? [uri] : [])));
      const obstacle = [...all.map(obstacleIn), ...plugins.map(it => obstacleInPlugin(files.get(it)?.text ?? ''))].find(
        it => it !== undefined,
      );
      const named = all.flatMap(it => it.paths.flatMap(({ as, uri }) => (LEADS_ON.has(as) && uri ? [uri] : [])));
      const unseen = [...new Set(named)].filter(it => !isKnownPath(kustomizations, it));
      return { tool: 'kustomize', source: root.uri, folder: root.folder, reads, unseen, ...(obstacle && { obstacle }) };
    });
  return [...ofKustomize, ...[...charts].flatMap(it => chartJob(it, charts, files))];
}

/** Uses of files that may refer to further files: patches and data are only read. */
const LEADS_ON: ReadonlySet<KustomizeUse> = new Set(['resource', 'component', 'plugin']);

/** kustomize has no option that prevents fetching, and does not start helm without an option. */
export function obstacleIn(kustomization: Kustomization | undefined): string | undefined {
  const remote = kustomization?.paths.find(it => it.uri === undefined);
  if (remote !== undefined) return `it has kustomize fetch ${remote.path}`;
  const { value = {} } = kustomization?.object ?? {};
  const isMade = ['helmCharts', 'helmChartInflationGenerator'].some(it => (value as JsonObject)[it] !== undefined);
  if (isMade) return 'it has kustomize start helm';
  const inline = (['generators', 'transformers', 'validators'] as const).flatMap(it => (value as JsonObject)[it] ?? []);
  return inline.flatMap(it => (typeof it === 'string' ? (obstacleInPlugin(it) ?? []) : []))[0];
}

/** A plugin's configuration may refer to files in any of its fields, and kustomize would fetch them. */
export function obstacleInPlugin(text: string): string | undefined {
  // A run of letters of a scheme is looked at once, from its start.
  const [, found] = /(?<![a-z0-9+.-])[0-9+.-]*([a-z][a-z0-9+.-]*:\/\/\S*)/i.exec(text) ?? [];
  return found === undefined ? undefined : `it has a plugin of kustomize that names ${found.slice(0, MAX_SHOWN)}`;
}

/** How many characters of an address a message shows. */
const MAX_SHOWN = 80;

function chartJob(folder: string, charts: ReadonlySet<string>, files: Files): readonly RenderJob[] {
  const source = folder === '.' ? 'Chart.yaml' : `${folder}/Chart.yaml`;
  const value = files.get(source)?.documents[0]?.value;
  if (!isObject(value) || isPartOfAnother(folder, charts) || isLibrary(value)) return [];
  const chart = typeof value.name === 'string' ? value.name : 'chart';
  return [{ tool: 'helm', source, folder, chart, unseen: [], reads: uri => isBelow(uri, folder) }];
}

function isPartOfAnother(folder: string, charts: ReadonlySet<string>): boolean {
  return [...charts].some(it => it !== folder && isBelow(folder, it === '.' ? 'charts' : `${it}/charts`));
}

/** A library chart has no objects of its own: helm refuses to install it. */
const isLibrary = ({ type }: JsonObject): boolean => type === 'library';
