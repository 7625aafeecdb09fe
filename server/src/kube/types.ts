import type { UnknownObject } from '../base/json';

/**
 * API objects as an author writes them: every field optional, nothing validated, nothing defaulted. Only fields that
 * some room reads are included. Field names and shapes follow k8s.io/api of 1.37; durations and times are strings.
 */

/** resource.Quantity as written: `500m`, `1Gi`, or a bare number. Read with `parseQuantity(String(it))`. */
export type QuantityText = string | number;
export type ResourceList = Readonly<Record<string, QuantityText>>;
export type IntOrString = number | string;
export type StringMap = Readonly<Record<string, string>>;

export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
}

export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

// Selectors

export interface LabelSelectorRequirement {
  readonly key?: string;
  /** In, NotIn, Exists, DoesNotExist */
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: StringMap;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface NodeSelectorRequirement {
  readonly key?: string;
  /** In, NotIn, Exists, DoesNotExist, Gt, Lt */
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  /** Upstream supports one field: metadata.name. */
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

export interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
}

// Scheduling

export interface PreferredSchedulingTerm {
  readonly weight?: number;
  readonly preference?: NodeSelectorTerm;
}

export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredSchedulingTerm[];
}

export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
  readonly topologyKey?: string;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

export interface WeightedPodAffinityTerm {
  readonly weight?: number;
  readonly podAffinityTerm?: PodAffinityTerm;
}

/** The shape of PodAffinity and PodAntiAffinity. */
export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

