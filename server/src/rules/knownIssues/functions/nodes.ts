import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../../base/json';
import { requiredNodeAffinity } from '../../../cluster/pods/requiredAffinity';
import { isTolerated } from '../../../cluster/pods/tolerations';
import type { KindInfo, Kube } from '../../../kube/kube';
import { labelMatcher } from '../../../kube/labelSelector';
import type { PodSpec, Taint } from '../../../kube/types';
import { fieldAt } from '../../../manifest/valueAt';
import { selectorOf, textsOf } from '../../../workspace/references/references';
import { decodedObject } from '../../apiserver/validate/decoded';
import { podSpecOf } from '../../reading/podSpec';
import type { IssueFunction } from './issueFunction';

const HOSTNAME = 'kubernetes.io/hostname';

/** Whether a node selector requirement on the host name means a Node whose label is not its name. */
export const hasNodeOfOtherHostname: IssueFunction = (self, _target, { snapshot }) => {
  const { key, values } = asObject(self) ?? {};
  if (key !== HOSTNAME) return false;
  return snapshot.objectsOf('', 'Node').some(({ name, manifest }) => {
    const label = asText(fieldAt(manifest.value, 'metadata', 'labels', HOSTNAME));
    return label !== undefined && label !== name && asList(values).some(it => it === label || it === name);
  });
};

/** Whether the labels of a Pod without a controller match the selector of a DaemonSet in another namespace. */
export const isSelectedByOtherDaemonSet: IssueFunction = (self, { object, value }, { snapshot }) => {
  if (asList(fieldAt(value, 'metadata', 'ownerReferences')).length > 0) return false;
  const labels = textsOf(asObject(self as JsonValue | undefined));
  return snapshot.objectsOf('apps', 'DaemonSet').some(it => {
    const selector = asObject(fieldAt(it.manifest.value, 'spec', 'selector'));
    return (
      selector !== undefined && it.namespace !== object.namespace && labelMatcher(selectorOf(selector)).matches(labels)
    );
  });
};

/**
 * Whether a constraint counts a domain of the workspace's Nodes that takes none of its Pods.
 * Upstream: topologyspreadconstraint.matchNodeInclusionPolicies; nodeTaintsPolicy is Ignore where it is absent.
 */
export const countsDomainOfTaintedNodes: IssueFunction = (self, target, { snapshot, kube }) => {
  const { topologyKey, whenUnsatisfiable, nodeTaintsPolicy, nodeAffinityPolicy } = asObject(self) ?? {};
  const key = asText(topologyKey);
  if (whenUnsatisfiable !== 'DoNotSchedule' || nodeTaintsPolicy === 'Honor' || key === undefined) return false;
  const spec = podSpecOf({ ...target, value: decoded(target.value, target.kind, kube) })?.spec as PodSpec | undefined;
  if (!spec) return false;
  const comparison = kube.isGateOn('TaintTolerationComparisonOperators') ? 'on' : 'off';
  const affinity = requiredNodeAffinity(spec);
  const counted = snapshot.objectsOf('', 'Node').flatMap(({ name, apiVersion, kind, manifest }) => {
    const node = decoded(manifest.value, kube.kindOf(apiVersion, kind), kube);
    const labels = (asObject(fieldAt(node, 'metadata', 'labels')) ?? {}) as Readonly<Record<string, string>>;
    const isMeant = nodeAffinityPolicy === 'Ignore' || affinity.matches({ name: name ?? '', labels });
    const domain = labels[key];
    if (domain === undefined || !isMeant) return [];
    const taints = asList(fieldAt(node, 'spec', 'taints')) as unknown as readonly Taint[];
    const isClosed = taints.some(
      it => it.effect !== 'PreferNoSchedule' && !isTolerated(it, spec.tolerations ?? [], comparison),
    );
    return [{ domain, isClosed }];
  });
  const open = new Set(counted.flatMap(it => (it.isClosed ? [] : [it.domain])));
  return open.size > 0 && counted.some(it => !open.has(it.domain));
};

/** Without what the API server would not decode: what reads the result expects the types of the API. */
const decoded = (value: JsonObject, kind: KindInfo | undefined, kube: Kube): JsonObject =>
  kind === undefined ? {} : decodedObject(value, kind, kube);
