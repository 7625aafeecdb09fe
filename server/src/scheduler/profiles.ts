import type { JsonObject } from '../cluster/model';
import type { SchedulerPlugin } from './framework/plugin';
import type { PluginFactory, PluginInput, Profile, SchedulerGates } from './framework/profile';
import { defaultPreemption } from './plugins/defaultPreemption/plugin';
import { dynamicResources } from './plugins/dynamicResources/plugin';
import { gangScheduling } from './plugins/gangScheduling/plugin';
import { imageLocality } from './plugins/imageLocality/plugin';
import { interPodAffinity } from './plugins/interPodAffinity/plugin';
import { nodeAffinity } from './plugins/nodeAffinity/plugin';
import { nodeDeclaredFeatures } from './plugins/nodeDeclaredFeatures/plugin';
import { nodeName } from './plugins/nodeName/plugin';
import { nodePorts } from './plugins/nodePorts/plugin';
import { nodeResourcesBalancedAllocation } from './plugins/nodeResourcesBalancedAllocation/plugin';
import { nodeResourcesFit } from './plugins/nodeResourcesFit/plugin';
import { nodeUnschedulable } from './plugins/nodeUnschedulable/plugin';
import { nodeVolumeLimits } from './plugins/nodeVolumeLimits/plugin';
import { podTopologySpread } from './plugins/podTopologySpread/plugin';
import { schedulingGates } from './plugins/schedulingGates/plugin';
import { taintToleration } from './plugins/taintToleration/plugin';
import { volumeBinding } from './plugins/volumeBinding/plugin';
import { volumeRestrictions } from './plugins/volumeRestrictions/plugin';
import { volumeZone } from './plugins/volumeZone/plugin';

interface PluginEntry {
  readonly name: string;
  readonly weight?: number;
}

interface KnownPlugin extends PluginEntry {
  readonly make?: PluginFactory;
  /** Absent: in every cluster. */
  isThere?(gates: SchedulerGates): boolean;
}

/**
 * Upstream's default profile, in the order of its MultiPoint list. An entry without a factory is known but not built.
 * A new plugin is one line here.
 */
const DEFAULT_PLUGINS: readonly KnownPlugin[] = [
  { name: 'SchedulingGates', make: schedulingGates },
  { name: 'NodeName', make: nodeName },
  { name: 'NodeUnschedulable', make: nodeUnschedulable },
  { name: 'TaintToleration', weight: 3, make: taintToleration },
  { name: 'NodeAffinity', weight: 2, make: nodeAffinity },
  { name: 'NodePorts', make: nodePorts },
  { name: 'NodeResourcesFit', weight: 1, make: nodeResourcesFit },
  { name: 'VolumeRestrictions', make: volumeRestrictions },
  { name: 'NodeVolumeLimits', make: nodeVolumeLimits },
  { name: 'VolumeBinding', make: volumeBinding },
  { name: 'VolumeZone', make: volumeZone },
  { name: 'PodTopologySpread', weight: 2, make: podTopologySpread },
  { name: 'InterPodAffinity', weight: 2, make: interPodAffinity },
  { name: 'DynamicResources', weight: 2, make: dynamicResources },
  { name: 'DefaultPreemption', make: defaultPreemption },
  { name: 'NodeResourcesBalancedAllocation', weight: 1, make: nodeResourcesBalancedAllocation },
  { name: 'ImageLocality', weight: 1, make: imageLocality },
  { name: 'NodeDeclaredFeatures', make: nodeDeclaredFeatures },
  { name: 'GangScheduling', make: gangScheduling, isThere: it => it.genericWorkload },
];

/** Plugins that decide nothing here: the queue's order is `comparePriority`, and binding always succeeds. */
const WITHOUT_DECISIONS: ReadonlySet<string> = new Set(['PrioritySort', 'DefaultBinder']);

const POINTS = [
  'preEnqueue',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'podGroupPostFilter',
] as const;
type Point = (typeof POINTS)[number];

interface PluginSet {
  readonly enabled: readonly PluginEntry[];
  readonly disabled: ReadonlySet<string>;
}

export type Profiles = ReadonlyMap<string, Profile>;

/**
 * The profiles of a KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1), or upstream's default profile without
 * one. Sentences about what it asks for and is not there go to `onNote`.
 */
