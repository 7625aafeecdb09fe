import type { UnknownObject } from '../../base/json';
import { ownOf } from '../../base/ownOf';
import {
  defaultPlugins,
  expandMultiPoint,
  mergePluginSet,
  type PluginEntry,
  schedulerPlugins,
} from '../../kube/scheduler/plugins';
import type { Extender } from '../framework/extender';
import type { PluginFactory, PluginInput, Profile, SchedulerGates, SchedulerPlugin } from '../framework/interface';
import { coscheduling } from '../plugins/coscheduling/plugin';
import { defaultPreemption } from '../plugins/defaultPreemption/plugin';
import { dynamicResources } from '../plugins/dynamicResources/plugin';
import { gangScheduling } from '../plugins/gangScheduling/plugin';
import { imageLocality } from '../plugins/imageLocality/plugin';
import { interPodAffinity } from '../plugins/interPodAffinity/plugin';
import { nodeAffinity } from '../plugins/nodeAffinity/plugin';
import { nodeDeclaredFeatures } from '../plugins/nodeDeclaredFeatures/plugin';
import { nodeName } from '../plugins/nodeName/plugin';
import { nodePorts } from '../plugins/nodePorts/plugin';
import { nodeResourcesBalancedAllocation } from '../plugins/nodeResourcesBalancedAllocation/plugin';
import { nodeResourcesFit } from '../plugins/nodeResourcesFit/plugin';
import { nodeUnschedulable } from '../plugins/nodeUnschedulable/plugin';
import { nodeVolumeLimits } from '../plugins/nodeVolumeLimits/plugin';
import { podTopologySpread } from '../plugins/podTopologySpread/plugin';
import { schedulingGates } from '../plugins/schedulingGates/plugin';
import { taintToleration } from '../plugins/taintToleration/plugin';
import { volumeBinding } from '../plugins/volumeBinding/plugin';
import { volumeRestrictions } from '../plugins/volumeRestrictions/plugin';
import { volumeZone } from '../plugins/volumeZone/plugin';
import { readConfiguration, type WrittenProfile } from './configuration';
import { scoreFailure, withoutPreFilter } from './missingStates';
import type { Percentages } from './notes';

/** The plugins that are implemented, by upstream's name; their order and weights are in `schedulerPlugins`. */
const FACTORIES: Readonly<Record<string, PluginFactory>> = {
  SchedulingGates: schedulingGates,
  NodeName: nodeName,
  NodeUnschedulable: nodeUnschedulable,
  TaintToleration: taintToleration,
  NodeAffinity: nodeAffinity,
  NodePorts: nodePorts,
  NodeResourcesFit: nodeResourcesFit,
  VolumeRestrictions: volumeRestrictions,
  NodeVolumeLimits: nodeVolumeLimits,
  VolumeBinding: volumeBinding,
  VolumeZone: volumeZone,
  PodTopologySpread: podTopologySpread,
  InterPodAffinity: interPodAffinity,
  DynamicResources: dynamicResources,
  DefaultPreemption: defaultPreemption,
  NodeResourcesBalancedAllocation: nodeResourcesBalancedAllocation,
  ImageLocality: imageLocality,
  NodeDeclaredFeatures: nodeDeclaredFeatures,
  GangScheduling: gangScheduling,
  Coscheduling: coscheduling,
};

/**
 * Plugins without a decision of their own here: `comparePriority` orders the queue, binding always succeeds, and
 * `gangs/` generates placements of groups itself.
 */
const NOT_DECIDING: ReadonlySet<string> = new Set([
  'PrioritySort',
  'DefaultBinder',
  'TopologyPlacementGenerator',
  'PodGroupPodsCount',
]);

const POINTS = [
  'preEnqueue',
  'preFilter',
  'filter',
  'postFilter',
  'preScore',
  'score',
  'reserve',
  'permit',
  'queueSort',
  'podGroupPostFilter',
] as const;
type Point = (typeof POINTS)[number];

export type Profiles = ReadonlyMap<string, Profile>;

export interface ConfiguredProfiles {
  readonly profiles: Profiles;
  readonly extenders: readonly Extender[];
  readonly percentages: Percentages;
}

/**
 * The profiles of a KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) or of a Policy; without one, upstream's
 * default profile. What it asks for and is not available is reported to `onNote`, a sentence each.
 */
export function readProfiles(
  configuration: UnknownObject | undefined,
  gates: SchedulerGates,
  onNote: (message: string) => void,
): ConfiguredProfiles {
  const { profiles, extenders } = readConfiguration(configuration, onNote);
  return {
    extenders,
    profiles: new Map(profiles.map(it => [it.schedulerName, profileOf(it, gates, onNote)])),
    percentages: new Map(profiles.map(it => [it.schedulerName, it.percentageOfNodesToScore])),
  };
}

