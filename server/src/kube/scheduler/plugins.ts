/** The extension points of the scheduling framework, by the names of `plugins` in a profile. */
export const EXTENSION_POINTS = [
  'preEnqueue',
  'queueSort',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'permit',
  'preBind',
  'bind',
  'postBind',
  'placementGenerate',
  'placementScore',
  'podGroupPostFilter',
] as const;

export type ExtensionPoint = (typeof EXTENSION_POINTS)[number];

/** The Go interface behind each extension point, as upstream's errors name it. */
export const POINT_INTERFACES: Readonly<Record<ExtensionPoint, string>> = {
  preEnqueue: 'PreEnqueuePlugin',
  queueSort: 'QueueSortPlugin',
  preFilter: 'PreFilterPlugin',
  filter: 'FilterPlugin',
  postFilter: 'PostFilterPlugin',
  preScore: 'PreScorePlugin',
  score: 'ScorePlugin',
  reserve: 'ReservePlugin',
  permit: 'PermitPlugin',
  preBind: 'PreBindPlugin',
  bind: 'BindPlugin',
  postBind: 'PostBindPlugin',
  placementGenerate: 'PlacementGeneratePlugin',
  placementScore: 'PlacementScorePlugin',
  podGroupPostFilter: 'PodGroupPostFilterPlugin',
};

export interface SchedulerPluginFacts {
  readonly name: string;
  readonly points: readonly ExtensionPoint[];
  /** In the default profile. */
  readonly weight?: number;
  /** The gate without which it is not in the default profile. */
  readonly gate?: string;
  /** The first minor that has it; absent: all that Berth knows. */
  readonly since?: string;
}

/**
 * Every in-tree plugin, in the order of the default profile's MultiPoint list with all its gates on. Upstream:
 * NewInTreeRegistry, getDefaultPlugins and applyFeatureGates.
 */
export const SCHEDULER_PLUGINS: readonly SchedulerPluginFacts[] = [
  { name: 'SchedulingGates', points: ['preEnqueue'] },
  { name: 'PrioritySort', points: ['queueSort'] },
  { name: 'NodeName', points: ['preFilter', 'filter'] },
  { name: 'NodeUnschedulable', points: ['preFilter', 'filter'] },
  { name: 'TaintToleration', points: ['preFilter', 'filter', 'preScore', 'score'], weight: 3 },
  { name: 'NodeAffinity', points: ['preFilter', 'filter', 'preScore', 'score'], weight: 2 },
  { name: 'NodePorts', points: ['preFilter', 'filter'] },
  {
    name: 'DeferredPodScheduling',
    points: ['preFilter', 'filter', 'permit'],
    gate: 'InPlacePodVerticalScalingSchedulerPreemption',
    since: '1.37',
  },
  { name: 'NodeResourcesFit', points: ['preFilter', 'filter', 'preScore', 'score', 'placementScore'], weight: 1 },
  { name: 'VolumeRestrictions', points: ['preFilter', 'filter'] },
  { name: 'NodeVolumeLimits', points: ['preFilter', 'filter'] },
  { name: 'VolumeBinding', points: ['preFilter', 'filter', 'preScore', 'score', 'reserve', 'preBind'] },
  { name: 'VolumeZone', points: ['preFilter', 'filter'] },
  { name: 'PodTopologySpread', points: ['preFilter', 'filter', 'preScore', 'score'], weight: 2 },
  { name: 'InterPodAffinity', points: ['preFilter', 'filter', 'preScore', 'score'], weight: 2 },
  {
    name: 'DynamicResources',
    points: ['preEnqueue', 'preFilter', 'filter', 'postFilter', 'score', 'reserve', 'preBind', 'podGroupPostFilter'],
    weight: 2,
    gate: 'DynamicResourceAllocation',
  },
  { name: 'DefaultPreemption', points: ['preEnqueue', 'postFilter', 'podGroupPostFilter'] },
  { name: 'NodeResourcesBalancedAllocation', points: ['preScore', 'score'], weight: 1 },
  { name: 'ImageLocality', points: ['score'], weight: 1 },
  { name: 'DefaultBinder', points: ['bind'] },
  { name: 'NodeDeclaredFeatures', points: ['preFilter', 'filter'], gate: 'NodeDeclaredFeatures', since: '1.35' },
  { name: 'GangScheduling', points: ['preEnqueue', 'permit'], gate: 'GenericWorkload', since: '1.35' },
  {
    name: 'TopologyPlacementGenerator',
    points: ['placementGenerate'],
    gate: 'TopologyAwareWorkloadScheduling',
    since: '1.36',
  },
  {
    name: 'PodGroupPodsCount',
    points: ['placementScore'],
    weight: 1,
    gate: 'TopologyAwareWorkloadScheduling',
    since: '1.36',
  },
];

/** Plugins that old configurations name, refused by name. Upstream: invalidPluginsByVersion. */
export const INVALID_PLUGINS: readonly string[] = ['AzureDiskLimits', 'CinderLimits', 'EBSLimits', 'GCEPDLimits'];

export interface PluginEntry {
  readonly name: string;
  readonly weight?: number;
}

/** Upstream: getDefaultPlugins. */
export function defaultPlugins(isOn: (gate: string) => boolean): readonly PluginEntry[] {
  return SCHEDULER_PLUGINS.filter(it => it.gate === undefined || isOn(it.gate)).map(({ name, weight }) => ({
    name,
    ...(weight !== undefined && { weight }),
  }));
}

export interface PluginSet {
  readonly enabled: readonly PluginEntry[];
  readonly disabled: ReadonlySet<string>;
}

/** Upstream: mergePluginSet. Of an entry that is named twice the last one replaces the default, the first stays behind. */
export function mergePluginSet(defaults: readonly PluginEntry[], custom: PluginSet): readonly PluginEntry[] {
  const last = new Map(custom.enabled.map((it, i) => [it.name, i]));
  const kept = custom.disabled.has('*') ? [] : defaults.filter(it => !custom.disabled.has(it.name));
  const replacing = new Set(kept.flatMap(it => last.get(it.name) ?? []));
  return [
    ...kept.map(it => custom.enabled[last.get(it.name) ?? -1] ?? it),
    ...custom.enabled.filter((_, i) => !replacing.has(i)),
  ];
}

/**
 * The plugins of one extension point, in the order they are asked. `works` says which plugins of MultiPoint have the
 * point. Upstream: expandMultiPointPlugins. What the point names itself comes first when MultiPoint has it too, else last.
 */
export function expandMultiPoint(
  multiPoint: readonly PluginEntry[],
  own: PluginSet,
  works: (name: string) => boolean,
): readonly PluginEntry[] {
  const enabled = own.enabled.filter(it => works(it.name));
  if (own.disabled.has('*')) return enabled;
  const general = multiPoint.filter(it => works(it.name) && !own.disabled.has(it.name));
  const isOverridden = (it: PluginEntry): boolean => general.some(other => other.name === it.name);
  const rest = general.filter(it => !enabled.some(other => other.name === it.name));
  return [...enabled.filter(isOverridden), ...rest, ...enabled.filter(it => !isOverridden(it))];
}
