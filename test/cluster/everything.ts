import { objectsIn } from '../scheduler/support';

/** A valid node and a valid Pod, `good/good`, which must be placed whatever else exists. */
export const GOOD = objectsIn(`
apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { capacity: { cpu: "4", memory: 8Gi, pods: "10" } }
---
apiVersion: v1
kind: Pod
metadata: { name: good, namespace: good }
spec: { nodeSelector: {}, containers: [{ name: main, resources: { requests: { cpu: 100m } } }] }
`);

/** One of everything that placement reads, all of it valid. */
export const EVERYTHING = objectsIn(`
apiVersion: v1
kind: Node
metadata: { name: n2, labels: { kubernetes.io/hostname: n2, topology.kubernetes.io/zone: z } }
spec: { taints: [{ key: a, value: b, effect: PreferNoSchedule }], unschedulable: false }
status:
  capacity: { cpu: "4", memory: 8Gi, pods: "10" }
  allocatable: { cpu: "4", memory: 8Gi, pods: "10" }
  images: [{ names: [a, b], sizeBytes: 100 }]
  conditions: [{ type: Ready, status: "True" }]
  declaredFeatures: [X]
---
apiVersion: v1
kind: Pod
metadata:
  name: odd
  namespace: odd
  labels: { app: odd }
  annotations: { a: b }
  ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: web-1, controller: true }]
spec:
  priorityClassName: high
  preemptionPolicy: Never
  runtimeClassName: vm
  nodeSelector: { kubernetes.io/hostname: n2 }
  tolerations: [{ key: a, operator: Exists, effect: NoSchedule, tolerationSeconds: 3 }]
  hostNetwork: true
  schedulingGates: []
  overhead: { cpu: 10m }
  resources: { requests: { cpu: 100m }, limits: { memory: 1Gi } }
  resourceClaims: [{ name: gpu, resourceClaimTemplateName: gpu }]
  initContainers: [{ name: side, restartPolicy: Always, resources: { requests: { cpu: 1m } } }]
  containers:
    - name: main
      image: a
      ports: [{ containerPort: 80, hostPort: 80, hostIP: 1.2.3.4, protocol: TCP }]
      resources: { requests: { cpu: 100m }, limits: { memory: 1Gi }, claims: [{ name: gpu }] }
      volumeMounts: [{ name: data, mountPath: /data }]
  volumes:
    - { name: data, persistentVolumeClaim: { claimName: data } }
    - { name: own, ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: b } }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } } } }
    - { name: disk, awsElasticBlockStore: { volumeID: v } }
    - { name: csi, csi: { driver: d } }
  topologySpreadConstraints:
    - { maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: { matchLabels: { app: odd } }, matchLabelKeys: [app] }
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [n2] }], matchFields: [{ key: metadata.name, operator: In, values: [n2] }] }]
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: { matchExpressions: [{ key: a, operator: Gt, values: ["1"] }] } }]
    podAffinity:
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: a, labelSelector: { matchExpressions: [{ key: a, operator: In, values: [b] }] } } }]
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: x } }, namespaces: [odd], mismatchLabelKeys: [app] }]
status: { conditions: [{ type: A, status: "True" }], nominatedNodeName: n2, qosClass: Burstable }
---
apiVersion: v1
kind: Pod
metadata: { name: runs, namespace: odd, labels: { app: odd }, deletionTimestamp: "2026-01-01T00:00:00Z" }
spec: { nodeName: n2, priority: 1, containers: [{ name: main, resources: { requests: { cpu: "1" } } }] }
status:
  phase: Running
  startTime: "2026-01-01T00:00:00Z"
  allocatedResources: { cpu: "1" }
  resources: { requests: { cpu: "1" } }
  containerStatuses: [{ name: main, allocatedResources: { cpu: "1" }, resources: { requests: { cpu: "1" } } }]
---
apiVersion: v1
kind: Namespace
metadata: { name: odd, labels: { a: b }, annotations: { scheduler.alpha.kubernetes.io/node-selector: "c=d", scheduler.alpha.kubernetes.io/defaultTolerations: '[{"key":"x"}]' } }
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
value: 10
globalDefault: false
preemptionPolicy: Never
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: { name: vm }
handler: vm
overhead: { podFixed: { cpu: 10m } }
scheduling: { nodeSelector: { a: b }, tolerations: [{ key: vm, operator: Exists }] }
---
apiVersion: v1
kind: LimitRange
metadata: { name: limits, namespace: odd }
spec: { limits: [{ type: Container, max: { cpu: "2" }, min: { cpu: 1m }, default: { cpu: "1" }, defaultRequest: { cpu: 1m }, maxLimitRequestRatio: { cpu: "5000" } }, { type: Pod, max: { memory: 1Gi } }, { type: PersistentVolumeClaim, max: { storage: 9Gi } }] }
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: quota, namespace: odd }
spec: { hard: { pods: "3", cpu: "4", requests.storage: 9Gi }, scopes: [NotTerminating], scopeSelector: { matchExpressions: [{ scopeName: PriorityClass, operator: In, values: [high] }] } }
status: { hard: { pods: "3" }, used: { pods: "1" } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: odd }
spec: { replicas: 2, paused: false, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web }] } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web, namespace: odd }
spec: { minReplicas: 1, maxReplicas: 3, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: web-1, namespace: odd, ownerReferences: [{ apiVersion: apps/v1, kind: Deployment, name: web, controller: true }] }
spec: { replicas: 1, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web }] } } }
---
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: odd }
spec: { replicas: 1, serviceName: db, ordinals: { start: 1 }, selector: { matchLabels: { app: db } }, template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: db }], volumes: [{ name: data }] } }, volumeClaimTemplates: [{ metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }] }
---
apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent, namespace: odd, generation: 2 }
spec: { selector: { matchLabels: { app: agent } }, template: { metadata: { labels: { app: agent } }, spec: { tolerations: [{ operator: Exists }], containers: [{ name: agent }] } } }
---
apiVersion: batch/v1
kind: Job
metadata: { name: once, namespace: odd }
spec: { parallelism: 2, completions: 3, completionMode: Indexed, suspend: false, manualSelector: false, template: { spec: { containers: [{ name: once }] } } }
status: { succeeded: 1, completedIndexes: "0", failedIndexes: "", conditions: [{ type: Suspended, status: "False" }] }
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: nightly, namespace: odd }
spec: { suspend: false, concurrencyPolicy: Forbid, jobTemplate: { metadata: { labels: { a: b } }, spec: { template: { spec: { containers: [{ name: n }] } } } } }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: odd }
spec: { selector: { app: web } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web, namespace: odd }
spec: { selector: { matchLabels: { app: odd } } }
status: { disruptionsAllowed: 1, disruptedPods: { a: "2026-01-01T00:00:00Z" } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, namespace: odd }
spec: { accessModes: [ReadWriteOnce], storageClassName: fast, volumeName: pv, selector: { matchLabels: { a: b } }, resources: { requests: { storage: 1Gi } } }
status: { phase: Bound }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: pv, labels: { a: b } }
spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], storageClassName: fast, claimRef: { namespace: odd, name: data }, csi: { driver: d, volumeHandle: h }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: kubernetes.io/hostname, operator: In, values: [n2] }] }] } } }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }
provisioner: d
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{ matchLabelExpressions: [{ key: a, values: [b] }] }]
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: { name: n2 }
spec: { drivers: [{ name: d, nodeID: n2, topologyKeys: [a], allocatable: { count: 3 } }] }
---
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: { name: d }
spec: { storageCapacity: true }
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: { name: gpu }
spec: { selectors: [{ cel: { expression: device.driver == "d" } }] }
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: { name: gpu, namespace: odd }
spec: { metadata: { labels: { a: b } }, spec: { devices: { requests: [{ name: r, exactly: { deviceClassName: gpu, count: 1 } }], constraints: [{ matchAttribute: d/a }] } } }
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: { name: n2 }
spec: { driver: d, nodeName: n2, pool: { name: n2, generation: 1, resourceSliceCount: 1 }, devices: [{ name: one, attributes: { a: { string: x } }, capacity: { memory: { value: 1Gi } } }] }
---
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: { name: gang, namespace: odd }
spec: { priorityClassName: high, schedulingPolicy: { gang: { minCount: 1 } } }
---
apiVersion: v1
kind: Pod
metadata: { name: member, namespace: odd }
spec: { priorityClassName: high, schedulingGroup: { podGroupName: gang }, containers: [{ name: main }] }
---
apiVersion: berth.dev/v1alpha1
kind: ScenarioOptions
featureGates: { GenericWorkload: true }
victims: delete
retry: end
expandWorkloads: true
enableAdmissionPlugins: [LimitPodHardAntiAffinityTopology, PodNodeSelector, PodTolerationRestriction, ExtendedResourceToleration]
---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{ schedulerName: default-scheduler, plugins: { score: { enabled: [{ name: NodeResourcesFit, weight: 2 }], disabled: [{ name: ImageLocality }] } }, pluginConfig: [{ name: NodeResourcesFit, args: { scoringStrategy: { type: MostAllocated, resources: [{ name: cpu, weight: 1 }] } } }] }]
`);