export interface Affinity {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

export interface Taint {
  readonly key?: string;
  readonly value?: string;
  /** NoSchedule, PreferNoSchedule, NoExecute */
  readonly effect?: string;
  readonly timeAdded?: string;
}

export interface Toleration {
  readonly key?: string;
  /** Equal (also when empty), Exists, Lt, Gt */
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface TopologySpreadConstraint {
  readonly maxSkew?: number;
  readonly topologyKey?: string;
  /** DoNotSchedule, ScheduleAnyway */
  readonly whenUnsatisfiable?: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  /** Honor, Ignore */
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}

export interface PodSchedulingGate {
  readonly name?: string;
}

export interface PodReadinessGate {
  readonly conditionType?: string;
}

export interface PodResourceClaim {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

// Containers

export interface ResourceClaimUse {
  readonly name?: string;
  readonly request?: string;
}

export interface ResourceRequirements {
  readonly limits?: ResourceList;
  readonly requests?: ResourceList;
  readonly claims?: readonly ResourceClaimUse[];
}

export interface ContainerPort {
  readonly name?: string;
  readonly hostPort?: number;
  readonly containerPort?: number;
  /** TCP (also when empty), UDP, SCTP */
  readonly protocol?: string;
  readonly hostIP?: string;
}

export interface ObjectKeyReference {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

export interface EnvVarSource {
  readonly fieldRef?: { readonly apiVersion?: string; readonly fieldPath?: string };
  readonly resourceFieldRef?: {
    readonly containerName?: string;
    readonly resource?: string;
    readonly divisor?: QuantityText;
  };
  readonly configMapKeyRef?: ObjectKeyReference;
  readonly secretKeyRef?: ObjectKeyReference;
  readonly fileKeyRef?: {
    readonly volumeName?: string;
    readonly path?: string;
    readonly key?: string;
    readonly optional?: boolean;
  };
}

export interface EnvVar {
  readonly name?: string;
  readonly value?: string;
  readonly valueFrom?: EnvVarSource;
}

export interface LocalReference {
  readonly name?: string;
}

export interface OptionalReference extends LocalReference {
  readonly optional?: boolean;
}

export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: OptionalReference;
  readonly secretRef?: OptionalReference;
}

export interface VolumeMount {
  readonly name?: string;
  readonly mountPath?: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly mountPropagation?: string;
}

export interface VolumeDevice {
  readonly name?: string;
  readonly devicePath?: string;
}

export interface Probe {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: {
    readonly path?: string;
    readonly port?: IntOrString;
    readonly host?: string;
    readonly scheme?: string;
  };
  readonly tcpSocket?: { readonly port?: IntOrString; readonly host?: string };
  readonly grpc?: { readonly port?: number; readonly service?: string };
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

export interface Capabilities {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
}

export interface SecurityProfile {
  readonly type?: string;
  readonly localhostProfile?: string;
}

export interface SELinuxOptions {
  readonly user?: string;
  readonly role?: string;
  readonly type?: string;
  readonly level?: string;
}

export interface WindowsOptions {
  readonly gmsaCredentialSpecName?: string;
  readonly gmsaCredentialSpec?: string;
  readonly runAsUserName?: string;
  readonly hostProcess?: boolean;
}

export interface SecurityContext {
  readonly capabilities?: Capabilities;
  readonly privileged?: boolean;
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: WindowsOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly seccompProfile?: SecurityProfile;
  readonly appArmorProfile?: SecurityProfile;
}

export interface PodSecurityContext {
  readonly seLinuxOptions?: SELinuxOptions;
  readonly windowsOptions?: WindowsOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly supplementalGroups?: readonly number[];
  readonly supplementalGroupsPolicy?: string;
  readonly fsGroup?: number;
  readonly fsGroupChangePolicy?: string;
  readonly seLinuxChangePolicy?: string;
  readonly sysctls?: readonly { readonly name?: string; readonly value?: string }[];
  readonly seccompProfile?: SecurityProfile;
  readonly appArmorProfile?: SecurityProfile;
}

export interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly resources?: ResourceRequirements;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: {
    readonly postStart?: unknown;
    readonly preStop?: unknown;
    readonly stopSignal?: string;
  };
  readonly imagePullPolicy?: string;
  readonly securityContext?: SecurityContext;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly resizePolicy?: readonly { readonly resourceName?: string; readonly restartPolicy?: string }[];
  /** Always on an init container makes it a sidecar. */
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly unknown[];
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly tty?: boolean;
}

export interface EphemeralContainer extends Container {
  readonly targetContainerName?: string;
}

// Volumes

export interface KeyToPath {
  readonly key?: string;
  readonly path?: string;
  readonly mode?: number;
}

export interface PersistentVolumeClaimTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec?: PersistentVolumeClaimSpec;
}

export interface VolumeProjection {
  readonly configMap?: OptionalReference & { readonly items?: readonly KeyToPath[] };
  readonly secret?: OptionalReference & { readonly items?: readonly KeyToPath[] };
  readonly downwardAPI?: { readonly items?: readonly unknown[] };
  readonly serviceAccountToken?: {
    readonly audience?: string;
    readonly expirationSeconds?: number;
    readonly path?: string;
  };
  readonly clusterTrustBundle?: unknown;
  readonly podCertificate?: unknown;
}

export interface Volume {
  readonly name?: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: QuantityText };
  readonly hostPath?: { readonly path?: string; readonly type?: string };
  readonly configMap?: OptionalReference & { readonly items?: readonly KeyToPath[]; readonly defaultMode?: number };
  readonly secret?: {
    readonly secretName?: string;
    readonly items?: readonly KeyToPath[];
    readonly defaultMode?: number;
    readonly optional?: boolean;
  };
  readonly persistentVolumeClaim?: { readonly claimName?: string; readonly readOnly?: boolean };
  readonly ephemeral?: { readonly volumeClaimTemplate?: PersistentVolumeClaimTemplate };
  readonly projected?: { readonly sources?: readonly VolumeProjection[]; readonly defaultMode?: number };
  readonly csi?: {
    readonly driver?: string;
    readonly readOnly?: boolean;
    readonly fsType?: string;
    readonly volumeAttributes?: StringMap;
    readonly nodePublishSecretRef?: LocalReference;
  };
  readonly downwardAPI?: { readonly items?: readonly unknown[]; readonly defaultMode?: number };
  readonly image?: { readonly reference?: string; readonly pullPolicy?: string };
  readonly nfs?: { readonly server?: string; readonly path?: string; readonly readOnly?: boolean };
  readonly gcePersistentDisk?: {
    readonly pdName?: string;
    readonly fsType?: string;
    readonly partition?: number;
    readonly readOnly?: boolean;
  };
  readonly awsElasticBlockStore?: {
    readonly volumeID?: string;
    readonly fsType?: string;
    readonly partition?: number;
    readonly readOnly?: boolean;
  };
  readonly rbd?: {
    readonly monitors?: readonly string[];
    readonly image?: string;
    readonly pool?: string;
    readonly readOnly?: boolean;
  };
  readonly iscsi?: {
    readonly targetPortal?: string;
    readonly iqn?: string;
    readonly lun?: number;
    readonly readOnly?: boolean;
  };
  readonly azureDisk?: { readonly diskName?: string; readonly diskURI?: string; readonly kind?: string };
  readonly azureFile?: { readonly secretName?: string; readonly shareName?: string };
  readonly cinder?: { readonly volumeID?: string };
  readonly portworxVolume?: { readonly volumeID?: string };
  readonly vsphereVolume?: { readonly volumePath?: string };
  readonly gitRepo?: { readonly repository?: string };
  readonly fc?: unknown;
  readonly cephfs?: unknown;
  readonly flexVolume?: unknown;
  readonly flocker?: unknown;
  readonly glusterfs?: unknown;
  readonly photonPersistentDisk?: unknown;
  readonly quobyte?: unknown;
  readonly scaleIO?: unknown;
  readonly storageos?: unknown;
}

// Pod

export interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  readonly volumes?: readonly Volume[];
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly dnsPolicy?: string;
  readonly nodeSelector?: StringMap;
  readonly serviceAccountName?: string;
  readonly serviceAccount?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly hostUsers?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly securityContext?: PodSecurityContext;
  readonly imagePullSecrets?: readonly LocalReference[];
  readonly hostname?: string;
  readonly hostnameOverride?: string;
  readonly subdomain?: string;
  readonly setHostnameAsFQDN?: boolean;
  readonly affinity?: Affinity;
  readonly schedulerName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly hostAliases?: readonly { readonly ip?: string; readonly hostnames?: readonly string[] }[];
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
  readonly dnsConfig?: unknown;
  /** From 1.37. */
  readonly evictionResponders?: readonly unknown[];
  readonly readinessGates?: readonly PodReadinessGate[];
  readonly runtimeClassName?: string;
  readonly enableServiceLinks?: boolean;
  readonly overhead?: ResourceList;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly os?: { readonly name?: string };
  readonly schedulingGates?: readonly PodSchedulingGate[];
  readonly resourceClaims?: readonly PodResourceClaim[];
  /** Resources of the whole Pod (gate PodLevelResources). */
  readonly resources?: ResourceRequirements;
  /** 1.35: the Workload this Pod belongs to. */
  readonly workloadRef?: { readonly name?: string; readonly podGroup?: string; readonly podGroupReplicaKey?: string };
  /** From 1.36: the PodGroup this Pod belongs to. */
  readonly schedulingGroup?: { readonly podGroupName?: string };
}

export interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface ContainerStatus {
  readonly name?: string;
  readonly allocatedResources?: ResourceList;
  readonly resources?: ResourceRequirements;
  readonly ready?: boolean;
}

export interface PodStatus {
  /** Pending, Running, Succeeded, Failed, Unknown */
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
  readonly nominatedNodeName?: string;
  readonly startTime?: string;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly allocatedResources?: ResourceList;
  readonly resources?: ResourceRequirements;
  readonly resize?: string;
  readonly qosClass?: string;
}

export interface Pod extends ApiObject {
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
}

export interface PodTemplateSpec {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}

export interface PodTemplate extends ApiObject {
  readonly template?: PodTemplateSpec;
}

// Node and cluster

export interface NodeSpec {
  readonly podCIDR?: string;
  readonly providerID?: string;
  readonly unschedulable?: boolean;
  readonly taints?: readonly Taint[];
}

export interface ContainerImage {
  readonly names?: readonly string[];
  readonly sizeBytes?: number;
}

export interface NodeStatus {
  readonly capacity?: ResourceList;
  readonly allocatable?: ResourceList;
  readonly conditions?: readonly Condition[];
  readonly images?: readonly ContainerImage[];
  readonly nodeInfo?: {
    readonly operatingSystem?: string;
    readonly architecture?: string;
    readonly kubeletVersion?: string;
  };
  readonly volumesAttached?: readonly { readonly name?: string; readonly devicePath?: string }[];
  readonly volumesInUse?: readonly string[];
  readonly declaredFeatures?: readonly string[];
  readonly features?: { readonly supplementalGroupsPolicy?: boolean };
}

export interface Node extends ApiObject {
  readonly spec?: NodeSpec;
  readonly status?: NodeStatus;
}

