import { asList, asObject, asText, isObject, type JsonObject, type JsonValue } from '../../../base/json';
import { t } from '../../../base/l10n';
import { labelMapMatcher } from '../../../kube/labelSelector';
import { defaultSchedulerName, groupOfPodKind, podKinds, podTemplatePath } from '../../../kube/podTemplates';
import type { Node, StringMap } from '../../../kube/types';
import { FieldPath } from '../../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../../manifest/valueAt';
import type { WorkspaceObject } from '../../../workspace/object';
import type { Snapshot } from '../../../workspace/workspace';
import { KUSTOMIZE_SOURCES } from './kustomize';
import { labelsSeen, nodeLabelsSeen, resourcesSeen, type Seen, taintsSeen } from './labels';
import type { CompletionCandidate, Source, ValuePlace } from './source';
import { written } from './typedPosition';

const listed =
  (...values: readonly string[]): Source =>
  () =>
    values.map(value => ({ value }));

/** The value of a sibling field, or of a sibling of the list with this item. */
function sibling({ place, path }: ValuePlace, name: string): JsonValue | undefined {
  const field = typeof path.segments.at(-1) === 'number' ? path.parent : path;
  return written(place, (field?.parent ?? FieldPath.root).child(name));
}

const keysOf = (seen: Seen): readonly CompletionCandidate[] =>
  [...seen].map(([value, values]) => ({ value, detail: examples(values) }));

const valuesOf = (seen: Seen, key: JsonValue | undefined): readonly CompletionCandidate[] =>
  [...(seen.get(asText(key) ?? '') ?? [])].filter(it => it !== '').map(value => ({ value }));

const MAX_EXAMPLES = 4;

function examples(values: ReadonlySet<string>): string {
  const shown = [...values].filter(it => it !== '');
  return `${shown.slice(0, MAX_EXAMPLES).join(', ')}${shown.length > MAX_EXAMPLES ? ', …' : ''}`;
}

const nodeKeys: Source = (_, { nodes }) => keysOf(nodeLabelsSeen(nodes()));
const labelKeys: Source = (_, { snapshot, cluster }) => keysOf(labelsSeen(snapshot, cluster));

const containersOf = (spec: JsonObject | undefined): readonly JsonObject[] =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap(it => objectsIn(spec?.[it]));

const objectsIn = (list: JsonValue | undefined): readonly JsonObject[] => asList(list).filter(isObject);

const namesIn = (list: JsonValue | undefined): readonly CompletionCandidate[] =>
  objectsIn(list).flatMap(it => (typeof it.name === 'string' ? [{ value: it.name }] : []));

function portsIn(containers: readonly JsonObject[]): readonly CompletionCandidate[] {
  return containers.flatMap(it =>
    objectsIn(it.ports).flatMap((port): readonly CompletionCandidate[] => {
      const [name, number] = [asText(port.name), port.containerPort];
      if (typeof number !== 'number') return [];
      const detail = asText(it.name) ?? '';
      return [
        ...(name === undefined ? [] : [{ value: name, detail: `${number} · ${detail}` }]),
        { value: number, detail },
      ];
    }),
  );
}

/** The ports of the container around a path. */
const ownPorts: Source = at => {
  const { segments } = at.path;
  const list = segments.findIndex((it, i) => typeof segments[i + 1] === 'number' && /[cC]ontainers$/.test(String(it)));
  if (list === -1) return [];
  return portsIn(
    objectsIn([valueAt(at.place.object.manifest.value, FieldPath.of(...segments.slice(0, list + 2))) ?? null]),
  );
};

/** All objects of the workspace with Pods, with labels and spec of the Pod. */
function podsWritten(snapshot: Snapshot, namespace: string | undefined): readonly PodWritten[] {
  return podKinds.flatMap(kind =>
    snapshot
      .objectsOf(groupOfPodKind(kind) ?? '', kind)
      .filter(it => it.namespace === namespace)
      .map(it => {
        const template = valueAt(it.manifest.value, FieldPath.of(...(podTemplatePath(kind) ?? [])));
        const labels = asObject(fieldAt(template, 'metadata', 'labels')) ?? {};
        return { object: it, labels: labels as StringMap, spec: asObject(fieldAt(template, 'spec')) };
      }),
  );
}

