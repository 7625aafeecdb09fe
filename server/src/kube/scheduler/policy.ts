import type { UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import { newestMinor } from '../load';
import { schedulerPlugins } from './plugins';

export interface TranslatedPolicy {
  /** A KubeSchedulerConfiguration that is equivalent to the policy, as far as today's plugins allow. */
  readonly configuration: UnknownObject;
  /** One sentence for each entry without an exact equivalent. */
  readonly notes: readonly string[];
}

/** Whether an object is a scheduler policy of Kubernetes 1.22 or earlier. */
export function isPolicy(object: UnknownObject): boolean {
  return object.apiVersion === 'v1' && object.kind === 'Policy';
}

interface Predicate {
  readonly plugins: readonly string[];
  readonly note?: string;
}

const CLOUD_LIMIT: Predicate = {
  plugins: ['NodeVolumeLimits'],
  note: 'counts volumes by the limits that CSINodes report; it has no limit of its own any more',
};

/** In the order in which they ran. Upstream: predicateOrdering and the producers of NewLegacyRegistry. */
const PREDICATES: Readonly<Record<string, Predicate>> = {
  CheckNodeUnschedulable: { plugins: ['NodeUnschedulable'] },
  GeneralPredicates: { plugins: ['NodeResourcesFit', 'NodeName', 'NodePorts', 'NodeAffinity'] },
  HostName: { plugins: ['NodeName'] },
  PodFitsHostPorts: { plugins: ['NodePorts'] },
  MatchNodeSelector: { plugins: ['NodeAffinity'] },
  PodFitsResources: { plugins: ['NodeResourcesFit'] },
  NoDiskConflict: { plugins: ['VolumeRestrictions'] },
  PodToleratesNodeTaints: { plugins: ['TaintToleration'] },
  CheckNodeLabelPresence: { plugins: [] },
  CheckServiceAffinity: { plugins: [] },
  MaxEBSVolumeCount: CLOUD_LIMIT,
  MaxGCEPDVolumeCount: CLOUD_LIMIT,
  MaxCSIVolumeCountPred: { plugins: ['NodeVolumeLimits'] },
  MaxAzureDiskVolumeCount: CLOUD_LIMIT,
  MaxCinderVolumeCount: CLOUD_LIMIT,
  CheckVolumeBinding: { plugins: ['VolumeBinding'] },
  NoVolumeZoneConflict: { plugins: ['VolumeZone'] },
  EvenPodsSpread: { plugins: ['PodTopologySpread'] },
  MatchInterPodAffinity: { plugins: ['InterPodAffinity'] },
};

const MANDATORY_PREDICATES = ['PodToleratesNodeTaints', 'CheckNodeUnschedulable'];
const DEFAULT_PREDICATES = Object.keys(PREDICATES).filter(
  it =>
    ![
      'HostName',
      'PodFitsHostPorts',
      'MatchNodeSelector',
      'PodFitsResources',
      'CheckNodeLabelPresence',
      'CheckServiceAffinity',
      'MaxCinderVolumeCount',
    ].includes(it),
);

interface Priority {
  readonly plugin?: string;
  readonly args?: UnknownObject;
  readonly note?: string;
}

const fitBy = (type: string): Priority => ({
  plugin: 'NodeResourcesFit',
  args: {
    scoringStrategy: {
      type,
      resources: [
        { name: 'cpu', weight: 1 },
        { name: 'memory', weight: 1 },
      ],
    },
  },
});

const NOT_ANY_MORE = 'has no equivalent any more; it is left out';

/** Upstream: the priority producers of NewLegacyRegistry. */
const PRIORITIES: Readonly<Record<string, Priority>> = {
  SelectorSpreadPriority: { plugin: 'PodTopologySpread', args: { defaultingType: 'System' } },
  TaintTolerationPriority: { plugin: 'TaintToleration' },
  NodeAffinityPriority: { plugin: 'NodeAffinity' },
  ImageLocalityPriority: { plugin: 'ImageLocality' },
  InterPodAffinityPriority: { plugin: 'InterPodAffinity' },
  NodePreferAvoidPodsPriority: { note: NOT_ANY_MORE },
  MostRequestedPriority: fitBy('MostAllocated'),
  BalancedResourceAllocation: { plugin: 'NodeResourcesBalancedAllocation' },
  LeastRequestedPriority: fitBy('LeastAllocated'),
  EvenPodsSpreadPriority: { plugin: 'PodTopologySpread', args: { defaultingType: 'List' } },
  EqualPriority: {},
};

const DEFAULT_PRIORITIES: readonly UnknownObject[] = [
  { name: 'SelectorSpreadPriority', weight: 1 },
  { name: 'InterPodAffinityPriority', weight: 1 },
  { name: 'LeastRequestedPriority', weight: 1 },
  { name: 'BalancedResourceAllocation', weight: 1 },
  { name: 'NodeAffinityPriority', weight: 1 },
  { name: 'TaintTolerationPriority', weight: 1 },
  { name: 'ImageLocalityPriority', weight: 1 },
  { name: 'EvenPodsSpreadPriority', weight: 2 },
];

/**
 * The policy as a KubeSchedulerConfiguration with one profile. Notes list entries that no plugin supports today, and
 * errors of upstream. Upstream: Configurator.createFromConfig and LegacyRegistry.
 */
export function translatePolicy(policy: UnknownObject): TranslatedPolicy {
  const notes: string[] = [];
  const filters = predicatesOf(policy, notes);
  const scores = prioritiesOf(policy, notes);
  const args = new Map<string, UnknownObject>(scores.flatMap(it => (it.args ? [[it.plugin, it.args] as const] : [])));
  if (filters.addedAffinity.length > 0) {
    const term = { matchExpressions: filters.addedAffinity };
    const needed = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } };
    args.set('NodeAffinity', { addedAffinity: needed });
  }
  const hardWeight = policy.hardPodAffinitySymmetricWeight;
  if (typeof hardWeight === 'number' && (hardWeight < 0 || hardWeight > 100)) {
    notes.push(
      `hardPodAffinitySymmetricWeight: Invalid value: ${hardWeight}: not in valid range [0-100]; it is left out.`,
    );
  } else if (typeof hardWeight === 'number' && hardWeight !== 0) {
    args.set('InterPodAffinity', { hardPodAffinityWeight: hardWeight });
  }
  if (policy.alwaysCheckAllPredicates === true) {
    notes.push(
      'alwaysCheckAllPredicates has no equivalent: a node is left at the first plugin that rejects it, so it tells one reason only.',
    );
  }
  const at = (point: string, names: readonly string[]): UnknownObject => ({
    enabled: names.filter(it => hasPoint(it, point)).map(name => ({ name })),
  });
  const scoring = scores.map(it => it.plugin);
  const plugins = {
    multiPoint: { disabled: [{ name: '*' }] },
    preEnqueue: { enabled: [{ name: 'SchedulingGates' }] },
    queueSort: { enabled: [{ name: 'PrioritySort' }] },
    preFilter: at('preFilter', filters.plugins),
    filter: at('filter', filters.plugins),
    postFilter: { enabled: [{ name: 'DefaultPreemption' }] },
    preScore: at('preScore', scoring),
    score: { enabled: scores.map(({ plugin, weight }) => ({ name: plugin, weight })) },
    reserve: at('reserve', filters.plugins),
    preBind: at('preBind', filters.plugins),
    bind: { enabled: [{ name: 'DefaultBinder' }] },
  };
  const extenders = fieldsIn(policy.extenders).map(extenderOf);
  return {
    configuration: {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      profiles: [
        {
          schedulerName: 'default-scheduler',
          plugins,
          ...(args.size > 0 && { pluginConfig: [...args].map(([name, it]) => ({ name, args: it })) }),
        },
      ],
      ...(extenders.length > 0 && { extenders }),
    },
    notes,
  };
}

