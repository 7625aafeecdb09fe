import type { AnalysisHost } from '../analysis/analysis';
import { type ClusterContent, contentOfFile, kindInWords } from '../analysis/clusterSources';
import type { ClusterWish } from '../analysis/environments';
import { collect } from './collect';
import { complain } from './complain';
import { type CliWorld, UsageError } from './world';

/**
 * What the source of a cluster holds, for all that it may be told by: the files of a folder, or a server. Throws
 * UsageError when there is nothing to go on with.
 *
 * @param minor what the nodes of kind run whose image names no version.
 */
export async function readCluster(wish: ClusterWish, minor: string, world: CliWorld): Promise<ClusterContent> {
  const { source, key } = wish;
  const content =
    source.from === 'live'
      ? await world
          .live()
          .readLive({ ...(source.context !== undefined && { context: source.context }), plugins: 'allowed' })
      : contentOfFile(source.from, await textOf(wish, source.file, world), minor);
  if (content.state === 'unreachable') throw new UsageError(`The cluster ${key} cannot be used: ${content.reason}.`);
  const lacking = lackingInWords(content);
  if (lacking !== undefined) complain(world, `${key}: ${lacking}`);
  return content;
}

/** Hands an analysis what its environments want to know of clusters. Throws UsageError. */
export async function fetchClusters(host: AnalysisHost, world: CliWorld): Promise<void> {
  const { clusterWishes, settings } = host.analysis();
  for (const wish of clusterWishes) {
    const content = await readCluster(wish, settings.kubernetesVersion, world);
    host.apply({ clusters: [{ key: wish.key, content }] });
  }
}

async function textOf({ key, origin }: ClusterWish, path: string, world: CliWorld): Promise<string> {
  if ((await world.entry(path)).kind === 'missing') {
    const namedBy = origin === 'configuration' ? ', which berth.yaml names,' : '';
    throw new UsageError(`The cluster ${key}${namedBy} cannot be used: there is no file ${path}.`);
  }
  const files = await collect([path], world);
  const texts = files.map(it => {
    if ('failure' in it) throw new UsageError(`The cluster ${key} cannot be used: ${it.path}: ${it.failure}`);
    return it.text;
  });
  return texts.join('\n---\n');
}

/** What a cluster did not tell, in one sentence; undefined when it told everything. */
export function lackingInWords({ listings }: ClusterContent): string | undefined {
  const kinds = (isMeant: (it: ClusterContent['listings'][number]) => boolean): string =>
    listings.filter(isMeant).map(kindInWords).join(', ');
  const told = [
    ['may not be listed', kinds(it => it.state === 'forbidden')],
    ['could not be listed', kinds(it => it.state === 'failed')],
    ['could not be listed as a whole', kinds(it => it.state === 'partial')],
    ['may be listed in one namespace only', kinds(it => it.state === 'listed' && it.namespaces?.length === 1)],
  ].filter(([, them]) => them !== '');
  return told.length === 0 ? undefined : `${told.map(([what, them]) => `these ${what}: ${them}`).join('; ')}.`;
}