interface PodWritten {
  readonly object: WorkspaceObject;
  readonly labels: StringMap;
  readonly spec: JsonObject | undefined;
}

const selectedPorts: Source = ({ place }, { snapshot }) => {
  const selector = asObject(written(place, FieldPath.of('spec', 'selector')));
  if (selector === undefined || Object.keys(selector).length === 0) return [];
  const matcher = labelMapMatcher(selector as StringMap);
  const pods = podsWritten(snapshot, place.object.namespace).filter(it => matcher.matches(it.labels));
  return pods.flatMap(it => portsIn(containersOf(it.spec)));
};

/** The containers of an autoscaler's target. */
const scaledContainers: Source = ({ place }, { snapshot }) => {
  const target = asObject(written(place, FieldPath.of('spec', 'scaleTargetRef')));
  const found = podsWritten(snapshot, place.object.namespace).filter(
    ({ object }) => object.kind === target?.kind && object.name === target?.name,
  );
  return found.flatMap(it => namesIn(it.spec?.containers));
};

const namespaces: Source = (_, { snapshot }) =>
  [...new Set([...snapshot.objectsOf('', 'Namespace').flatMap(it => it.name ?? []), 'default', 'kube-system'])].map(
    value => ({ value }),
  );

const provisioners: Source = (_, { snapshot }) => [
  ...snapshot
    .objectsOf('storage.k8s.io', 'CSIDriver')
    .flatMap(it => (it.name === undefined ? [] : [{ value: it.name }])),
  { value: 'kubernetes.io/no-provisioner', detail: t('volumes are made by hand') },
];

const requestNames: Source = (_, { nodes }) => {
  const ofNodes = resourcesSeen(nodes()).filter(it => it !== 'pods' && !it.startsWith('attachable-volumes-'));
  return [...new Set(['cpu', 'memory', 'ephemeral-storage', ...ofNodes])].map(value => ({ value }));
};

const limitNames: Source = (at, context) => [...requestNames(at, context), { value: 'storage' }];
const nodeResources: Source = (at, context) => [...requestNames(at, context), { value: 'pods' }];

const distinct = (values: readonly string[]): readonly CompletionCandidate[] =>
  [...new Set(values)].map(value => ({ value }));

/** Upstream: the values of SecretType in k8s.io/api/core/v1. */
const SECRET_TYPES = [
  'Opaque',
  ...['dockerconfigjson', 'basic-auth', 'ssh-auth', 'tls', 'service-account-token'].map(it => `kubernetes.io/${it}`),
  'bootstrap.kubernetes.io/token',
];

/** Upstream: the resource names of ResourceQuota in k8s.io/api/core/v1. */
const QUOTA_NAMES = [
  ...['cpu', 'memory', 'ephemeral-storage', 'storage'].map(it => `requests.${it}`),
  ...['cpu', 'memory', 'ephemeral-storage'].map(it => `limits.${it}`),
  ...['pods', 'services', 'services.loadbalancers', 'services.nodeports', 'replicationcontrollers'],
  ...['persistentvolumeclaims', 'configmaps', 'secrets', 'resourcequotas', 'cpu', 'memory'],
  ...['count/deployments.apps', 'count/statefulsets.apps', 'count/jobs.batch', 'count/cronjobs.batch'],
];

const kinds =
  (...names: readonly string[]): Source =>
  (at, { kube }) => {
    const version = asText(sibling(at, 'apiVersion'));
    const known = kube.kinds().filter(it => it.served === 'on' && (names.length === 0 || names.includes(it.kind)));
    const matching = known.filter(it => versionOf(it) === version);
    const shown = matching.length > 0 ? matching : known;
    return [...new Map(shown.map(it => [it.kind, { value: it.kind, detail: versionOf(it) }])).values()];
  };