function hasPoint(plugin: string, point: string): boolean {
  const points: readonly string[] = schedulerPlugins(newestMinor).find(it => it.name === plugin)?.points ?? [];
  return points.includes(point);
}

interface Filters {
  readonly plugins: readonly string[];
  /** The NodeAffinity args for the labels that nodes must or must not have. */
  readonly addedAffinity: readonly UnknownObject[];
}

function predicatesOf(policy: UnknownObject, notes: string[]): Filters {
  const written = Array.isArray(policy.predicates) ? fieldsIn(policy.predicates) : undefined;
  const wanted = new Set<string>(MANDATORY_PREDICATES);
  const addedAffinity: UnknownObject[] = [];
  for (const predicate of written ?? DEFAULT_PREDICATES.map((name): UnknownObject => ({ name }))) {
    const name = predicate.name === 'PodFitsPorts' ? 'PodFitsHostPorts' : printed(predicate.name);
    const argument = fieldsOf(predicate.argument);
    const presence = argument?.labelsPresence;
    if (Object.hasOwn(PREDICATES, name)) {
      wanted.add(name);
      if (name === 'CheckServiceAffinity') notes.push(`predicate ${name} ${NOT_ANY_MORE}.`);
      const note = PREDICATES[name]?.note;
      if (written && note !== undefined) notes.push(`predicate ${name}: NodeVolumeLimits ${note}.`);
      if (name !== 'CheckNodeLabelPresence') continue;
    }
    if (fieldsOf(argument?.serviceAffinity)) notes.push(`predicate ${name}: serviceAffinity ${NOT_ANY_MORE}.`);
    else if (fieldsOf(presence)) {
      addedAffinity.push(...presenceOf(fieldsOf(presence) ?? {}));
      wanted.add('MatchNodeSelector');
      notes.push(`predicate ${name}: labelsPresence is passed to NodeAffinity as addedAffinity, with other reasons.`);
    } else if (!Object.hasOwn(PREDICATES, name)) {
      notes.push(`predicate type not found for "${name}"; it is left out.`);
    }
  }
  const order = Object.keys(PREDICATES).filter(it => wanted.has(it));
  return { plugins: [...new Set(order.flatMap(it => PREDICATES[it]?.plugins ?? []))], addedAffinity };
}

