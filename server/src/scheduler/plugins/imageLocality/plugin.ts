import type { PodModel } from '../../../cluster/model';
import { type Cycle, definePlugin, MAX_NODE_SCORE, mulDiv } from '../../framework/plugin';

const MEBIBYTE = 1024 * 1024;
const MIN_THRESHOLD = 23 * MEBIBYTE;
const MAX_CONTAINER_THRESHOLD = 1000 * MEBIBYTE;

/** Upstream: pkg/scheduler/framework/plugins/imagelocality. */
export const imageLocality = () =>
  definePlugin({
    name: 'ImageLocality',
    // How many nodes have an image is the same for the whole run.
    shares: { looksAt: 'node', sign: pod => JSON.stringify(imagesOf(pod)) },
    score(_, pod, { node }, cycle) {
      const names = imagesOf(pod);
      let sum = 0;
      for (const name of names) {
        const size = node.images.get(name);
        if (size === undefined) continue;
        sum += Math.trunc(size * ((holdersOf(cycle).get(name) ?? 0) / cycle.nodes.length));
      }
      const max = MAX_CONTAINER_THRESHOLD * names.length;
      const clamped = Math.min(Math.max(sum, MIN_THRESHOLD), Math.max(max, MIN_THRESHOLD));
      return max <= MIN_THRESHOLD ? 0 : mulDiv(MAX_NODE_SCORE, clamped - MIN_THRESHOLD, max - MIN_THRESHOLD);
    },
  });

/** Image → how many nodes have it. */
function holdersOf({ nodes, work }: Cycle): ReadonlyMap<string, number> {
  return work.once('imageHolders', () => {
    const holders = new Map<string, number>();
    for (const { node } of nodes)
      for (const name of node.images.keys()) holders.set(name, (holders.get(name) ?? 0) + 1);
    return holders;
  });
}

function imagesOf(pod: PodModel): readonly string[] {
  const containers = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])];
  const volumes = (pod.spec.volumes ?? []).flatMap(it => (it.image ? [it.image.reference ?? ''] : []));
  return [...containers.map(it => it.image ?? ''), ...volumes].map(withTag);
}

function withTag(name: string): string {
  return name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
}
