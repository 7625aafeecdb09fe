import type { UnknownObject } from '../base/json';
import { labelMatcher } from '../kube/labelSelector';
import { DEFAULT_PROTECTIONS, type EvictorArgs, EXTRA_PROTECTIONS, type PodChoice, type Thresholds } from './policy';

/** An error in args: its path in them, and upstream's sentence. */
export interface ArgError {
  readonly at: readonly (string | number)[];
  readonly text: string;
}

type Check<Args extends object> = (args: Args) => readonly ArgError[];

const error = (text: string, ...at: readonly (string | number)[]): ArgError => ({ at, text });

/** An error for every value that is not among the allowed ones. */
const others = (
  field: readonly string[],
  values: readonly string[] | undefined,
  allowed: readonly string[],
  text: (value: string) => string,
): readonly ArgError[] =>
  (values ?? []).flatMap((it, i) => (allowed.includes(it) ? [] : [error(text(it), ...field, i)]));

const choice: Check<PodChoice> = ({ namespaces, labelSelector }) => {
  const { include = [], exclude = [] } = namespaces ?? {};
  const bad = labelSelector && labelMatcher(labelSelector).error;
  return [
    ...(include.length > 0 && exclude.length > 0
      ? [error('only one of Include/Exclude namespaces can be set', 'namespaces')]
      : []),
    ...(bad ? [error(`failed to get label selectors from strategy's params: ${bad}`, 'labelSelector')] : []),
  ];
};

const inRange = (field: string, thresholds: Thresholds = {}): readonly ArgError[] =>
  Object.keys(thresholds).length === 0
    ? [error('no resource threshold is configured', field)]
    : Object.entries(thresholds).flatMap(([name, it]) =>
        it < 0 || it > 100 ? [error(`${name} threshold not in [0, 100] range`, field, name)] : [],
      );

const evictable: Check<{ readonly evictableNamespaces?: { readonly include?: readonly string[] } }> = args =>
  (args.evictableNamespaces?.include ?? []).length > 0
    ? [error('only Exclude namespaces can be set, inclusion is not supported', 'evictableNamespaces', 'include')]
    : [];

interface LowArgs {
  readonly thresholds?: Thresholds;
  readonly targetThresholds?: Thresholds;
  readonly useDeviationThresholds?: boolean;
  readonly metricsUtilization?: {
    readonly metricsServer?: boolean;
    readonly source?: string;
    readonly prometheus?: { readonly query?: string };
  };
}

/** Upstream: validateLowNodeUtilizationThresholds. */
function spans({ thresholds = {}, targetThresholds = {}, useDeviationThresholds }: LowArgs): readonly ArgError[] {
  const different = 'thresholds and targetThresholds configured different resources';
  const names = Object.keys(thresholds);
  if (names.length !== Object.keys(targetThresholds).length) return [error(different, 'targetThresholds')];
  return names.flatMap(name => {
    const target = targetThresholds[name];
    if (target === undefined) return [error(different, 'targetThresholds')];
    const isAbove = thresholds[name]! > target && !useDeviationThresholds;
    const text = `thresholds' ${name} percentage is greater than targetThresholds'`;
    return isAbove ? [error(text, 'thresholds', name)] : [];
  });
}

function metrics({ metricsUtilization }: LowArgs): readonly ArgError[] {
  const { source, metricsServer, prometheus } = metricsUtilization ?? {};
  const at = 'metricsUtilization';
  if (source === 'KubernetesMetrics' && metricsServer) {
    return [error('it is not allowed to set both "KubernetesMetrics" source and metricsServer', at)];
  }
  if (source === 'KubernetesMetrics' && prometheus !== undefined) {
    return [error('prometheus configuration is not allowed to set when source is set to "KubernetesMetrics"', at)];
  }
  return source === 'Prometheus' && !prometheus?.query
    ? [error('prometheus query is required when metrics source is set to "Prometheus"', at)]
    : [];
}

const DEPRECATED = [
  'evictLocalStoragePods',
  'evictDaemonSetPods',
  'evictSystemCriticalPods',
  'ignorePvcPods',
  'evictFailedBarePods',
  'ignorePodsWithoutPDB',
] as const;

/** Upstream: ValidateDefaultEvictorArgs. */
const evictor: Check<EvictorArgs> = args => {
  const {
    priorityThreshold,
    noEvictionPolicy,
    podProtections: { extraEnabled = [], defaultDisabled = [] } = {},
  } = args;
  const old = DEPRECATED.filter(it => args[it] === true);
  const isNew = extraEnabled.length + defaultDisabled.length > 0;
  const invalid = (list: string, valid: readonly string[]) => (it: string) =>
    `invalid pod protection policy in ${list}: "${it}". Valid options are: [${valid.join(' ')}]`;
  const twice = (list: readonly string[]): boolean => new Set(list).size < list.length;
  return [
    ...(priorityThreshold?.value !== undefined && priorityThreshold.name
      ? [
          error(
            'priority threshold misconfigured, only one of priorityThreshold fields can be set',
            'priorityThreshold',
          ),
        ]
      : []),
    ...(noEvictionPolicy && !['Preferred', 'Mandatory'].includes(noEvictionPolicy)
      ? [error('noEvictionPolicy accepts only ["Preferred" "Mandatory"] values', 'noEvictionPolicy')]
      : []),
    ...(isNew
      ? old.map(it =>
          error(
            'cannot use Deprecated fields alongside PodProtections.ExtraEnabled or PodProtections.DefaultDisabled',
            it,
          ),
        )
      : []),
    ...others(
      ['podProtections', 'extraEnabled'],
      extraEnabled,
      EXTRA_PROTECTIONS,
      invalid('ExtraEnabled', EXTRA_PROTECTIONS),
    ),
    ...others(
      ['podProtections', 'defaultDisabled'],
      defaultDisabled,
      DEFAULT_PROTECTIONS,
      invalid('DefaultDisabled', DEFAULT_PROTECTIONS),
    ),
    ...(twice(defaultDisabled)
      ? [error('PodProtections.DefaultDisabled contains duplicate entries', 'podProtections', 'defaultDisabled')]
      : []),
    ...(twice(extraEnabled)
      ? [error('PodProtections.ExtraEnabled contains duplicate entries', 'podProtections', 'extraEnabled')]
      : []),
  ];
};

