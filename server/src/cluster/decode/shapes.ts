import { anything, flag, listOf, mapOf, objectOf, type Shape, text, whole } from './shape';

/** The types of the fields that placement reads, by kind. */

const texts = listOf(text);
const labels = mapOf(text);
/** Quantities have a tolerant reader: an invalid one is noted, and the rest of the object counts. */
const amounts = mapOf(anything);

const metadata = objectOf({
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  generation: whole,
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: whole,
  labels,
  annotations: labels,
  ownerReferences: listOf(objectOf({ apiVersion: text, kind: text, name: text, uid: text, controller: flag })),
});

const requirement = objectOf({ key: text, operator: text, values: texts });
const labelSelector = objectOf({ matchLabels: labels, matchExpressions: listOf(requirement) });
const nodeTerm = objectOf({ matchExpressions: listOf(requirement), matchFields: listOf(requirement) });
const nodeSelector = objectOf({ nodeSelectorTerms: listOf(nodeTerm) });
const podTerm = objectOf({
  labelSelector,
  namespaceSelector: labelSelector,
  namespaces: texts,
  topologyKey: text,
  matchLabelKeys: texts,
  mismatchLabelKeys: texts,
});
const podAffinity = objectOf({
  requiredDuringSchedulingIgnoredDuringExecution: listOf(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(objectOf({ weight: whole, podAffinityTerm: podTerm })),
});
const affinity = objectOf({
  nodeAffinity: objectOf({
    requiredDuringSchedulingIgnoredDuringExecution: nodeSelector,
    preferredDuringSchedulingIgnoredDuringExecution: listOf(objectOf({ weight: whole, preference: nodeTerm })),
  }),
  podAffinity,
  podAntiAffinity: podAffinity,
});

const resources = objectOf({
  requests: amounts,
  limits: amounts,
  claims: listOf(objectOf({ name: text, request: text })),
});
const container = objectOf({
  name: text,
  image: text,
  restartPolicy: text,
  restartPolicyRules: listOf(objectOf({ action: text, exitCodes: anything })),
  resources,
  ports: listOf(objectOf({ name: text, containerPort: whole, hostPort: whole, hostIP: text, protocol: text })),
  volumeMounts: listOf(objectOf({ name: text, mountPath: text, mountOptions: texts })),
  env: listOf(objectOf({ name: text })),
});
const claimSpec = objectOf({
  accessModes: texts,
  resources: objectOf({ requests: amounts, limits: amounts }),
  selector: labelSelector,
  storageClassName: text,
  volumeName: text,
  volumeMode: text,
  volumeAttributesClassName: text,
});
const toleration = objectOf({ key: text, operator: text, value: text, effect: text, tolerationSeconds: whole });
const volume = objectOf({
  name: text,
  persistentVolumeClaim: objectOf({ claimName: text, readOnly: flag }),
  ephemeral: objectOf({ volumeClaimTemplate: objectOf({ metadata, spec: claimSpec }) }),
  csi: objectOf({ driver: text, readOnly: flag, fsType: text }),
  image: objectOf({ reference: text, pullPolicy: text }),
  gcePersistentDisk: objectOf({ pdName: text, readOnly: flag, partition: whole }),
  awsElasticBlockStore: objectOf({ volumeID: text, readOnly: flag, partition: whole }),
  rbd: objectOf({ monitors: texts, image: text, pool: text, readOnly: flag }),
  iscsi: objectOf({ targetPortal: text, iqn: text, lun: whole, readOnly: flag }),
  azureDisk: objectOf({ diskName: text, diskURI: text }),
  azureFile: objectOf({ secretName: text, shareName: text }),
  cinder: objectOf({ volumeID: text }),
  portworxVolume: objectOf({ volumeID: text }),
  vsphereVolume: objectOf({ volumePath: text }),
});
const podSpec = objectOf({
  containers: listOf(container),
  initContainers: listOf(container),
  ephemeralContainers: listOf(container),
  volumes: listOf(volume),
  nodeSelector: labels,
  nodeName: text,
  affinity,
  tolerations: listOf(toleration),
  topologySpreadConstraints: listOf(
    objectOf({
      maxSkew: whole,
      minDomains: whole,
      topologyKey: text,
      whenUnsatisfiable: text,
      labelSelector,
      matchLabelKeys: texts,
      nodeAffinityPolicy: text,
      nodeTaintsPolicy: text,
    }),
  ),
  overhead: amounts,
  resources,
  resourceClaims: listOf(objectOf({ name: text, resourceClaimName: text, resourceClaimTemplateName: text })),
  schedulingGates: listOf(objectOf({ name: text })),
  schedulingGroup: objectOf({ podGroupName: text }),
  schedulerName: text,
  priority: whole,
  priorityClassName: text,
  preemptionPolicy: text,
  runtimeClassName: text,
  hostNetwork: flag,
  hostUsers: flag,
  activeDeadlineSeconds: whole,
  terminationGracePeriodSeconds: whole,
  os: objectOf({ name: text }),
  securityContext: anything,
});
const conditions = listOf(
  objectOf({ type: text, status: text, reason: text, message: text, lastTransitionTime: text }),
);
const containerStatuses = listOf(objectOf({ name: text, allocatedResources: amounts, resources, ready: flag }));
const pod = objectOf({
  metadata,
  spec: podSpec,
  status: objectOf({
    phase: text,
    conditions,
    nominatedNodeName: text,
    startTime: text,
    containerStatuses,
    initContainerStatuses: containerStatuses,
    allocatedResources: amounts,
    resources,
    qosClass: text,
    resourceClaimStatuses: listOf(objectOf({ name: text, resourceClaimName: text })),
    extendedResourceClaimStatus: objectOf({
      resourceClaimName: text,
      requestMappings: listOf(objectOf({ containerName: text, resourceName: text, requestName: text })),
    }),
  }),
});
const node = objectOf({
  metadata,
  spec: objectOf({ unschedulable: flag, taints: listOf(objectOf({ key: text, value: text, effect: text })) }),
  status: objectOf({
    capacity: amounts,
    allocatable: amounts,
    images: listOf(objectOf({ names: texts, sizeBytes: whole })),
    conditions,
    declaredFeatures: texts,
  }),
});

const template = objectOf({ metadata, spec: podSpec });
const replicated = objectOf({ metadata, spec: objectOf({ replicas: whole, selector: labelSelector, template }) });
const jobSpec = objectOf({
  parallelism: whole,
  completions: whole,
  selector: labelSelector,
  manualSelector: flag,
  template,
  completionMode: text,
  suspend: flag,
  managedBy: text,
});
const limits = listOf(
  objectOf({
    type: text,
    max: amounts,
    min: amounts,
    default: amounts,
    defaultRequest: amounts,
    maxLimitRequestRatio: amounts,
  }),
);

/** By kind; objects of other kinds are checked by their readers. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  Pod: pod,
  Node: node,
  Namespace: objectOf({ metadata }),
  Deployment: objectOf({
    metadata,
    spec: objectOf({ replicas: whole, paused: flag, selector: labelSelector, template }),
  }),
  ReplicaSet: replicated,
  ReplicationController: objectOf({ metadata, spec: objectOf({ replicas: whole, selector: labels, template }) }),
  StatefulSet: objectOf({
    metadata,
    spec: objectOf({
      replicas: whole,
      selector: labelSelector,
      template,
      serviceName: text,
      ordinals: objectOf({ start: whole }),
      volumeClaimTemplates: listOf(objectOf({ metadata, spec: claimSpec })),
    }),
  }),
  DaemonSet: objectOf({ metadata, spec: objectOf({ selector: labelSelector, template }) }),
  Job: objectOf({
    metadata,
    spec: jobSpec,
    status: objectOf({ succeeded: whole, completedIndexes: text, failedIndexes: text, conditions }),
  }),
  CronJob: objectOf({
    metadata,
    spec: objectOf({ suspend: flag, concurrencyPolicy: text, jobTemplate: objectOf({ metadata, spec: jobSpec }) }),
  }),
  HorizontalPodAutoscaler: objectOf({
    metadata,
    spec: objectOf({
      minReplicas: whole,
      maxReplicas: whole,
      scaleTargetRef: objectOf({ apiVersion: text, kind: text, name: text }),
    }),
  }),
  PersistentVolumeClaim: objectOf({
    metadata,
    spec: claimSpec,
    status: objectOf({ phase: text, allocatedResources: amounts }),
  }),
  PersistentVolume: objectOf({
    metadata,
    spec: objectOf({
      capacity: amounts,
      accessModes: texts,
      storageClassName: text,
      volumeMode: text,
      claimRef: objectOf({ namespace: text, name: text, uid: text }),
      nodeAffinity: objectOf({ required: nodeSelector }),
      csi: objectOf({ driver: text, volumeHandle: text }),
    }),
  }),
  StorageClass: objectOf({
    metadata,
    provisioner: text,
    parameters: labels,
    volumeBindingMode: text,
    allowedTopologies: listOf(objectOf({ matchLabelExpressions: listOf(objectOf({ key: text, values: texts })) })),
  }),
  CSINode: objectOf({
    metadata,
    spec: objectOf({
      drivers: listOf(
        objectOf({ name: text, nodeID: text, topologyKeys: texts, allocatable: objectOf({ count: whole }) }),
      ),
    }),
  }),
  CSIDriver: objectOf({ metadata, spec: objectOf({ storageCapacity: flag, attachRequired: flag }) }),
  CSIStorageCapacity: objectOf({
    metadata,
    nodeTopology: labelSelector,
    storageClassName: text,
    capacity: anything,
    maximumVolumeSize: anything,
  }),
  VolumeAttachment: objectOf({
    metadata,
    spec: objectOf({ attacher: text, nodeName: text, source: objectOf({ persistentVolumeName: text }) }),
  }),
  PriorityClass: objectOf({ metadata, value: whole, globalDefault: flag, preemptionPolicy: text }),
  RuntimeClass: objectOf({
    metadata,
    overhead: objectOf({ podFixed: amounts }),
    scheduling: objectOf({ nodeSelector: labels, tolerations: listOf(toleration) }),
  }),
  PodDisruptionBudget: objectOf({
    metadata,
    spec: objectOf({ selector: labelSelector }),
    status: objectOf({ disruptionsAllowed: whole, disruptedPods: mapOf(anything) }),
  }),
  Service: objectOf({ metadata, spec: objectOf({ selector: labels }) }),
  LimitRange: objectOf({ metadata, spec: objectOf({ limits }) }),
  ResourceQuota: objectOf({
    metadata,
    spec: objectOf({
      hard: amounts,
      scopes: texts,
      scopeSelector: objectOf({
        matchExpressions: listOf(objectOf({ scopeName: text, operator: text, values: texts })),
      }),
    }),
    status: objectOf({ hard: amounts, used: amounts }),
  }),
};

/** Every API object has it. */
export const ANY_OBJECT: Shape = objectOf({ apiVersion: text, kind: text, metadata });

/** The API group of each kind that placement reads, which tells it from a custom resource of the same name. */
export const GROUPS: Readonly<Record<string, string>> = {
  Node: '',
  Namespace: '',
  Service: '',
  PersistentVolume: '',
  PersistentVolumeClaim: '',
  LimitRange: '',
  ResourceQuota: '',
  PriorityClass: 'scheduling.k8s.io',
  RuntimeClass: 'node.k8s.io',
  PodDisruptionBudget: 'policy',
  HorizontalPodAutoscaler: 'autoscaling',
  StorageClass: 'storage.k8s.io',
  CSINode: 'storage.k8s.io',
  CSIDriver: 'storage.k8s.io',
  CSIStorageCapacity: 'storage.k8s.io',
  VolumeAttachment: 'storage.k8s.io',
};
