import type { UnknownObject } from '../../base/json';
import { isSameList, isSameValue } from '../../base/sameValue';
import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { schedulingFields } from '../../cluster/pods/schedulingFields';
import { type NodeInfo, withModels } from '../framework/nodeInfo';
import { renewed } from '../framework/schedulingState';
import { withTag } from '../plugins/imageLocality/plugin';

/**
 * Whether two models of one Pod are equal for every plugin, so that the cycle of one can replace the cycle of the
 * other: they may differ in fields that scheduling ignores, and in images that no node has.
 */
export function isEquivalentForScheduling({ nodes }: ClusterModel): (a: PodModel, b: PodModel) => boolean {
  let images: Set<string> | undefined;
  const imageOf = (image: string): string => {
    images ??= new Set(nodes.flatMap(it => [...it.images.keys()]));
    return images.has(withTag(image)) ? image : '';
  };
  return (a, b) => {
    const [
      { spec, source, hostPorts, conditions, ...one },
      { spec: _, source: __, hostPorts: ___, conditions: ____, ...other },
    ] = [a, b];
    return (
      isSameList(Object.values(one), Object.values(other)) &&
      isSameValue(hostPorts, b.hostPorts) &&
      isSameValue(conditions, b.conditions) &&
      isSameValue(source.metadata, b.source.metadata) &&
      isSameValue(schedulingFields(spec, imageOf), schedulingFields(b.spec, imageOf))
    );
  };
}

/** Whether two controllers select the same Pods. */
export function isSameController(a: UnknownObject | undefined, b: UnknownObject | undefined): boolean {
  const selectorOf = (it: UnknownObject | undefined): unknown => (it?.spec as UnknownObject | undefined)?.selector;
  return a === b || (a !== undefined && b !== undefined && isSameValue(selectorOf(a), selectorOf(b)));
}

/** The nodes with the newest models of their Pods. */
export function withCurrentPods(nodes: readonly NodeInfo[], pods: ReadonlyMap<string, PodModel>): readonly NodeInfo[] {
  return Array.from(nodes, it => withCurrentModels(it, pods));
}

function withCurrentModels(info: NodeInfo, models: ReadonlyMap<string, PodModel>): NodeInfo {
  const isOld = (it: PodModel): boolean => (models.get(it.id)?.source ?? it.source) !== it.source;
  if (!info.pods.some(isOld)) return info;
  // V8 takes an array that `map` made for one with holes, which is another hidden class.
  return withModels(
    info,
    Array.from(info.pods, it => (isOld(it) ? renewed(it, models.get(it.id)!) : it)),
  );
}