export interface Namespace extends ApiObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string };
}

export interface PriorityClass extends ApiObject {
  readonly value?: number;
  readonly globalDefault?: boolean;
  readonly description?: string;
  /** PreemptLowerPriority (also when absent), Never */
  readonly preemptionPolicy?: string;
}

export interface RuntimeClass extends ApiObject {
  readonly handler?: string;
  readonly overhead?: { readonly podFixed?: ResourceList };
  readonly scheduling?: { readonly nodeSelector?: StringMap; readonly tolerations?: readonly Toleration[] };
}

export interface PodDisruptionBudget extends ApiObject {
  readonly spec?: {
    readonly minAvailable?: IntOrString;
    readonly maxUnavailable?: IntOrString;
    readonly selector?: LabelSelector;
    readonly unhealthyPodEvictionPolicy?: string;
  };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly expectedPods?: number;
    readonly disruptedPods?: StringMap;
  };
}

export interface LimitRange extends ApiObject {
  readonly spec?: {
    readonly limits?: readonly {
      /** Container, Pod, PersistentVolumeClaim */
      readonly type?: string;
      readonly max?: ResourceList;
      readonly min?: ResourceList;
      readonly default?: ResourceList;
      readonly defaultRequest?: ResourceList;
      readonly maxLimitRequestRatio?: ResourceList;
    }[];
  };
}

export interface ResourceQuota extends ApiObject {
  readonly spec?: {
    readonly hard?: ResourceList;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: {
      readonly matchExpressions?: readonly {
        readonly scopeName?: string;
        readonly operator?: string;
        readonly values?: readonly string[];
      }[];
    };
  };
  readonly status?: { readonly hard?: ResourceList; readonly used?: ResourceList };
}

// Storage

export interface TypedLocalReference {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

export interface PersistentVolumeClaimSpec {
  readonly accessModes?: readonly string[];
  readonly selector?: LabelSelector;
  readonly resources?: { readonly limits?: ResourceList; readonly requests?: ResourceList };
  readonly volumeName?: string;
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly dataSource?: TypedLocalReference;
  readonly dataSourceRef?: TypedLocalReference & { readonly namespace?: string };
  readonly volumeAttributesClassName?: string;
}

export interface PersistentVolumeClaim extends ApiObject {
  readonly spec?: PersistentVolumeClaimSpec;
  readonly status?: {
    /** Pending, Bound, Lost */
    readonly phase?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: ResourceList;
  };
}

export interface PersistentVolumeSpec {
  readonly capacity?: ResourceList;
  readonly accessModes?: readonly string[];
  readonly claimRef?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
  };
  readonly persistentVolumeReclaimPolicy?: string;
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly mountOptions?: readonly string[];
  readonly nodeAffinity?: { readonly required?: NodeSelector };
  readonly volumeAttributesClassName?: string;
  readonly csi?: { readonly driver?: string; readonly volumeHandle?: string; readonly readOnly?: boolean };
  readonly hostPath?: { readonly path?: string; readonly type?: string };
  readonly local?: { readonly path?: string; readonly fsType?: string };
  readonly nfs?: { readonly server?: string; readonly path?: string };
  readonly gcePersistentDisk?: { readonly pdName?: string };
  readonly awsElasticBlockStore?: { readonly volumeID?: string };
  readonly azureDisk?: { readonly diskName?: string; readonly diskURI?: string; readonly kind?: string };
  readonly cinder?: { readonly volumeID?: string };
}

export interface PersistentVolume extends ApiObject {
  readonly spec?: PersistentVolumeSpec;
  readonly status?: { readonly phase?: string };
}

export interface TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly { readonly key?: string; readonly values?: readonly string[] }[];
}

export interface StorageClass extends ApiObject {
  readonly provisioner?: string;
  readonly parameters?: StringMap;
  readonly reclaimPolicy?: string;
  readonly mountOptions?: readonly string[];
  readonly allowVolumeExpansion?: boolean;
  /** Immediate (also when absent), WaitForFirstConsumer */
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly TopologySelectorTerm[];
}

export interface CSINode extends ApiObject {
  readonly spec?: {
    readonly drivers?: readonly {
      readonly name?: string;
      readonly nodeID?: string;
      readonly topologyKeys?: readonly string[];
      readonly allocatable?: { readonly count?: number };
    }[];
  };
}

