import { type DeschedulerExtensionPoint, EXTENSION_POINTS } from './policy';

/** The type of an args field: the name of a plain type, a list of one type, a map, or nested fields. */
export type ArgShape =
  | 'bool'
  | 'number'
  | 'string'
  | 'any'
  | readonly [ArgShape]
  | { readonly mapOf: ArgShape }
  | { readonly fields: ArgFields };
export type ArgFields = Readonly<Record<string, ArgShape>>;

const of = (fields: ArgFields): ArgShape => ({ fields });
const TEXTS: ArgShape = ['string'];
const SELECTOR = of({
  matchLabels: { mapOf: 'string' },
  matchExpressions: [of({ key: 'string', operator: 'string', values: TEXTS })],
});
const NAMESPACES = of({ include: TEXTS, exclude: TEXTS });
const CHOICE: ArgFields = { namespaces: NAMESPACES, labelSelector: SELECTOR };
const PERCENTAGES: ArgShape = { mapOf: 'number' };

const PLUGIN_SET = of({ enabled: TEXTS, disabled: TEXTS });

/** The fields of a policy without the args. Upstream: api/v1alpha2.DeschedulerPolicy. */
export const POLICY_FIELDS: ArgFields = {
  apiVersion: 'string',
  kind: 'string',
  profiles: [
    of({
      name: 'string',
      pluginConfig: [of({ name: 'string', args: 'any' })],
      plugins: of(Object.fromEntries(EXTENSION_POINTS.map(it => [it, PLUGIN_SET]))),
    }),
  ],
  nodeSelector: 'string',
  maxNoOfPodsToEvictPerNode: 'number',
  maxNoOfPodsToEvictPerNamespace: 'number',
  maxNoOfPodsToEvictTotal: 'number',
  evictionFailureEventNotification: 'bool',
  metricsCollector: of({ enabled: 'bool' }),
  metricsProviders: [
    of({
      source: 'string',
      prometheus: of({
        url: 'string',
        authToken: of({ secretReference: of({ namespace: 'string', name: 'string' }) }),
      }),
    }),
  ],
  gracePeriodSeconds: 'number',
};

export interface PluginFacts {
  readonly points: readonly DeschedulerExtensionPoint[];
  readonly args: ArgFields;
}

const deschedules = (args: ArgFields): PluginFacts => ({ points: ['deschedule'], args });
const balances = (args: ArgFields): PluginFacts => ({ points: ['balance'], args });

/**
 * The plugins that are compiled into the descheduler, and their args. Upstream: RegisterDefaultPlugins, each types.go.
 */
export const PLUGIN_FACTS: Readonly<Record<string, PluginFacts>> = {
  DefaultEvictor: {
    points: ['filter', 'preevictionfilter'],
    args: {
      nodeSelector: 'string',
      labelSelector: SELECTOR,
      namespaceLabelSelector: SELECTOR,
      priorityThreshold: of({ value: 'number', name: 'string' }),
      nodeFit: 'bool',
      minReplicas: 'number',
      minPodAge: 'string',
      noEvictionPolicy: 'string',
      podProtections: of({
        extraEnabled: TEXTS,
        defaultDisabled: TEXTS,
        config: of({ PodsWithPVC: of({ protectedStorageClasses: [of({ name: 'string' })] }) }),
      }),
      evictLocalStoragePods: 'bool',
      evictDaemonSetPods: 'bool',
      evictSystemCriticalPods: 'bool',
      ignorePvcPods: 'bool',
      ignorePodsWithoutPDB: 'bool',
      evictFailedBarePods: 'bool',
    },
  },
  HighNodeUtilization: balances({
    thresholds: PERCENTAGES,
    numberOfNodes: 'number',
    evictionModes: TEXTS,
    evictableNamespaces: NAMESPACES,
  }),
  LowNodeUtilization: balances({
    useDeviationThresholds: 'bool',
    thresholds: PERCENTAGES,
    targetThresholds: PERCENTAGES,
    numberOfNodes: 'number',
    metricsUtilization: of({ metricsServer: 'bool', source: 'string', prometheus: of({ query: 'string' }) }),
    evictableNamespaces: NAMESPACES,
    evictionLimits: of({ node: 'number' }),
  }),
  PodLifeTime: deschedules({
    ...CHOICE,
    ownerKinds: of({ include: TEXTS, exclude: TEXTS }),
    maxPodLifeTimeSeconds: 'number',
    states: TEXTS,
    conditions: [
      of({ type: 'string', status: 'string', reason: 'string', minTimeSinceLastTransitionSeconds: 'number' }),
    ],
    exitCodes: ['number'],
    includingInitContainers: 'bool',
    includingEphemeralContainers: 'bool',
  }),
  RemoveDuplicates: balances({ namespaces: NAMESPACES, excludeOwnerKinds: TEXTS }),
  RemoveFailedPods: deschedules({
    ...CHOICE,
    excludeOwnerKinds: TEXTS,
    minPodLifetimeSeconds: 'number',
    reasons: TEXTS,
    exitCodes: ['number'],
    includingInitContainers: 'bool',
  }),
  RemovePodsHavingTooManyRestarts: deschedules({
    ...CHOICE,
    podRestartThreshold: 'number',
    includingInitContainers: 'bool',
    states: TEXTS,
  }),
  RemovePodsViolatingInterPodAntiAffinity: deschedules(CHOICE),
  RemovePodsViolatingNodeAffinity: deschedules({ ...CHOICE, nodeAffinityType: TEXTS }),
  RemovePodsViolatingNodeTaints: deschedules({
    ...CHOICE,
    includePreferNoSchedule: 'bool',
    excludedTaints: TEXTS,
    includedTaints: TEXTS,
  }),
  RemovePodsViolatingTopologySpreadConstraint: balances({
    ...CHOICE,
    constraints: TEXTS,
    topologyBalanceNodeFit: 'bool',
  }),
};
