import { nodeInfos } from '../../scheduler/framework/nodeInfo';
import type { Attempt } from '../../scheduler/result';
import { refusalInShort, type TriedNodes } from '../explain/shortRefusals';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';

/** Why each node that rejects a Pod does so, in a few words, by node. */
export function reasonsIn(attempt: Attempt, tried: TriedNodes): Readonly<Record<string, string>> {
  const infos = new Map(tried.nodes.map(it => [it.name, it]));
  return Object.fromEntries(
    (attempt.nodes ?? []).flatMap(it => {
      const node = infos.get(it.node);
      return it.verdict === 'rejected' && node ? [[it.node, refusalInShort(it, node, tried)]] : [];
    }),
  );
}

/**
 * The nodes as they were at an attempt: with the Pods placed before it, without those evicted before it. undefined for the Pod
 * of a group, which is tried together with others.
 */
export function nodesAt(placement: EnvironmentPlacement, attempt: Attempt): TriedNodes | undefined {
  const { cluster, attemptsInOrder, pods } = placement;
  const models = new Map(pods.map(it => [it.id, it]));
  const pod = models.get(attempt.pod);
  const end = attemptsInOrder.indexOf(attempt);
  if (pod === undefined || end < 0 || attempt.group !== undefined) return undefined;
  const running = new Map(cluster.running.map(it => [it.id, it]));
  const nominated = new Map<string, string>();
  for (const { pod: id, status, node, preemption } of attemptsInOrder.slice(0, end)) {
    const model = models.get(id);
    if (status === 'scheduled' && node !== undefined && model) running.set(id, { ...model, nodeName: node });
    if (preemption?.nominatedNode === undefined) nominated.delete(id);
    else nominated.set(id, preemption.nominatedNode);
    const gone = (preemption?.victims ?? []).filter(it => placement.evictedBy(it) !== undefined);
    for (const victim of gone) running.delete(victim);
  }
  const waiting = [...nominated].flatMap(([id, node]) => {
    const model = models.get(id);
    return model && !running.has(id) ? [{ model, node }] : [];
  });
  return {
    pod,
    nodes: nodeInfos({ ...cluster, running: [...running.values()] }),
    nominated: name => waiting.filter(it => it.node === name).map(it => it.model),
    namespaces: cluster.namespaces,
  };
}
