import type { MinorChange } from './minorChange';

/** Changes of what the server says of workloads, disruption budgets and autoscalers. */
export const workloadChanges = {
  controllerNameDeclared: {
    since: '1.35',
    kinds: ['ReplicationController'],
    field: 'metadata.generateName',
    change: 'The prefix of a generated name is checked only as that of any kind; before, as the name is.',
    upstream: 'core/validation.ValidateReplicationController',
  },
  statefulSetTemplate: {
    since: '1.34',
    kinds: ['StatefulSet'],
    field: 'spec.template',
    change: 'The Pod template is validated like that of other workloads; before, its metadata and a few fields alone.',
    upstream: 'apps/validation.ValidatePodTemplateSpecForStatefulSet, SkipValidatePodTemplateSpec',
  },
  statefulSetClaims: {
    since: '1.34',
    kinds: ['StatefulSet'],
    field: 'spec.volumeClaimTemplates[*].spec',
    change: 'The claim templates are validated like claims.',
    upstream: 'apps/validation.ValidateStatefulSetSpec, SkipValidateVolumeClaimTemplates',
  },
  statefulSetServiceName: {
    since: '1.33',
    kinds: ['StatefulSet'],
    field: 'spec.serviceName',
    change: 'The name must be a DNS label.',
    upstream: 'apps/validation.ValidateStatefulSetSpec, AllowInvalidServiceName',
  },
  statefulSetHistoryWarning: {
    since: '1.33',
    kinds: ['StatefulSet'],
    field: 'spec.revisionHistoryLimit',
    change: 'A negative limit is warned of.',
    upstream: 'registry/apps/statefulset.statefulSetStrategy.WarningsOnCreate',
  },
  reservedExpressionsDropped: {
    since: '1.37',
    kinds: ['PodDisruptionBudget'],
    field: 'spec.selector.matchExpressions[*]',
    change: 'Reserved expressions are dropped by the strategy; before, by the decoder.',
    upstream: 'registry/policy/poddisruptionbudget.podDisruptionBudgetStrategy.PrepareForCreate',
  },
  replicasRequired: {
    since: '1.36',
    kinds: ['HorizontalPodAutoscaler'],
    field: 'spec.maxReplicas',
    change: 'Zero is Required; before, Invalid.',
    upstream: 'autoscaling/validation.validateHorizontalPodAutoscalerSpec',
  },
  replicasRequiredDeclaratively: {
    since: '1.37',
    kinds: ['HorizontalPodAutoscaler'],
    field: 'spec.maxReplicas',
    change: 'The error has no detail.',
    upstream: 'apis/autoscaling/v2.Validate_HorizontalPodAutoscalerSpec',
  },
  scaleTargetVersion: {
    since: '1.34',
    kinds: ['HorizontalPodAutoscaler'],
    field: 'spec.scaleTargetRef.apiVersion',
    change: 'The version of a target and of a described object must be `group/version`.',
    upstream: 'autoscaling/validation.ValidateAPIVersion',
  },
  cronJobFailureStatus: {
    since: '1.34',
    kinds: ['CronJob'],
    field: 'spec.jobTemplate.spec.podFailurePolicy.rules[*].onPodConditions[*].status',
    change: 'The default is True; before, a missing status is Required, as only Jobs get the default.',
    upstream: 'apis/batch/v1.SetDefaults_PodFailurePolicyOnPodConditionsPattern',
  },
} as const satisfies Readonly<Record<string, MinorChange>>;
