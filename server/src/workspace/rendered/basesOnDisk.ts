import { parseManifests } from '../../manifest/parse';
import { isKustomizationName, KUSTOMIZATION_NAMES, readKustomization } from '../kustomize';
import { resolveIn } from '../paths';
import { obstacleIn, obstacleInPlugin } from './jobs';

/** Access to paths that are in no index. */
export interface BasesWorld {
  /** What exists at a uri; undefined if access is not allowed. */
  readonly pathKind: (uri: string) => Promise<'file' | 'folder' | 'nothing' | undefined>;
  /** undefined if it does not exist or may not be read. */
  readonly readText: (uri: string) => Promise<string | undefined>;
  /** The first link below a folder whose target is out of bounds; undefined if there is none. */
  readonly linkOut: (folder: string) => Promise<string | undefined>;
}

/** At most this many files and folders are followed. */
const MAX_FOLLOWED = 2_000;

/**
 * Why a kustomization is not rendered because of bases that are in no index (ignored folders, `vendor`, other
 * repositories), as a clause; undefined if nothing that it reads is fetched. kustomize has no option that prevents
 * fetching (sigs.k8s.io/kustomize/api/internal/loader.NewLoader).
 * @param unseen uris of the files and folders that it refers to
 */
export async function obstacleOnDisk(unseen: readonly string[], world: BasesWorld): Promise<string | undefined> {
  const followed = new Set<string>();
  const left = [...unseen];
  for (let uri = left.pop(); uri !== undefined; uri = left.pop()) {
    if (followed.has(uri)) continue;
    followed.add(uri);
    if (followed.size > MAX_FOLLOWED)
      return `it has kustomize follow more than ${MAX_FOLLOWED} paths that are not indexed`;
    const what = await world.pathKind(uri);
    if (what === undefined) return `it has kustomize follow ${nameOf(uri)}, a path that may not be looked at`;
    // kustomize itself reports missing paths.
    if (what === 'nothing') continue;
    const files = what === 'file' ? [uri] : KUSTOMIZATION_NAMES.map(it => resolveIn(uri, it));
    for (const file of files) {
      const read = await readBase(file, world);
      if (read.obstacle !== undefined) return read.obstacle;
      for (const each of read.named) left.push(each);
    }
  }
  return undefined;
}

interface Base {
  readonly named: readonly string[];
  readonly obstacle?: string;
}

async function readBase(uri: string, world: BasesWorld): Promise<Base> {
  const what = await world.pathKind(uri);
  if (what === 'nothing') return { named: [] };
  const text = what === 'file' ? await world.readText(uri) : undefined;
  if (text === undefined)
    return { named: [], obstacle: `it has kustomize follow ${nameOf(uri)}, a file that cannot be read` };
  if (!isKustomizationName(uri)) {
    const obstacle = obstacleInPlugin(text);
    return { named: [], ...(obstacle && { obstacle }) };
  }
  const kustomization = readKustomization(uri, parseManifests(uri, text).documents[0]?.objects[0]);
  const obstacle = obstacleIn(kustomization);
  return { named: kustomization.paths.flatMap(it => it.uri ?? []), ...(obstacle && { obstacle }) };
}

/**
 * Why a chart is not rendered because of its links, as a clause: helm follows all of them
 * (helm.sh/helm/v3/internal/sympath).
 */
export async function obstacleInLinks(folder: string, { linkOut }: BasesWorld): Promise<string | undefined> {
  const link = await linkOut(folder);
  return link === undefined ? undefined : `it has helm follow ${nameOf(link)}, a link that leads out`;
}

const nameOf = (uri: string): string => (uri.startsWith('file:') ? decodeURI(uri.slice('file://'.length)) : uri);
