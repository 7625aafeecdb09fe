/**
 * Fields that the API server refuses if they are empty or have an unsupported value, whatever the rest of the object
 * is. Kind, or `pod` and `container` patterns for every kind with Pods; pattern → the detail after "Required value".
 * Upstream: pkg/apis, the validation packages. Fields that also depend on other fields are not here.
 */
export const REQUIRED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pods: {
    'pod.containers': '',
    'container.name': '',
    'container.image': '',
    'container.env[].name': '',
    'container.env[].valueFrom.fieldRef.fieldPath': '',
    'container.envFrom[].configMapRef.name': '',
    'container.envFrom[].secretRef.name': '',
    'container.ports[].containerPort': '',
    'container.volumeMounts[].name': '',
    'container.volumeMounts[].mountPath': '',
    'container.volumeDevices[].name': '',
    'container.volumeDevices[].devicePath': '',
    'pod.containers[].livenessProbe.exec.command': '',
    'pod.containers[].lifecycle.preStop.exec.command': '',
    'pod.initContainers[].lifecycle.preStop.exec.command': '',
    'container.securityContext.seccompProfile.type': 'type is required when seccompProfile is set',
    'pod.os.name': '',
    'pod.resourceClaims[].name': '',
    'pod.securityContext.appArmorProfile.type': 'type is required when appArmorProfile is set',
    'pod.securityContext.sysctls[].name': '',
    'pod.topologySpreadConstraints[].topologyKey': 'can not be empty',
    'pod.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[].topologyKey': 'can not be empty',
    'pod.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[].topologyKey': 'can not be empty',
    'pod.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[].podAffinityTerm.topologyKey':
      'can not be empty',
    'pod.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[].podAffinityTerm.topologyKey':
      'can not be empty',
    'pod.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms':
      'must have at least one node selector term',
    'pod.volumes[].configMap.items[].path': '',
    'pod.volumes[].secret.items[].key': '',
    'pod.volumes[].secret.items[].path': '',
    'pod.volumes[].secret.secretName': '',
    'pod.volumes[].projected.sources[].secret.name': '',
    'pod.volumes[].azureDisk.diskName': '',
    'pod.volumes[].azureFile.secretName': '',
    'pod.volumes[].azureFile.shareName': '',
    'pod.volumes[].gitRepo.repository': '',
    'pod.volumes[].iscsi.iqn': '',
    'pod.volumes[].iscsi.targetPortal': '',
  },
  PersistentVolumeClaim: { 'spec.accessModes': 'at least 1 access mode is required' },
  StatefulSet: {
    'spec.selector': '',
    'spec.volumeClaimTemplates[].spec.accessModes': 'at least 1 access mode is required',
  },
  ReplicationController: { 'spec.template': '' },
  RuntimeClass: { handler: '' },
  StorageClass: { provisioner: '' },
  CronJob: { 'spec.schedule': '' },
  HorizontalPodAutoscaler: {
    'spec.scaleTargetRef.kind': '',
    'spec.scaleTargetRef.name': '',
    'spec.maxReplicas': '',
    'spec.metrics[].type': 'must specify a metric source type',
    'spec.metrics[].resource.name': 'must specify a resource name',
  },
  VolumeAttributesClass: { parameters: 'must contain at least one key/value pair' },
};

const PULL_POLICY = ['Always', 'IfNotPresent', 'Never'];
const PROFILE = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const HOST_PATH = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'];

/** Pattern → the supported values, in the order in which the server lists them. */
export const SUPPORTED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  pods: {
    'container.imagePullPolicy': PULL_POLICY,
    'container.ports[].protocol': ['SCTP', 'TCP', 'UDP'],
    'container.terminationMessagePolicy': ['File', 'FallbackToLogsOnError'],
    'container.securityContext.seccompProfile.type': PROFILE,
    'container.securityContext.appArmorProfile.type': PROFILE,
    'container.lifecycle.preStop.httpGet.scheme': ['HTTP', 'HTTPS'],
    'pod.dnsPolicy': ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
    'pod.securityContext.fsGroupChangePolicy': ['Always', 'OnRootMismatch'],
    'pod.securityContext.supplementalGroupsPolicy': ['Merge', 'Strict'],
    'pod.securityContext.seLinuxChangePolicy': ['MountOption', 'Recursive'],
    'pod.securityContext.seccompProfile.type': PROFILE,
    'pod.securityContext.appArmorProfile.type': PROFILE,
    'pod.topologySpreadConstraints[].whenUnsatisfiable': ['DoNotSchedule', 'ScheduleAnyway'],
    'pod.topologySpreadConstraints[].nodeAffinityPolicy': ['Honor', 'Ignore'],
    'pod.topologySpreadConstraints[].nodeTaintsPolicy': ['Honor', 'Ignore'],
    'pod.tolerations[].effect': ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
    'pod.volumes[].hostPath.type': HOST_PATH,
    'pod.volumes[].image.pullPolicy': PULL_POLICY,
  },
  PersistentVolumeClaim: { 'spec.volumeMode': ['Block', 'Filesystem'] },
  PersistentVolume: {
    'spec.persistentVolumeReclaimPolicy': ['Delete', 'Recycle', 'Retain'],
    'spec.hostPath.type': HOST_PATH,
  },
  PriorityClass: { preemptionPolicy: ['PreemptLowerPriority', 'Never'] },
  StorageClass: { reclaimPolicy: ['Delete', 'Retain'] },
  StatefulSet: { 'spec.persistentVolumeClaimRetentionPolicy.whenDeleted': ['Retain', 'Delete'] },
  Job: { 'spec.completionMode': ['NonIndexed', 'Indexed'] },
  Service: {
    'spec.externalTrafficPolicy': ['Cluster', 'Local'],
    'spec.ipFamilyPolicy': ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
    'spec.trafficDistribution': ['PreferClose', 'PreferSameZone', 'PreferSameNode'],
  },
  RuntimeClass: { 'scheduling.tolerations[].effect': ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
  CSIDriver: { 'spec.fsGroupPolicy': ['File', 'None', 'ReadWriteOnceWithFSType'] },
};
