/** The extension points of the scheduling framework, by their names in the `plugins` of a profile. */
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

/** The Go interface of each extension point, as in upstream's errors. */
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
  /** The gate that it needs to be in the default profile. */
  readonly gate?: string;
}

interface PluginHistory extends SchedulerPluginFacts {
  /** The first minor that has it; absent: every minor that Berth supports. */
  readonly since?: string;
  /** The first minor for extension points that were added later than the plugin. */
  readonly later?: Partial<Readonly<Record<ExtensionPoint, string>>>;
  /** The gate in earlier minors, and the first minor without it. */
  readonly gateBefore?: readonly [minor: string, gate: string];
}

/**
 * Every in-tree plugin of the newest minor, in the order of the default profile's MultiPoint list with all gates on.
 */
const PLUGINS: readonly PluginHistory[] = [
  { name: 'SchedulingGates', points: ['preEnqueue'] },
  { name: 'PrioritySort', points: ['queueSort'] },
  { name: 'NodeName', points: ['preFilter', 'filter'], later: { preFilter: '1.37' } },
  { name: 'NodeUnschedulable', points: ['preFilter', 'filter'], later: { preFilter: '1.37' } },
  {
    name: 'TaintToleration',
    points: ['preFilter', 'filter', 'preScore', 'score'],
    weight: 3,
    later: { preFilter: '1.37' },
  },
  { name: 'NodeAffinity', points: ['preFilter', 'filter', 'preScore', 'score'], weight: 2 },
  { name: 'NodePorts', points: ['preFilter', 'filter'] },
  {
    name: 'DeferredPodScheduling',
    points: ['preFilter', 'filter', 'permit'],
    gate: 'InPlacePodVerticalScalingSchedulerPreemption',
    since: '1.37',
  },
  {
    name: 'NodeResourcesFit',
    points: ['preFilter', 'filter', 'preScore', 'score', 'placementScore'],
    weight: 1,
    later: { placementScore: '1.36' },
  },
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
    later: { score: '1.35', podGroupPostFilter: '1.37' },
  },
  {
    name: 'DefaultPreemption',
    points: ['preEnqueue', 'postFilter', 'podGroupPostFilter'],
    later: { preEnqueue: '1.32', podGroupPostFilter: '1.36' },
  },
  { name: 'NodeResourcesBalancedAllocation', points: ['preScore', 'score'], weight: 1 },
  { name: 'ImageLocality', points: ['score'], weight: 1 },
  { name: 'DefaultBinder', points: ['bind'] },
  { name: 'NodeDeclaredFeatures', points: ['preFilter', 'filter'], gate: 'NodeDeclaredFeatures', since: '1.35' },
  {
    name: 'GangScheduling',
    points: ['preEnqueue', 'permit'],
    gate: 'GenericWorkload',
    gateBefore: ['1.37', 'GangScheduling'],
    since: '1.35',
  },
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

/**
 * The in-tree plugins of a minor, in the order of the default profile's MultiPoint list with all gates on. Upstream:
 * NewInTreeRegistry, getDefaultPlugins and applyFeatureGates.
 */
export function schedulerPlugins(minor: string): readonly SchedulerPluginFacts[] {
  const has = (first: string): boolean => Number(minor.split('.')[1]) >= Number(first.split('.')[1]);
  const all = PLUGINS.filter(it => it.since === undefined || has(it.since)).map(
    ({ since: _, later = {}, gateBefore, gate, ...it }): SchedulerPluginFacts => {
      const own = gateBefore && !has(gateBefore[0]) ? gateBefore[1] : gate;
      const points = it.points.filter(point => has(later[point] ?? minor));
      return { ...it, points, ...(own !== undefined && { gate: own }) };
    },
  );
  if (has('1.37')) return all;
  // NodeUnschedulable was before NodeName.
  const place = (it: SchedulerPluginFacts): number =>
    it.name === 'NodeUnschedulable' ? indexOf(all, 'NodeName') - 0.5 : indexOf(all, it.name);
  return [...all].sort((a, b) => place(a) - place(b));
}

const indexOf = (all: readonly SchedulerPluginFacts[], name: string): number => all.findIndex(it => it.name === name);

/** Plugins of old configurations that are refused by name. Upstream: invalidPluginsByVersion. */
export const INVALID_PLUGINS: readonly string[] = ['AzureDiskLimits', 'CinderLimits', 'EBSLimits', 'GCEPDLimits'];

export interface PluginEntry {
  readonly name: string;
  readonly weight?: number;
}

/** Upstream: getDefaultPlugins. */
export function defaultPlugins(minor: string, isOn: (gate: string) => boolean): readonly PluginEntry[] {
  return schedulerPlugins(minor)
    .filter(it => it.gate === undefined || isOn(it.gate))
    .map(({ name, weight }) => ({
      name,
      ...(weight !== undefined && { weight }),
    }));
}

export interface PluginSet {
  readonly enabled: readonly PluginEntry[];
  readonly disabled: ReadonlySet<string>;
}

/**
 * If an entry is given twice, the last one replaces the default, and the first is appended. Upstream: mergePluginSet.
 */
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
 * The plugins of one extension point, in the order in which they run. `works` tells which plugins of MultiPoint
 * implement it. Plugins that the extension point lists itself come first if MultiPoint lists them, too, else last.
 * Upstream: expandMultiPointPlugins.
 */
export function expandMultiPoint(
  multiPoint: readonly PluginEntry[],
  own: PluginSet,
  works: (name: string) => boolean,
): readonly PluginEntry[] {
  const enabled = own.enabled.filter(it => works(it.name));
  if (own.disabled.has('*')) return enabled;
  const general = multiPoint.filter(it => works(it.name) && !own.disabled.has(it.name));
  const generalNames = new Set(general.map(it => it.name));
  const enabledNames = new Set(enabled.map(it => it.name));
  const isOverridden = (it: PluginEntry): boolean => generalNames.has(it.name);
  const rest = general.filter(it => !enabledNames.has(it.name));
  return [...enabled.filter(isOverridden), ...rest, ...enabled.filter(it => !isOverridden(it))];
}
