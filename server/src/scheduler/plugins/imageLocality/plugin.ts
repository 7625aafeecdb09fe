import type { PodModel } from '../../../cluster/model';
import { definePlugin, MAX_NODE_SCORE, mulDiv } from '../../framework/plugin';

const MEBIBYTE = 1024 * 1024;
const MIN_THRESHOLD = 23 * MEBIBYTE;
const MAX_CONTAINER_THRESHOLD = 1000 * MEBIBYTE;

/** Upstream: pkg/scheduler/framework/plugins/imagelocality. */
export const imageLocality = () =>
  definePlugin({
    name: 'ImageLocality',
    score(_, pod, { node }, cycle) {
      const names = imagesOf(pod);
      let sum = 0;
      for (const name of names) {
        const size = node.images.get(name);
        if (size === undefined) continue;
        const holders = cycle.nodes.filter(it => it.node.images.has(name)).length;
        sum += Math.trunc(size * (holders / cycle.nodes.length));
      }
      const max = MAX_CONTAINER_THRESHOLD * names.length;
      const clamped = Math.min(Math.max(sum, MIN_THRESHOLD), Math.max(max, MIN_THRESHOLD));
      return max <= MIN_THRESHOLD ? 0 : mulDiv(MAX_NODE_SCORE, clamped - MIN_THRESHOLD, max - MIN_THRESHOLD);
    },
  });

function imagesOf(pod: PodModel): readonly string[] {
  const containers = [...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])];
  const volumes = (pod.spec.volumes ?? []).flatMap(it => (it.image ? [it.image.reference ?? ''] : []));
  return [...containers.map(it => it.image ?? ''), ...volumes].map(withTag);
}

function withTag(name: string): string {
  return name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
}