const versions: Source = (at, { kube }) => {
  const kind = asText(sibling(at, 'kind'));
  const known = kube.kinds().filter(it => it.served === 'on');
  const matching = known.filter(it => it.kind === kind);
  return [...new Set((matching.length > 0 ? matching : known).map(versionOf))].map(value => ({ value }));
};

const groups: Source = (at, context) =>
  versions(at, context).flatMap(it =>
    String(it.value).includes('/') ? [{ value: String(it.value).split('/')[0]! }] : [],
  );

export const versionOf = (it: { readonly group: string; readonly version: string }): string =>
  it.group === '' ? it.version : `${it.group}/${it.version}`;

/** Upstream: the field paths that pkg/apis/core/validation allows in environment variables and volumes. */
const FIELD_PATHS = [
  ...['metadata.name', 'metadata.namespace', 'metadata.uid', 'metadata.labels', 'metadata.annotations'],
  ...["metadata.labels['']", "metadata.annotations['']", 'spec.nodeName', 'spec.serviceAccountName'],
  ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
];
const RESOURCE_FIELDS = ['limits', 'requests'].flatMap(it =>
  ['cpu', 'memory', 'ephemeral-storage'].map(name => `${it}.${name}`),
);
const CAPABILITIES = [
  ...['ALL', 'NET_BIND_SERVICE', 'NET_ADMIN', 'NET_RAW', 'SYS_ADMIN', 'SYS_PTRACE', 'SYS_TIME', 'CHOWN', 'KILL'],
  ...['DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID', 'SETFCAP', 'SETPCAP', 'IPC_LOCK', 'MKNOD', 'AUDIT_WRITE'],
];

/**
 * Definition and field → possible values that the schema does not list; `[]` is an item of a list. Keys of a map are under
 * the name of the field, its values under `name{}`.
 */