function profileOf(written: WrittenProfile, gates: SchedulerGates, onNote: (message: string) => void): Profile {
  const facts: PluginFactsByName = new Map(schedulerPlugins(gates.minor).map(it => [it.name, it]));
  const enabled = enabledIn(written, gates);
  const { built, notBuilt } = instantiateAll(enabled.names, facts, written, gates, onNote);
  const hasPoint = (name: string, point: Point): boolean | undefined => facts.get(name)?.points.includes(point);
  // A score that an earlier minor lacks is left out; a PreFilter that was added later only saves work and stays.
  const at = (point: Point): readonly PluginEntry[] =>
    enabled.at(point, name => isAt(point, built.get(name)) && (point !== 'score' || hasPoint(name, 'score') !== false));
  const pluginsAt = (point: Point): readonly SchedulerPlugin[] => at(point).map(it => built.get(it.name)!);
  const named = (point: Point): ReadonlySet<string> =>
    new Set(enabled.at(point, name => hasPoint(name, point) !== false).map(it => it.name));
  const running = { preFilter: named('preFilter'), preScore: named('preScore') };
  const lacksPreFilter = ({ name }: SchedulerPlugin): boolean =>
    hasPoint(name, 'preFilter') === true && !running.preFilter.has(name);
  const scoring = at('score').map(it => ({ plugin: built.get(it.name)!, weight: it.weight || 1 }));
  const scorers = scoring.map(it => it.plugin);
  const failure = scoreFailure(
    scorers.map(it => it.name),
    (point, name) => running[point].has(name),
  );
  return {
    schedulerName: written.schedulerName,
    preEnqueue: pluginsAt('preEnqueue'),
    preFilter: pluginsAt('preFilter'),
    filter: pluginsAt('filter').map(it => (lacksPreFilter(it) ? withoutPreFilter(it) : it)),
    postFilter: pluginsAt('postFilter'),
    preScore: [...pluginsAt('preScore'), ...scorers.filter(it => it.preScore && !running.preScore.has(it.name))],
    score: scoring,
    ...(failure !== undefined && { scoreFailure: failure }),
    reserve: pluginsAt('reserve'),
    permit: pluginsAt('permit'),
    queueSort: pluginsAt('queueSort'),
    podGroupPostFilter: pluginsAt('podGroupPostFilter'),
    placementFeasible: [...built.values()].filter(it => it.placementFeasible),
    notBuilt,
  };
}

function isAt(point: Point, plugin: SchedulerPlugin | undefined): boolean {
  return (plugin?.[point] ?? (point === 'score' ? plugin?.scoreAll : undefined)) !== undefined;
}

type PluginFactsByName = ReadonlyMap<string, ReturnType<typeof schedulerPlugins>[number]>;

/** The plugins that a profile enables, by extension point. */
interface Enabled {
  readonly names: ReadonlySet<string>;
  /** In calling order; of the plugins of `multiPoint` only those that implement the point. */
  at(point: Point, has: (name: string) => boolean): readonly PluginEntry[];
}

function enabledIn(written: WrittenProfile, gates: SchedulerGates): Enabled {
  const multiPoint = firstOfEachName(
    mergePluginSet(defaultPlugins(gates.minor, gates.isOn), written.setOf('multiPoint')),
  );
  const setOf = (point: Point): ReturnType<WrittenProfile['setOf']> => {
    const set = written.setOf(point);
    return { ...set, enabled: firstOfEachName(set.enabled) };
  };
  return {
    names: new Set([...multiPoint, ...POINTS.flatMap(it => setOf(it).enabled)].map(it => it.name)),
    at: (point, has) => expandMultiPoint(multiPoint, setOf(point), has),
  };
}

function instantiateAll(
  names: ReadonlySet<string>,
  known: PluginFactsByName,
  written: WrittenProfile,
  gates: SchedulerGates,
  onNote: (message: string) => void,
): { readonly built: ReadonlyMap<string, SchedulerPlugin>; readonly notBuilt: readonly string[] } {
  const built = new Map<string, SchedulerPlugin>();
  const notBuilt: string[] = [];
  for (const name of names) {
    if (NOT_DECIDING.has(name)) continue;
    const facts = known.get(name);
    // A plugin whose gate is off is enabled and does nothing.
    if (facts?.gate !== undefined && !gates.isOn(facts.gate)) continue;
    const plugin = instantiate(name, { args: written.argsOf(name), gates }, onNote);
    if (plugin) built.set(name, plugin);
    else notBuilt.push(name);
    if (!plugin) onNote(missing(name, facts === undefined ? 'not known' : 'not simulated'));
  }
  return { built, notBuilt };
}

/** undefined for a plugin that is not implemented. Invalid args are ignored. */
function instantiate(name: string, input: PluginInput, onNote: (message: string) => void): SchedulerPlugin | undefined {
  const make = ownOf(FACTORIES, name);
  try {
    return make?.(input);
  } catch {
    onNote(`The args of the scheduler plugin ${name} cannot be read; its defaults hold.`);
    return make?.({ ...input, args: {} });
  }
}

const missing = (name: string, why: string): string =>
  `The scheduler plugin ${name} is ${why}; the result does not take it into account.`;

/** Of a plugin that is named twice, which upstream refuses, the first entry counts. */
function firstOfEachName(entries: readonly PluginEntry[]): readonly PluginEntry[] {
  return entries.filter((it, i) => entries.findIndex(other => other.name === it.name) === i);
}