export function profilesOf(
  configuration: JsonObject | undefined,
  gates: SchedulerGates,
  onNote: (message: string) => void,
): Profiles {
  const written = objectsIn(configuration?.profiles);
  if (configuration && objectsIn(configuration.extenders).length > 0) {
    onNote('Scheduler extenders are not simulated; the result does not take them into account.');
  }
  const profiles = (written.length > 0 ? written : [{}]).map(it => profileOf(it, gates, onNote));
  return new Map(profiles.map(it => [it.schedulerName, it]));
}

function profileOf(written: JsonObject, gates: SchedulerGates, onNote: (message: string) => void): Profile {
  const plugins = objectIn(written.plugins);
  const multiPoint = mergeSets(DEFAULT_PLUGINS, readSet(plugins.multiPoint));
  const sets = new Map(POINTS.map((it): [Point, PluginSet] => [it, readSet(plugins[it])]));
  const args = new Map(objectsIn(written.pluginConfig).map(it => [String(it.name), objectIn(it.args)]));
  const names = new Set([...multiPoint, ...[...sets.values()].flatMap(it => it.enabled)].map(it => it.name));
  const built = new Map<string, SchedulerPlugin>();
  const notBuilt: string[] = [];
  for (const name of names) {
    if (WITHOUT_DECISIONS.has(name)) continue;
    const known = DEFAULT_PLUGINS.find(it => it.name === name);
    if (known?.isThere?.(gates) === false) continue;
    if (known?.make) built.set(name, known.make({ args: args.get(name) ?? {}, gates } satisfies PluginInput));
    else notBuilt.push(name);
    if (!known) onNote(`The scheduler plugin ${name} is not known; the result does not take it into account.`);
  }
  const at = (point: Point): readonly SchedulerPlugin[] =>
    expand(multiPoint, sets.get(point)!, built, point).map(it => built.get(it.name)!);
  return {
    schedulerName: typeof written.schedulerName === 'string' ? written.schedulerName : 'default-scheduler',
    preEnqueue: at('preEnqueue'),
    preFilter: at('preFilter'),
    filter: at('filter'),
    postFilter: at('postFilter'),
    preScore: at('preScore'),
    score: expand(multiPoint, sets.get('score')!, built, 'score').map(it => ({
      plugin: built.get(it.name)!,
      weight: it.weight || 1,
    })),
    reserve: at('reserve'),
    podGroupPostFilter: at('podGroupPostFilter'),
    placementFeasible: [...built.values()].filter(it => it.placementFeasible),
    notBuilt,
  };
}

/** Upstream: mergePluginSet. */
function mergeSets(defaults: readonly PluginEntry[], custom: PluginSet): readonly PluginEntry[] {
  const kept = custom.disabled.has('*') ? [] : defaults.filter(it => !custom.disabled.has(it.name));
  const merged = kept.map(it => custom.enabled.find(own => own.name === it.name) ?? it);
  return [...merged, ...custom.enabled.filter(own => !kept.some(it => it.name === own.name))];
}

/** Upstream: expandMultiPointPlugins. What a point names itself comes first when MultiPoint has it too, else last. */
function expand(
  multiPoint: readonly PluginEntry[],
  own: PluginSet,
  built: ReadonlyMap<string, SchedulerPlugin>,
  point: Point,
): readonly PluginEntry[] {
  const works = (it: PluginEntry): boolean => built.get(it.name)?.[point] !== undefined;
  const enabled = own.enabled.filter(works);
  if (own.disabled.has('*')) return enabled;
  const general = multiPoint.filter(it => works(it) && !own.disabled.has(it.name));
  const overridden = enabled.filter(it => general.some(other => other.name === it.name));
  const rest = general.filter(it => !enabled.some(other => other.name === it.name));
  return [...overridden, ...rest, ...enabled.filter(it => !overridden.includes(it))];
}

function readSet(value: unknown): PluginSet {
  const set = objectIn(value);
  return {
    enabled: objectsIn(set.enabled).map(it => ({
      name: String(it.name),
      ...(typeof it.weight === 'number' && { weight: it.weight }),
    })),
    disabled: new Set(objectsIn(set.disabled).map(it => String(it.name))),
  };
}

function objectIn(value: unknown): JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {};
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectIn) : [];
}