export interface CSIDriver extends ApiObject {
  readonly spec?: {
    readonly attachRequired?: boolean;
    readonly podInfoOnMount?: boolean;
    readonly storageCapacity?: boolean;
    readonly volumeLifecycleModes?: readonly string[];
    readonly preventPodSchedulingIfMissing?: boolean;
  };
}

export interface CSIStorageCapacity extends ApiObject {
  readonly nodeTopology?: LabelSelector;
  readonly storageClassName?: string;
  readonly capacity?: QuantityText;
  readonly maximumVolumeSize?: QuantityText;
}

export interface VolumeAttachment extends ApiObject {
  readonly spec?: {
    readonly attacher?: string;
    readonly nodeName?: string;
    readonly source?: { readonly persistentVolumeName?: string; readonly inlineVolumeSpec?: PersistentVolumeSpec };
  };
}

// Workloads

export interface Deployment extends ApiObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: LabelSelector;
    readonly template?: PodTemplateSpec;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString };
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly paused?: boolean;
    readonly progressDeadlineSeconds?: number;
  };
}

export interface ReplicaSet extends ApiObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector?: LabelSelector;
    readonly template?: PodTemplateSpec;
  };
}

export interface ReplicationController extends ApiObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly selector?: StringMap;
    readonly template?: PodTemplateSpec;
  };
}

export interface StatefulSet extends ApiObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: LabelSelector;
    readonly template?: PodTemplateSpec;
    readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
    readonly serviceName?: string;
    readonly podManagementPolicy?: string;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: IntOrString };
    };
    readonly ordinals?: { readonly start?: number };
  };
}

export interface DaemonSet extends ApiObject {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly template?: PodTemplateSpec;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString };
    };
    readonly minReadySeconds?: number;
  };
}

export interface JobSpec {
  readonly parallelism?: number;
  readonly completions?: number;
  readonly activeDeadlineSeconds?: number;
  readonly backoffLimit?: number;
  readonly selector?: LabelSelector;
  readonly manualSelector?: boolean;
  readonly template?: PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number;
  readonly completionMode?: string;
  readonly suspend?: boolean;
  readonly managedBy?: string;
  /** Upstream: JobSchedulingConfiguration. */
  readonly scheduling?: UnknownObject;
}

export interface Job extends ApiObject {
  readonly spec?: JobSpec;
}

export interface CronJob extends ApiObject {
  readonly spec?: {
    readonly schedule?: string;
    readonly timeZone?: string;
    readonly startingDeadlineSeconds?: number;
    readonly concurrencyPolicy?: string;
    readonly suspend?: boolean;
    readonly jobTemplate?: { readonly metadata?: ObjectMeta; readonly spec?: JobSpec };
  };
}

export interface HorizontalPodAutoscaler extends ApiObject {
  readonly spec?: {
    readonly scaleTargetRef?: { readonly apiVersion?: string; readonly kind?: string; readonly name?: string };
    readonly minReplicas?: number;
    readonly maxReplicas?: number;
  };
}

// Gangs

/** scheduling.x-k8s.io PodGroup of the coscheduling plugin. */
export interface CoschedulingPodGroup extends ApiObject {
  readonly spec?: {
    readonly minMember?: number;
    readonly minResources?: ResourceList;
    readonly scheduleTimeoutSeconds?: number;
  };
}

export interface SchedulingPolicy {
  readonly basic?: Readonly<Record<string, never>>;
  readonly gang?: { readonly minCount?: number };
}

export interface SchedulingConstraints {
  readonly topology?: readonly { readonly key?: string }[];
}

/** scheduling.k8s.io/v1alpha1 Workload of 1.35, where gangs are parts of the Workload itself. */
export interface WorkloadV1Alpha1 extends ApiObject {
  readonly spec?: {
    readonly controllerRef?: TypedLocalReference;
    readonly podGroups?: readonly { readonly name?: string; readonly policy?: SchedulingPolicy }[];
  };
}

/**
 * The fields that PodGroup and its template share. `disruptionMode` is a string in v1alpha2, an object from v1alpha3.
 */