function presenceOf(presence: UnknownObject): readonly UnknownObject[] {
  const operator = presence.presence === true ? 'Exists' : 'DoesNotExist';
  const labels: readonly unknown[] = Array.isArray(presence.labels) ? presence.labels : [];
  return labels.map(key => ({ key: printed(key), operator }));
}

interface Score {
  readonly plugin: string;
  readonly weight: number;
  readonly args?: UnknownObject;
}

/** If two entries lead to one plugin, the first by name keeps its weight, as in upstream's lists. */
function prioritiesOf(policy: UnknownObject, notes: string[]): readonly Score[] {
  const written = Array.isArray(policy.priorities) ? fieldsIn(policy.priorities) : DEFAULT_PRIORITIES;
  const scores = new Map<string, Score>();
  const byName = (a: UnknownObject, b: UnknownObject): number => (printed(a.name) < printed(b.name) ? -1 : 1);
  for (const priority of [...written].sort(byName)) {
    const name = priority.name === 'ServiceSpreadingPriority' ? 'SelectorSpreadPriority' : printed(priority.name);
    const weight = typeof priority.weight === 'number' ? priority.weight : 0;
    if (weight <= 0) {
      notes.push(`priority ${name} should have a positive weight applied to it or it has overflown; it is left out.`);
      continue;
    }
    const found = Object.hasOwn(PRIORITIES, name) ? PRIORITIES[name] : customPriority(name, priority);
    if (found?.note !== undefined) notes.push(`priority ${name}${found.note.startsWith(':') ? '' : ' '}${found.note}.`);
    if (found?.plugin === undefined) continue;
    const before = scores.get(found.plugin);
    if (before === undefined)
      scores.set(found.plugin, { plugin: found.plugin, weight, ...(found.args && { args: found.args }) });
    else if (found.plugin === 'PodTopologySpread') {
      // Both are one plugin today, whose system defaults spread over Services.
      scores.set(found.plugin, { ...before, args: { defaultingType: 'System' } });
    } else {
      notes.push(
        `priority ${name} has no place beside another one of ${found.plugin}, which scores once; it is left out.`,
      );
    }
  }
  return [...scores.values()];
}

function customPriority(name: string, priority: UnknownObject): Priority {
  const argument = fieldsOf(priority.argument);
  const ratio = fieldsOf(argument?.requestedToCapacityRatioArguments);
  if (ratio) {
    const { shape, resources } = ratio;
    const requestedToCapacityRatio = { shape };
    return {
      plugin: 'NodeResourcesFit',
      args: {
        scoringStrategy: {
          type: 'RequestedToCapacityRatio',
          resources: Array.isArray(resources) ? resources : [],
          requestedToCapacityRatio,
        },
      },
    };
  }
  if (fieldsOf(argument?.serviceAntiAffinity)) return { note: `: serviceAntiAffinity ${NOT_ANY_MORE}` };
  if (fieldsOf(argument?.labelPreference)) return { note: `: labelPreference ${NOT_ANY_MORE}` };
  return { note: `: priority type not found for "${name}"; it is left out` };
}

/** The field names and durations of the old API. */
function extenderOf({ enableHttps, httpTimeout, ...rest }: UnknownObject): UnknownObject {
  return {
    ...rest,
    ...(typeof enableHttps === 'boolean' && { enableHTTPS: enableHttps }),
    ...(typeof httpTimeout === 'number' && { httpTimeout: `${httpTimeout}ns` }),
    ...(typeof httpTimeout === 'string' && { httpTimeout }),
  };
}

function fieldsOf(value: unknown): UnknownObject | undefined {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as UnknownObject) : undefined;
}

function fieldsIn(value: unknown): readonly UnknownObject[] {
  return Array.isArray(value) ? value.map(it => fieldsOf(it) ?? {}) : [];
}