export const SOURCES: Readonly<Record<string, Source>> = {
  ...KUSTOMIZE_SOURCES,
  'Capabilities.add[]': listed(...CAPABILITIES),
  'Capabilities.drop[]': listed(...CAPABILITIES),
  'ContainerResizePolicy.resourceName': listed('cpu', 'memory'),
  'ContainerResourceMetricSource.container': scaledContainers,
  'ContainerResourceMetricSource.name': listed('cpu', 'memory'),
  'ContainerRestartRule.action': listed('Restart', 'RestartAllContainers'),
  'ContainerRestartRuleOnExitCodes.operator': listed('In', 'NotIn'),
  'CrossVersionObjectReference.apiVersion': versions,
  'CrossVersionObjectReference.kind': kinds('Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController'),
  'HTTPGetAction.port': ownPorts,
  'LabelSelector.matchLabels': labelKeys,
  'LabelSelector.matchLabels{}': (at, { snapshot, cluster }) => valuesOf(labelsSeen(snapshot, cluster), lastKey(at)),
  'LabelSelectorRequirement.key': labelKeys,
  'LabelSelectorRequirement.operator': listed('In', 'NotIn', 'Exists', 'DoesNotExist'),
  'LabelSelectorRequirement.values[]': (at, { snapshot, cluster }) =>
    valuesOf(labelsSeen(snapshot, cluster), sibling(at, 'key')),
  'LimitRangeItem.default': requestNames,
  'LimitRangeItem.defaultRequest': requestNames,
  'LimitRangeItem.max': limitNames,
  'LimitRangeItem.maxLimitRequestRatio': requestNames,
  'LimitRangeItem.min': limitNames,
  'MetricSpec.type': listed('Resource', 'ContainerResource', 'Pods', 'Object', 'External'),
  'NodeSelectorRequirement.key': nodeKeys,
  'NodeSelectorRequirement.values[]': (at, { nodes }) => valuesOf(nodeLabelsSeen(nodes()), sibling(at, 'key')),
  'NodeStatus.allocatable': nodeResources,
  'NodeStatus.capacity': nodeResources,
  'ObjectFieldSelector.fieldPath': listed(...FIELD_PATHS),
  'ObjectMeta.labels': labelKeys,
  'ObjectMeta.labels{}': (at, { snapshot, cluster }) => valuesOf(labelsSeen(snapshot, cluster), lastKey(at)),
  'ObjectMeta.namespace': namespaces,
  'ObjectReference.apiVersion': versions,
  'ObjectReference.kind': kinds(),
  'OwnerReference.apiVersion': versions,
  'OwnerReference.kind': kinds(),
  'Overhead.podFixed': requestNames,
  'PersistentVolumeSpec.capacity': listed('storage'),
  'PodAffinityTerm.namespaces[]': namespaces,
  'PodAffinityTerm.topologyKey': nodeKeys,
  'PodCertificateProjection.keyType': listed('RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'),
  'PodOS.name': listed('linux', 'windows'),
  'PodSpec.overhead': requestNames,
  'PodSecurityContext.seLinuxChangePolicy': listed('MountOption', 'Recursive'),
  'PodSpec.nodeName': (_, { nodes }) =>
    (nodes() as readonly Node[]).flatMap(({ metadata }) => (metadata?.name ? [{ value: metadata.name }] : [])),
  'PodSpec.nodeSelector': nodeKeys,
  'PodSpec.nodeSelector{}': (at, { nodes }) => valuesOf(nodeLabelsSeen(nodes()), lastKey(at)),
  'PodSpec.schedulerName': listed(defaultSchedulerName),
  'PolicyRule.apiGroups[]': (_, { kube }) => distinct(kube.kinds().map(it => it.group)),
  'PolicyRule.resources[]': (_, { kube }) => distinct(kube.kinds().map(it => it.resource)),
  'PolicyRule.verbs[]': listed('get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', '*'),
  'ReplicationControllerSpec.selector': labelKeys,
  'ReplicationControllerSpec.selector{}': (at, { snapshot, cluster }) =>
    valuesOf(labelsSeen(snapshot, cluster), lastKey(at)),
  'ResourceFieldSelector.resource': listed(...RESOURCE_FIELDS),
  'ResourceMetricSource.name': listed('cpu', 'memory'),
  'ResourceQuotaSpec.hard': listed(...QUOTA_NAMES),
  'ResourceRequirements.limits': requestNames,
  'ResourceRequirements.requests': requestNames,
  'Secret.type': listed(...SECRET_TYPES),
  'ServicePort.targetPort': selectedPorts,
  'ServiceSpec.selector': labelKeys,
  'ServiceSpec.selector{}': (at, { snapshot, cluster }) => valuesOf(labelsSeen(snapshot, cluster), lastKey(at)),
  'StorageClass.provisioner': provisioners,
  'TCPSocketAction.port': ownPorts,
  'Toleration.key': (_, { nodes }) => keysOf(taintsSeen(nodes())),
  'Toleration.value': (at, { nodes }) => valuesOf(taintsSeen(nodes()), sibling(at, 'key')),
  'TopologySelectorLabelRequirement.key': nodeKeys,
  'TopologySelectorLabelRequirement.values[]': (at, { nodes }) => valuesOf(nodeLabelsSeen(nodes()), sibling(at, 'key')),
  'TopologySpreadConstraint.matchLabelKeys[]': labelKeys,
  'TopologySpreadConstraint.topologyKey': nodeKeys,
  'TypedLocalObjectReference.apiGroup': groups,
  'TypedLocalObjectReference.kind': kinds('PersistentVolumeClaim', 'VolumeSnapshot'),
  'TypedObjectReference.apiGroup': groups,
  'TypedObjectReference.kind': kinds('PersistentVolumeClaim', 'VolumeSnapshot'),
  'VolumeMount.recursiveReadOnly': listed('Disabled', 'IfPossible', 'Enabled'),
  'VolumeResourceRequirements.limits': listed('storage'),
  'VolumeResourceRequirements.requests': listed('storage'),
};

/** The key of a field in `SOURCES`. */
export const sourceName = (definition: string, field: string): string =>
  `${definition.slice(definition.lastIndexOf('.') + 1)}.${field}`;

export const hasSource = (definition: string, field: string): boolean =>
  Object.hasOwn(SOURCES, sourceName(definition, field));

function lastKey({ path }: ValuePlace): string | undefined {
  const last = path.segments.at(-1);
  return typeof last === 'string' ? last : undefined;
}