export interface PodGroupTemplate {
  readonly name?: string;
  readonly schedulingPolicy?: SchedulingPolicy;
  readonly schedulingConstraints?: SchedulingConstraints;
  readonly disruptionMode?: string | { readonly all?: unknown; readonly single?: unknown };
  readonly priorityClassName?: string;
  readonly priority?: number;
  /** From v1alpha3. */
  readonly preemptionPolicy?: string;
  readonly resourceClaims?: readonly PodResourceClaim[];
}

export interface PodGroupSpec extends PodGroupTemplate {
  /** v1alpha2 */
  readonly podGroupTemplateRef?: {
    readonly workload?: { readonly workloadName?: string; readonly podGroupTemplateName?: string };
  };
  /** From v1alpha3. */
  readonly workloadRef?: { readonly workloadName?: string; readonly templateName?: string };
  readonly parentCompositePodGroupName?: string;
}

/** scheduling.k8s.io PodGroup (v1alpha2 of 1.36; v1alpha3 and v1beta1 of 1.37). */
export interface PodGroup extends ApiObject {
  readonly spec?: PodGroupSpec;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface CompositePodGroupTemplate {
  readonly name?: string;
  readonly schedulingPolicy?: {
    readonly basic?: Readonly<Record<string, never>>;
    readonly gang?: { readonly minGroupCount?: number };
  };
  readonly schedulingConstraints?: SchedulingConstraints;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
  readonly podGroupTemplates?: readonly PodGroupTemplate[];
  readonly compositePodGroupTemplates?: readonly CompositePodGroupTemplate[];
}

/** scheduling.k8s.io/v1alpha3 CompositePodGroup of 1.37. */
export interface CompositePodGroup extends ApiObject {
  readonly spec?: CompositePodGroupTemplate & {
    readonly parentCompositePodGroupName?: string;
    readonly workloadRef?: { readonly workloadName?: string; readonly templateName?: string };
  };
}

/** scheduling.k8s.io Workload from v1alpha2 on, which contains templates of gangs. */
export interface Workload extends ApiObject {
  readonly spec?: {
    readonly controllerRef?: TypedLocalReference;
    readonly podGroupTemplates?: readonly PodGroupTemplate[];
    /** From v1alpha3. */
    readonly compositePodGroupTemplates?: readonly CompositePodGroupTemplate[];
  };
}

// Configuration, services and access

export interface ConfigMap extends ApiObject {
  readonly data?: StringMap;
  readonly binaryData?: StringMap;
  readonly immutable?: boolean;
}

export interface Secret extends ApiObject {
  readonly data?: StringMap;
  readonly stringData?: StringMap;
  readonly type?: string;
  readonly immutable?: boolean;
}

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: string;
  readonly appProtocol?: string;
  readonly port?: number;
  readonly targetPort?: IntOrString;
  readonly nodePort?: number;
}

export interface Service extends ApiObject {
  readonly spec?: {
    readonly type?: string;
    readonly selector?: StringMap;
    readonly ports?: readonly ServicePort[];
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalName?: string;
    readonly publishNotReadyAddresses?: boolean;
  };
}

export interface ServiceAccount extends ApiObject {
  readonly secrets?: readonly { readonly name?: string }[];
  readonly imagePullSecrets?: readonly LocalReference[];
  readonly automountServiceAccountToken?: boolean;
}

export interface IngressBackend {
  readonly service?: {
    readonly name?: string;
    readonly port?: { readonly name?: string; readonly number?: number };
  };
  readonly resource?: TypedLocalReference;
}

export interface Ingress extends ApiObject {
  readonly spec?: {
    readonly ingressClassName?: string;
    readonly defaultBackend?: IngressBackend;
    readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: {
        readonly paths?: readonly {
          readonly path?: string;
          readonly pathType?: string;
          readonly backend?: IngressBackend;
        }[];
      };
    }[];
  };
}

export interface NetworkPolicy extends ApiObject {
  readonly spec?: {
    readonly podSelector?: LabelSelector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly unknown[];
    readonly egress?: readonly unknown[];
  };
}

export interface RoleRef {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
}

export interface Subject {
  readonly kind?: string;
  readonly apiGroup?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** The shape of RoleBinding and ClusterRoleBinding. */
export interface RoleBinding extends ApiObject {
  readonly roleRef?: RoleRef;
  readonly subjects?: readonly Subject[];
}
