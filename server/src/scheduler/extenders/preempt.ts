import { asObjects, objectOrEmpty, type UnknownObject } from '../../base/json';
import { numeric, printed } from '../../base/printed';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Extender, ExtenderChain } from '../framework/extender';
import { failureOf, fieldIn, podBody, requestTo, uidOf } from './ask';
import { isInterested } from './extender';

/** The victims on one node. */
export interface ExtenderVictims {
  readonly pods: readonly PodModel[];
  readonly violations: number;
}

/** By node name. */
export type VictimsMap = ReadonlyMap<string, ExtenderVictims>;

/**
 * The candidates that the extenders leave, with the victims that they choose; an error where an extender that is not
 * ignorable fails or its answer is impossible. `podsOn` gives the Pods of a node, undefined for an unknown node.
 * Upstream: Evaluator.callExtenders and HTTPExtender.ProcessPreemption.
 */
export function preemptWithExtenders(
  chain: ExtenderChain,
  pod: PodModel,
  candidates: VictimsMap,
  podsOn: (node: string) => readonly PodModel[] | undefined,
): VictimsMap | { readonly error: string } {
  let left = candidates;
  for (const extender of chain.extenders) {
    if (left.size === 0) break;
    if (extender.paths.preempt === undefined || !isInterested(extender, pod)) continue;
    const answer = chain.ask(requestTo(extender, 'preempt', preemptBody(extender, pod, left)));
    const found = 'failure' in answer ? { error: failureOf(answer) ?? '' } : victimsIn(answer.body, extender, podsOn);
    if ('error' in found) {
      if (extender.ignorable) continue;
      return found;
    }
    const empty = [...found].find(([, it]) => it.pods.length === 0);
    if (empty && !extender.ignorable) return { error: `expected at least one victim pod on node "${empty[0]}"` };
    left = new Map([...found].filter(([, it]) => it.pods.length > 0));
  }
  return left;
}

/** Upstream: ExtenderPreemptionArgs. */
function preemptBody({ nodeCacheCapable }: Extender, pod: PodModel, victims: VictimsMap): UnknownObject {
  const each = (pods: (it: ExtenderVictims) => readonly UnknownObject[]): UnknownObject =>
    Object.fromEntries([...victims].map(([node, it]) => [node, { Pods: pods(it), NumPDBViolations: it.violations }]));
  return {
    Pod: podBody(pod),
    NodeNameToVictims: nodeCacheCapable ? null : each(it => it.pods.map(podBody)),
    NodeNameToMetaVictims: nodeCacheCapable ? each(it => it.pods.map(of => ({ UID: uidOf(of) }))) : null,
  };
}

/** Extenders always answer with UIDs of Pods. */
function victimsIn(
  body: unknown,
  { url }: Extender,
  podsOn: (node: string) => readonly PodModel[] | undefined,
): VictimsMap | { readonly error: string } {
  const res = new Map<string, ExtenderVictims>();
  for (const [node, victimList] of Object.entries(objectOrEmpty(fieldIn(body, 'NodeNameToMetaVictims')))) {
    const there = podsOn(node);
    if (there === undefined) return { error: `nodeinfo not found for node name "${node}"` };
    const pods: PodModel[] = [];
    for (const it of asObjects(fieldIn(victimList, 'Pods'))) {
      const uid = printed(fieldIn(it, 'UID') ?? '');
      const found = there.find(of => uidOf(of) === uid);
      if (found === undefined) {
        return {
          error: `extender: ${url} claims to preempt pod (UID: &{${uid}}) on node: ${node}, but the pod is not found on that node`,
        };
      }
      pods.push(found);
    }
    res.set(node, { pods, violations: numeric(fieldIn(victimList, 'NumPDBViolations') ?? 0) });
  }
  return res;
}
