import type { AnalysisHost } from '../../analysis/analysis';
import { type ClusterContent, type ClusterRequest, contentOfFile, kindInWords } from '../../analysis/clusters';
import type { Bounds } from '../../disk/within';
import { complain } from '../complain';
import { type CliWorld, UsageError } from '../world';
import { ALLOW_EXEC, OUTSIDE } from './borders';
import { collect } from './collect';

/**
 * What the source of a cluster holds, for all that it may be parts by: the files of a folder, or a server. Throws
 * UsageError when there is nothing to go on with.
 *
 * @param minor what the nodes of kind run whose image names no version.
 * @param bounds how far a file may lead that a file of the workspace names.
 */
export async function readCluster(
  request: ClusterRequest,
  minor: string,
  bounds: Bounds,
  world: CliWorld,
): Promise<ClusterContent> {
  const { source, key } = request;
  const content =
    source.from === 'live'
      ? await readLive(request, source.context, world)
      : contentOfFile(source.from, await textOf(request, source.file, bounds, world), minor);
  if (content.state === 'unreachable') throw new UsageError(`The cluster ${key} cannot be used: ${content.reason}.`);
  const lacking = lackingInWords(content);
  if (lacking !== undefined) complain(world, `${key}: ${lacking}`);
  return content;
}

/** Who names a cluster on the command line, or asks for a snapshot of it, wants its credentials; a file may be anybody's. */
async function readLive(
  { origin }: ClusterRequest,
  context: string | undefined,
  world: CliWorld,
): Promise<ClusterContent> {
  const plugins = origin === 'settings' ? 'allowed' : world.namedPlugins;
  const content = await world.live().readLive({ ...(context !== undefined && { context }), plugins });
  const isRefused = content.state === 'unreachable' && content.program !== undefined && plugins === 'refused';
  return isRefused ? { ...content, reason: `${content.reason}; ${ALLOW_EXEC} runs it` } : content;
}

/** Hands an analysis what its environments want to know of clusters. Throws UsageError. */
export async function fetchClusters(host: AnalysisHost, bounds: Bounds, world: CliWorld): Promise<void> {
  const { clusterRequests: requests, settings } = host.analysis();
  for (const request of requests) {
    const content = await readCluster(request, settings.kubernetesVersion, bounds, world);
    host.apply({ clusters: [{ key: request.key, content }] });
  }
}

async function textOf({ key, origin }: ClusterRequest, path: string, bounds: Bounds, world: CliWorld): Promise<string> {
  const isNamed = origin === 'configuration';
  const { kind } = await world.entry(path, isNamed ? bounds : await world.borders.named(path));
  if (kind === 'missing' || kind === 'outside') {
    const namedBy = isNamed ? ', which berth.yaml or a test names,' : '';
    const why = kind === 'missing' ? `there is no file ${path}` : OUTSIDE;
    throw new UsageError(`The cluster ${key}${namedBy} cannot be used: ${why}.`);
  }
  const files = await collect([isNamed ? { path, bounds } : path], world);
  const texts = files.map(it => {
    if ('failure' in it) throw new UsageError(`The cluster ${key} cannot be used: ${it.path}: ${it.failure}`);
    return it.text;
  });
  return texts.join('\n---\n');
}

/** What a cluster did not list, in one sentence; undefined when it listed everything. */
export function lackingInWords({ listings }: ClusterContent): string | undefined {
  const kinds = (isMeant: (it: ClusterContent['listings'][number]) => boolean): string =>
    listings.filter(isMeant).map(kindInWords).join(', ');
  const parts = [
    ['may not be listed', kinds(it => it.state === 'forbidden')],
    ['could not be listed', kinds(it => it.state === 'failed')],
    ['could not be listed as a whole', kinds(it => it.state === 'partial')],
    ['may be listed in one namespace only', kinds(it => it.state === 'listed' && it.namespaces?.length === 1)],
  ].filter(([, them]) => them !== '');
  return parts.length === 0 ? undefined : `${parts.map(([what, them]) => `these ${what}: ${them}`).join('; ')}.`;
}
