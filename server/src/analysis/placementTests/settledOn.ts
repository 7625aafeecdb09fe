import type { UnknownObject } from '../../base/json';
import type { TestOutcome } from './outcome';

/** Pods that are written in a file get the node where they were placed, so that they go down with it. */
export function settledOn(objects: readonly UnknownObject[], { pods }: TestOutcome): readonly UnknownObject[] {
  const nodeOf = new Map(pods.map(it => [it.id, it.node]));
  return objects.map(it => {
    if (it.kind !== 'Pod') return it;
    const { metadata, spec } = it as { metadata?: { name?: string; namespace?: string }; spec?: UnknownObject };
    const node = nodeOf.get(`${metadata?.namespace ?? 'default'}/${metadata?.name ?? ''}`);
    return node === undefined ? it : { ...it, spec: { ...spec, nodeName: node } };
  });
}
