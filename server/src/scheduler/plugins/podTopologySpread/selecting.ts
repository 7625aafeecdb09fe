import type { UnknownObject } from '../../../base/json';
import { lazy, lazyByText } from '../../../base/lazy';
import { grouped } from '../../../base/multiMap';
import { isSameList } from '../../../base/sameValue';
import type { ClusterModel } from '../../../cluster/clusterModel';
import type { PodModel } from '../../../cluster/pods/podModel';
import { type LabelMatcher, labelMapMatcher, labelMatcher, withRequirements } from '../../../kube/labelSelector';
import type { OwnerReference, Pod, ReplicaSet, ReplicationController, Service, StringMap } from '../../../kube/types';
import type { Cycle } from '../../framework/interface';

/** What may select a Pod: the Services of its namespace, and its controller if its kind counts. */
export interface Selecting {
  readonly services: readonly UnknownObject[];
  readonly controller: UnknownObject | undefined;
}

export const isSameSelecting = (a: Selecting, b: Selecting): boolean =>
  a.controller === b.controller && isSameList(a.services, b.services);

const NO_OBJECTS: readonly UnknownObject[] = [];

/** Found by namespace and name, as thousands of Pods may ask. */
export function selectingIn({ cluster, work }: Cycle): (pod: PodModel) => Selecting {
  return work.once('PodTopologySpread/selecting', () => {
    const services = lazy(() => grouped(objectsOf('Service', cluster), it => (it as Pod).metadata?.namespace));
    const controllers = lazyByText(kind => byName(objectsOf(kind, cluster)));
    return pod => {
      const { kind, name } = controllerOf(pod) ?? {};
      const controller = kind && controllers(kind).get(`${pod.namespace}/${name}`);
      return { services: services().get(pod.namespace) ?? NO_OBJECTS, controller: controller || undefined };
    };
  });
}

const objectsOf = (kind: string, { objects }: ClusterModel): readonly UnknownObject[] =>
  objects.get(kind) ?? NO_OBJECTS;

/** The first of several objects with one name. */
function byName(objects: readonly UnknownObject[]): ReadonlyMap<string, UnknownObject> {
  return new Map(
    objects.toReversed().map(it => {
      const { namespace, name } = (it as Pod).metadata ?? {};
      return [`${namespace}/${name}`, it];
    }),
  );
}

function controllerOf({ source }: PodModel): OwnerReference | undefined {
  const owner = source.metadata?.ownerReferences?.find(it => it.controller === true);
  return owner && (isReplicationController(owner) || isSetOfApps(owner)) ? owner : undefined;
}

const isReplicationController = ({ kind, apiVersion }: OwnerReference): boolean =>
  kind === 'ReplicationController' && apiVersion === 'v1';

const isSetOfApps = ({ kind, apiVersion }: OwnerReference): boolean =>
  (kind === 'ReplicaSet' || kind === 'StatefulSet') && apiVersion === 'apps/v1';

/** The combined selector of the Pod's Services and controller. Upstream: helper.DefaultSelector. */
export function defaultSelector(pod: PodModel, { services, controller }: Selecting): LabelMatcher {
  const labels: Record<string, string> = {};
  for (const { spec } of services as readonly Service[]) {
    const selector = spec?.selector;
    if (selector && labelMapMatcher(selector).matches(pod.labels)) Object.assign(labels, selector);
  }
  const owner = controllerOf(pod);
  if (!owner) return labelMapMatcher(labels);
  if (isReplicationController(owner)) {
    return labelMapMatcher({ ...labels, ...(controller as ReplicationController | undefined)?.spec?.selector });
  }
  return both(labels, controller && labelMatcher((controller as ReplicaSet).spec?.selector));
}

function both(labels: StringMap, other: LabelMatcher | undefined): LabelMatcher {
  const own = labelMapMatcher(labels);
  if (other?.kind !== 'requirements') return own;
  return own.kind === 'everything' ? other : withRequirements(own, other.requirements);
}