/** Upstream: podLifeTimeAllowedStates. */
const LIFE_TIME_STATES =
  'Completed ContainerCannotRun ContainerCreating CrashLoopBackOff CreateContainerConfigError CreateContainerError DeadlineExceeded ErrImagePull Error Evicted Failed ImagePullBackOff InvalidImageName NodeAffinity NodeLost OOMKilled Pending PodInitializing Running Shutdown StartError Succeeded UnexpectedAdmissionError Unknown'.split(
    ' ',
  );

const statesAmong =
  (allowed: readonly string[]): Check<{ readonly states?: readonly string[] }> =>
  ({ states }) =>
    others(['states'], states, allowed, () => `states must be one of [${allowed.join(' ')}]`);

interface LifeTimeArgs extends PodChoice {
  readonly maxPodLifeTimeSeconds?: number;
  readonly states?: readonly string[];
  readonly conditions?: readonly UnknownObject[];
  readonly exitCodes?: readonly number[];
  readonly ownerKinds?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
}

const lifeTime: Check<LifeTimeArgs> = args => {
  const { maxPodLifeTimeSeconds, states = [], conditions = [], exitCodes = [], ownerKinds } = args;
  const lists = [states, conditions, exitCodes];
  const hasFilter = maxPodLifeTimeSeconds !== undefined || lists.some(it => it.length > 0);
  const { include = [], exclude = [] } = ownerKinds ?? {};
  const none =
    'at least one filtering criterion must be specified (maxPodLifeTimeSeconds, states, conditions, or exitCodes)';
  const empty = 'at least one of type, status, reason, or minTimeSinceLastTransitionSeconds must be set';
  return [
    ...(include.length > 0 && exclude.length > 0
      ? [error('only one of Include/Exclude ownerKinds can be set', 'ownerKinds')]
      : []),
    ...conditions.flatMap((it, i) =>
      Object.values(it).every(value => value === '') ? [error(`conditions[${i}]: ${empty}`, 'conditions', i)] : [],
    ),
    ...(hasFilter ? [] : [error(none)]),
  ];
};

/** Upstream: each plugin's Validate…Args. */
export const ARG_CHECKS: Readonly<Record<string, readonly Check<never>[]>> = {
  DefaultEvictor: [evictor],
  HighNodeUtilization: [
    evictable,
    ({ thresholds }: LowArgs) => inRange('thresholds', thresholds),
    ({ evictionModes }: { readonly evictionModes?: readonly string[] }) =>
      others(['evictionModes'], evictionModes, ['OnlyThresholdingResources'], it => `invalid eviction mode ${it}`),
  ],
  LowNodeUtilization: [
    evictable,
    ({ thresholds }: LowArgs) => inRange('thresholds', thresholds),
    ({ targetThresholds }: LowArgs) => inRange('targetThresholds', targetThresholds),
    spans,
    metrics,
  ],
  PodLifeTime: [choice, statesAmong(LIFE_TIME_STATES), lifeTime],
  RemoveDuplicates: [choice],
  RemoveFailedPods: [choice],
  RemovePodsHavingTooManyRestarts: [
    choice,
    ({ podRestartThreshold = 0 }: { readonly podRestartThreshold?: number }) =>
      podRestartThreshold < 1 ? [error('invalid PodsHavingTooManyRestarts threshold', 'podRestartThreshold')] : [],
    statesAmong(['CrashLoopBackOff', 'Running']),
  ],
  RemovePodsViolatingInterPodAntiAffinity: [choice],
  RemovePodsViolatingNodeAffinity: [
    choice,
    ({ nodeAffinityType = [] }: { readonly nodeAffinityType?: readonly string[] }) =>
      nodeAffinityType.length === 0 ? [error('nodeAffinityType needs to be set', 'nodeAffinityType')] : [],
  ],
  RemovePodsViolatingNodeTaints: [
    choice,
    (it: { readonly includedTaints?: readonly string[]; readonly excludedTaints?: readonly string[] }) =>
      (it.includedTaints ?? []).length > 0 && (it.excludedTaints ?? []).length > 0
        ? [error('either includedTaints or excludedTaints can be set, but not both', 'includedTaints')]
        : [],
  ],
  RemovePodsViolatingTopologySpreadConstraint: [
    choice,
    ({ constraints }: { readonly constraints?: readonly string[] }) =>
      others(
        ['constraints'],
        constraints,
        ['DoNotSchedule', 'ScheduleAnyway'],
        it => `constraint ${it} is not one of [DoNotSchedule ScheduleAnyway]`,
      ),
  ],
};
