import { asList, asObject, asText, type JsonObject } from '../../../base/json';
import { labelMapMatcher } from '../../../kube/labelSelector';
import { fieldAt } from '../../../manifest/valueAt';
import type { WorkspaceObject } from '../../../workspace/object';
import { podsSelected } from '../../../workspace/references/definitions';
import type { Snapshot } from '../../../workspace/workspace';
import type { RuleContext, RuleTarget } from '../../framework/rule';
import { writtenPodSpec } from '../../reading/podSpec';
import { replicaRange } from '../../reading/replicas';
import type { IssueFunction } from './issueFunction';

/** The Pods and workloads of the workspace that a Service selects. */
function selectedBy({ object, value }: RuleTarget, { snapshot }: RuleContext): readonly WorkspaceObject[] {
  const selector = asObject(fieldAt(value, 'spec', 'selector'));
  if (selector === undefined || Object.keys(selector).length === 0) return [];
  const matcher = labelMapMatcher(selector as Readonly<Record<string, string>>);
  return podsSelected(snapshot, { to: 'pods', namespaces: [object.namespace ?? 'default'], matcher });
}

/** Whether a target port is a name that sidecars have and no regular container has, in some selected Pod. */
export const portOfSidecarOnly: IssueFunction = (self, target, context) =>
  typeof self === 'string' &&
  selectedBy(target, context).some(it => {
    const spec = writtenPodSpec(it);
    const sidecars = asList(spec?.initContainers).filter(one => fieldAt(one, 'restartPolicy') === 'Always');
    const hasPort = (one: JsonObject[string]): boolean =>
      asList(fieldAt(one, 'ports')).some(port => fieldAt(port, 'name') === self);
    return sidecars.some(hasPort) && !asList(spec?.containers).some(hasPort);
  });

/** Whether a port is of UDP and a workload behind it may have no Pod. */
export const selectsNoReplica: IssueFunction = (self, target, context) =>
  fieldAt(self, 'protocol') === 'UDP' &&
  selectedBy(target, context).some(it => replicaRange(it, context.snapshot)?.least === 0);

const MOST_IN_COMMENT = 128;

/** Whether kube-proxy's name of a port is longer than a comment of nftables, and some kube-proxy uses nftables. */
export const isLongForNftables: IssueFunction = (self, { object }, { snapshot }) => {
  const port = asText(fieldAt(self, 'name'));
  const name = `${object.namespace ?? 'default'}/${object.name ?? ''}${port === undefined ? '' : `:${port}`}`;
  return name.length > MOST_IN_COMMENT && usesNftables(snapshot);
};

/** Whether a Service is for its own nodes alone and reached from outside, and some kube-proxy uses nftables. */
export const hasLocalPodsBehindNftables: IssueFunction = (self, _target, { snapshot }) => {
  const { externalTrafficPolicy, type, externalIPs } = asObject(self) ?? {};
  const isOutside = type === 'LoadBalancer' || asList(externalIPs).length > 0;
  return externalTrafficPolicy === 'Local' && isOutside && usesNftables(snapshot);
};

/** A configuration of kube-proxy by itself, in the ConfigMap of kubeadm, or that of a kind cluster. */
function usesNftables(snapshot: Snapshot): boolean {
  const isNftables = (group: string, kind: string, ...path: readonly string[]): boolean =>
    snapshot.objectsOf(group, kind).some(it => fieldAt(it.manifest.value, ...path) === 'nftables');
  if (isNftables('kubeproxy.config.k8s.io', 'KubeProxyConfiguration', 'mode')) return true;
  if (isNftables('kind.x-k8s.io', 'Cluster', 'networking', 'kubeProxyMode')) return true;
  return snapshot.find('', 'ConfigMap', 'kube-system', 'kube-proxy').some(it => {
    const text = asText(fieldAt(it.manifest.value, 'data', 'config.conf'));
    return /^mode: ["']?nftables["']?\s*$/m.test(text ?? '');
  });
}

const ENDPOINTS_AT_MOST = 1_000;

/** Whether the selected workloads have more Pods together than an Endpoints object has addresses. */
export const selectsMoreThanThousand: IssueFunction = (_self, target, context) => {
  const { snapshot } = context;
  const selected = selectedBy(target, context);
  // Counting takes long; without autoscalers there are at most as many as one file writes.
  const isScaled = snapshot.objectsOf('autoscaling', 'HorizontalPodAutoscaler').length > 0;
  if (!isScaled && sum(selected.map(writtenReplicas)) <= ENDPOINTS_AT_MOST) return false;
  return sum(selected.map(it => replicaRange(it, snapshot)?.least ?? 0)) > ENDPOINTS_AT_MOST;
};

function writtenReplicas({ manifest }: WorkspaceObject): number {
  const { replicas, parallelism } = asObject(manifest.value.spec) ?? {};
  return [replicas, parallelism].find(it => typeof it === 'number') ?? 1;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, it) => all + it, 0);

const runsOnWindows = (object: WorkspaceObject): boolean => {
  const spec = writtenPodSpec(object);
  return fieldAt(spec, 'os', 'name') === 'windows' || fieldAt(spec, 'nodeSelector', 'kubernetes.io/os') === 'windows';
};

/** Whether a policy of address families asks for both, for Pods on Windows. */
export const isDualStackOnWindows: IssueFunction = (self, target, context) =>
  (self === 'PreferDualStack' || self === 'RequireDualStack') && selectedBy(target, context).some(runsOnWindows);

/** Whether traffic within the cluster stays on its node, for Pods on Windows. */
export const isLocalOnWindows: IssueFunction = (self, target, context) =>
  self === 'Local' && selectedBy(target, context).some(runsOnWindows);
