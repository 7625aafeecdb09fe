import type { PodModel } from '../../../cluster/pods/podModel';
import type { Cycle } from '../../framework/interface';
import { MAX_NODE_SCORE, mulDiv } from '../../framework/normalize';
import { definePlugin } from '../../framework/plugin';

const MEBIBYTE = 1024 * 1024;
const MIN_THRESHOLD = 23 * MEBIBYTE;
const MAX_CONTAINER_THRESHOLD = 1000 * MEBIBYTE;

/** Upstream: pkg/scheduler/framework/plugins/imagelocality. */
export const imageLocality = () =>
  definePlugin({
    name: 'ImageLocality',
    // Data about an image is the same for the whole run.
    shares: { dependsOn: 'node', sign: pod => JSON.stringify(imagesOf(pod)) },
    score(_, pod, { node }, cycle) {
      const { count, images } = cycle.work.alwaysForClass(pod)('ImageLocality', () => podImages(pod, cycle));
      let sum = 0;
      for (const { name, size, holders } of images) {
        if (node.images.has(name)) sum += Math.trunc(size * (holders / cycle.nodes.length));
      }
      const max = MAX_CONTAINER_THRESHOLD * count;
      const clamped = Math.min(Math.max(sum, MIN_THRESHOLD), Math.max(max, MIN_THRESHOLD));
      return max <= MIN_THRESHOLD ? 0 : mulDiv(MAX_NODE_SCORE, clamped - MIN_THRESHOLD, max - MIN_THRESHOLD);
    },
  });

interface NodeImage {
  /** In bytes, as the first node reports it: upstream keeps one size for all nodes. */
  readonly size: number;
  /** The number of nodes that have it. */
  readonly holders: number;
}

/** The number of images that the Pod names, and those of them that some node has. */
function podImages(
  pod: PodModel,
  cycle: Cycle,
): { readonly count: number; readonly images: readonly (NodeImage & { readonly name: string })[] } {
  const names = imagesOf(pod);
  const images = nodeImages(cycle);
  return {
    count: names.length,
    images: names.flatMap(name => (images.has(name) ? [{ ...images.get(name)!, name }] : [])),
  };
}

/** Upstream: cacheImpl.addNodeImageStates. */
function nodeImages({ cluster, work }: Cycle): ReadonlyMap<string, NodeImage> {
  return work.always('images', () => {
    const known = new Map<string, NodeImage>();
    for (const { images } of cluster.nodes) {
      for (const [name, size] of images) {
        const found = known.get(name);
        known.set(name, { size: found?.size ?? size, holders: (found?.holders ?? 0) + 1 });
      }
    }
    return known;
  });
}

function imagesOf(pod: PodModel): readonly string[] {
  const containers = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])];
  const volumes = (pod.spec.volumes ?? []).flatMap(it => (it.image ? [it.image.reference ?? ''] : []));
  return [...containers.map(it => it.image ?? ''), ...volumes].map(withTag);
}

/** The name as nodes report it. Upstream: normalizedImageName. */
export function withTag(name: string): string {
  return name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
}
