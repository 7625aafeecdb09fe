import type { MinorChange } from './minorChange';

/** Changes of what the server says of Pods and Pod templates. */
export const podChanges = {
  imageReferenceInTemplate: {
    since: '1.37',
    kinds: ['Pod'],
    field: 'spec.volumes[*].image.reference',
    change: 'An image volume of a Pod template must name its image; before, that of a Pod alone.',
    upstream: 'core/validation.validateImageVolumeSource',
  },
  sharedProcessesAtField: {
    since: '1.37',
    kinds: ['Pod'],
    field: 'spec.shareProcessNamespace',
    change: 'The clash with hostPID is reported at this field; before, below `securityContext`.',
    upstream: 'core/validation.validateShareProcessNamespace',
  },
  zeroSleep: {
    since: '1.37',
    kinds: ['Pod'],
    field: 'spec.containers[*].lifecycle.*.sleep.seconds',
    change: 'A sleep of zero seconds is always accepted; before, with the gate PodLifecycleSleepActionAllowZero.',
    upstream: 'core/validation.validateSleepAction',
  },
  exitCodesTooMany: {
    since: '1.36',
    kinds: ['Pod'],
    field: 'spec.containers[*].restartPolicyRules[*].exitCodes.values',
    change: 'Too many values are TooMany; before, TooLong.',
    upstream: 'core/validation.validateContainerRestartPolicy',
  },
  resizeRestartOfPod: {
    since: '1.36',
    kinds: ['Pod'],
    field: 'spec.containers[*].resizePolicy[*].restartPolicy',
    change: 'The text says that the restart policy of the Pod is meant.',
    upstream: 'core/validation.validateResizePolicy',
  },
  resizeRestartOfInitContainer: {
    since: '1.36',
    kinds: ['Pod'],
    field: 'spec.initContainers[*].resizePolicy[*].restartPolicy',
    change: 'An init container that is no sidecar must not restart for a resize.',
    upstream: 'core/validation.validateInitContainers',
  },
  relaxedSearches: {
    since: '1.37',
    kinds: ['Pod'],
    field: 'spec.dnsConfig.searches[*]',
    change: 'Underscores and a single dot are always accepted; before, with the gate RelaxedDNSSearchValidation.',
    upstream: 'core/validation.validatePodDNSConfig',
  },
  requiredTermValues: {
    since: '1.33',
    kinds: ['Pod', 'PersistentVolume'],
    field: '…nodeSelectorTerms[*].matchExpressions[*].values[*]',
    change: 'The values of a required term must be values that a label can have.',
    upstream: 'core/validation.ValidateNodeSelectorRequirement, AllowInvalidLabelValueInRequiredNodeAffinity',
  },
  preferredTermValues: {
    since: '1.33',
    kinds: ['Pod'],
    field:
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[*].preference.matchExpressions[*].values[*]',
    change: 'A value that no label can have is warned of.',
    upstream: 'pkg/api/node.GetWarningsForNodeSelectorTerm',
  },
  labelsInBytes: {
    since: '1.35',
    kinds: 'all',
    field: 'metadata.labels',
    change: 'The text about a label that is too long counts bytes; before, it says characters.',
    upstream: 'apimachinery/pkg/api/validate/content.IsLabelValue, IsLabelKey',
  },
  blockDevicesOfUsers: {
    since: '1.34',
    kinds: ['Pod'],
    field: 'spec.containers[*].volumeDevices',
    change: 'Block devices are forbidden where `hostUsers` is false.',
    upstream: 'core/validation.validateHostUsers',
  },
  virtualPaths: {
    since: '1.32',
    kinds: ['Pod'],
    field: 'spec.volumes[*]',
    change: 'Files of a volume that overlap are warned of.',
    upstream: 'pkg/api/pod.warningsForOverlappingVirtualPaths',
  },
  imageVolumesWhole: {
    until: '1.33',
    kinds: ['Pod'],
    field: 'spec.containers[*].volumeMounts[*].subPath',
    change: 'A mount of an image volume has neither subPath nor subPathExpr.',
    upstream: 'core/validation.ValidateVolumeMounts',
  },
  portNames: {
    since: '1.33',
    kinds: ['Pod'],
    field: 'spec.containers[*].ports[*].name',
    change: 'Two ports of one name in different containers are warned of.',
    upstream: 'pkg/api/pod.warningsForPodSpecAndMeta',
  },
  appArmorComparedWithPod: {
    since: '1.34',
    kinds: ['Pod'],
    field: 'metadata.annotations',
    change:
      'A template is warned of an AppArmor annotation beside the profile of the Pod when they differ; before, never.',
    upstream: 'pkg/api/pod.warningsForPodSpecAndMeta',
  },
} as const satisfies Readonly<Record<string, MinorChange>>;
