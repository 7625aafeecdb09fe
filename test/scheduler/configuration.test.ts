import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { schedulerPlugins } from '../../server/src/kube/scheduler/plugins';
import { translatePolicy } from '../../server/src/kube/scheduler/policy';
import { readProfiles } from '../../server/src/scheduler/configuration/profiles';
import { runScenario } from '../../server/src/scheduler/scenario';
import { isGateOn, objectsIn } from './support';

const gatesWith = (...on: readonly string[]) => {
  const isOn = (name: string): boolean => on.includes(name) || isGateOn(name);
  return {
    minor: '1.37',
    isOn,
    taintTolerationComparisonOperators: isOn('TaintTolerationComparisonOperators'),
    storageCapacityScoring: isOn('StorageCapacityScoring'),
    volumeLimitScaling: isOn('VolumeLimitScaling'),
    volumeBindMountOptions: isOn('VolumeBindMountOptions'),
    genericWorkload: isOn('GenericWorkload'),
    podGroupPreemptionPolicy: isOn('PodGroupPreemptionPolicy'),
  };
};

const notes: string[] = [];
const read = (profiles: string, ...gates: readonly string[]) => {
  notes.length = 0;
  const [configuration] = objectsIn(
    `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n${profiles}`,
  );
  return readProfiles(configuration, gatesWith(...gates), it => notes.push(it)).profiles;
};
const scores = (profiles: string): string =>
  (read(profiles).get('default-scheduler')?.score ?? []).map(it => `${it.plugin.name}=${it.weight}`).join(' ');
const filters = (profiles: string, ...gates: readonly string[]): string =>
  (read(profiles, ...gates).get('default-scheduler')?.filter ?? []).map(it => it.name).join(' ');

describe('profiles', () => {
  it.each([
    [
      'nothing written',
      '- {}',
      'TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 InterPodAffinity=2 DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1',
    ],
    [
      'a point’s own entries come first, with their weights or 1',
      '- plugins: { score: { enabled: [{ name: ImageLocality, weight: 7 }, { name: NodeAffinity }] } }',
      'ImageLocality=7 NodeAffinity=1 TaintToleration=3 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 InterPodAffinity=2 DynamicResources=2 NodeResourcesBalancedAllocation=1',
    ],
    [
      'MultiPoint replaces a weight in its place',
      '- plugins: { multiPoint: { enabled: [{ name: NodeAffinity, weight: 9 }], disabled: [{ name: TaintToleration }, { name: DynamicResources }] } }',
      'NodeAffinity=9 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 InterPodAffinity=2 NodeResourcesBalancedAllocation=1 ImageLocality=1',
    ],
    [
      'everything off but what is named; what only the point has comes last',
      '- plugins: { multiPoint: { disabled: [{ name: "*" }], enabled: [{ name: NodeResourcesFit, weight: 4 }] }, score: { enabled: [{ name: ImageLocality, weight: 2 }] } }',
      'NodeResourcesFit=4 ImageLocality=2',
    ],
    [
      'a point switched off as a whole keeps its own',
      '- plugins: { score: { disabled: [{ name: "*" }], enabled: [{ name: ImageLocality, weight: 2 }] } }',
      'ImageLocality=2',
    ],
  ])('%s', (_, profiles, expected) => expect(scores(profiles)).toBe(expected));

  it('enables the plugins of enabled gates', () => {
    const held = (...gates: readonly string[]) =>
      read('- {}', ...gates)
        .get('default-scheduler')
        ?.preEnqueue.map(it => it.name);
    expect(held()).not.toContain('GangScheduling');
    expect(held('GenericWorkload')).toContain('GangScheduling');
    expect(filters('- {}', 'InPlacePodVerticalScalingSchedulerPreemption')).not.toContain('DeferredPodScheduling');
    expect(notes).toEqual([
      'The scheduler plugin DeferredPodScheduling is not simulated; the result does not take it into account.',
    ]);
  });

  it.each([
    ['1.31', false, 'SchedulingGates PrioritySort NodeUnschedulable NodeName'],
    ['1.36', true, 'SchedulingGates PrioritySort NodeUnschedulable NodeName'],
    ['1.37', true, 'SchedulingGates PrioritySort NodeName NodeUnschedulable'],
  ])('is that of %s', (minor, hasTopology, first) => {
    const all = schedulerPlugins(minor);
    const pointsOf = (name: string) => all.find(it => it.name === name)?.points ?? [];
    expect(
      all
        .slice(0, 4)
        .map(it => it.name)
        .join(' '),
    ).toBe(first);
    expect(pointsOf('PodGroupPodsCount').length > 0).toBe(hasTopology);
    expect(pointsOf('DynamicResources').includes('score')).toBe(minor !== '1.31');
    expect(all.find(it => it.name === 'GangScheduling')?.gate).toBe(
      { '1.31': undefined, '1.36': 'GangScheduling', '1.37': 'GenericWorkload' }[minor],
    );
  });

  it('uses the first of two profiles with one name, and none without a name', () => {
    const found = read(
      '- schedulerName: a\n  plugins: { filter: { disabled: [{ name: "*" }] } }\n- schedulerName: a\n- {}',
    );
    expect([...found.keys()]).toEqual(['a']);
    expect(found.get('a')?.filter).toEqual([]);
  });

  it('never throws for an invalid configuration', () => {
    for (const it of ['- 1', '- plugins: 3', '- plugins: { score: { enabled: [1, null] } }', '- pluginConfig: [4]']) {
      expect(() => read(it)).not.toThrow();
    }
    const args = '- pluginConfig: [{ name: NodeResourcesFit, args: { scoringStrategy: 3, ignoredResources: 4 } }]';
    expect(scores(args)).toContain('NodeResourcesFit=1');
  });
});

const policy = (text: string) =>
  translatePolicy(objectsIn(`apiVersion: v1\nkind: Policy\n${text}`)[0] as UnknownObject);
const profileOf = (text: string) =>
  (policy(text).configuration.profiles as readonly UnknownObject[])[0] as UnknownObject;
const namesAt = (text: string, point: string): string => {
  const set = (profileOf(text).plugins as Record<string, { enabled: readonly UnknownObject[] }>)[point];
  return (set?.enabled ?? []).map(it => (it.weight === undefined ? it.name : `${it.name}=${it.weight}`)).join(' ');
};

describe('a policy becomes a profile', () => {
  it.each([
    [
      'predicates run in upstream’s order, the mandatory ones with them',
      'predicates: [{ name: PodFitsPorts }, { name: PodFitsResources }, { name: HostName }]',
      'filter',
      'NodeUnschedulable NodeName NodePorts NodeResourcesFit TaintToleration',
    ],
    ['no predicates at all: only the mandatory ones', 'predicates: []', 'filter', 'NodeUnschedulable TaintToleration'],
    [
      'predicates left out: upstream’s default',
      'priorities: []',
      'filter',
      'NodeUnschedulable NodeResourcesFit NodeName NodePorts NodeAffinity VolumeRestrictions TaintToleration NodeVolumeLimits VolumeBinding VolumeZone PodTopologySpread InterPodAffinity',
    ],
    [
      'priorities by name, with their weights',
      'priorities: [{ name: MostRequestedPriority, weight: 5 }, { name: ImageLocalityPriority, weight: 2 }, { name: EqualPriority, weight: 1 }]',
      'score',
      'ImageLocality=2 NodeResourcesFit=5',
    ],
    [
      'priorities left out: upstream’s default',
      'predicates: []',
      'score',
      'NodeResourcesBalancedAllocation=1 PodTopologySpread=2 ImageLocality=1 InterPodAffinity=1 NodeResourcesFit=1 NodeAffinity=1 TaintToleration=1',
    ],
  ])('%s', (_, text, point, expected) => expect(namesAt(text, point)).toBe(expected));

  it('converts arguments', () => {
    const text = `
predicates:
- { name: OnlyRetail, argument: { labelsPresence: { labels: [retail], presence: true } } }
priorities:
- name: Packed
  weight: 3
  argument:
    requestedToCapacityRatioArguments:
      shape: [{ utilization: 0, score: 0 }, { utilization: 100, score: 10 }]
      resources: [{ name: example.com/gpu, weight: 3 }]
hardPodAffinitySymmetricWeight: 10
extenders:
- { urlPrefix: "http://gpu", filterVerb: filter, enableHttps: true, httpTimeout: 5000000000 }`;
    expect(profileOf(text).pluginConfig).toEqual([
      {
        name: 'NodeResourcesFit',
        args: {
          scoringStrategy: {
            type: 'RequestedToCapacityRatio',
            resources: [{ name: 'example.com/gpu', weight: 3 }],
            requestedToCapacityRatio: {
              shape: [
                { utilization: 0, score: 0 },
                { utilization: 100, score: 10 },
              ],
            },
          },
        },
      },
      {
        name: 'NodeAffinity',
        args: {
          addedAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'retail', operator: 'Exists' }] }],
            },
          },
        },
      },
      { name: 'InterPodAffinity', args: { hardPodAffinityWeight: 10 } },
    ]);
    expect(policy(text).configuration.extenders).toEqual([
      { urlPrefix: 'http://gpu', filterVerb: 'filter', enableHTTPS: true, httpTimeout: '5000000000ns' },
    ]);
  });

  it('notes each entry without an equivalent', () => {
    const text = `
predicates:
- { name: MaxEBSVolumeCount }
- { name: Near, argument: { serviceAffinity: { labels: [zone] } } }
- { name: OnMars }
priorities:
- { name: NodePreferAvoidPodsPriority, weight: 10000 }
- { name: LeastRequestedPriority, weight: 1 }
- { name: MostRequestedPriority, weight: 1 }
- { name: ImageLocalityPriority, weight: 0 }
- { name: Zones, weight: 1, argument: { serviceAntiAffinity: { label: zone } } }
- { name: Labels, weight: 1, argument: { labelPreference: { label: ssd, presence: true } } }
- { name: Luck, weight: 1 }
hardPodAffinitySymmetricWeight: 101
alwaysCheckAllPredicates: true`;
    expect(policy(text).notes).toEqual([
      'predicate MaxEBSVolumeCount: NodeVolumeLimits counts volumes by the limits that CSINodes report; it has no limit of its own any more.',
      'predicate Near: serviceAffinity has no equivalent any more; it is left out.',
      'predicate type not found for "OnMars"; it is left out.',
      'priority ImageLocalityPriority should have a positive weight applied to it or it has overflown; it is left out.',
      'priority Labels: labelPreference has no equivalent any more; it is left out.',
      'priority Luck: priority type not found for "Luck"; it is left out.',
      'priority MostRequestedPriority has no place beside another one of NodeResourcesFit, which scores once; it is left out.',
      'priority NodePreferAvoidPodsPriority has no equivalent any more; it is left out.',
      'priority Zones: serviceAntiAffinity has no equivalent any more; it is left out.',
      'hardPodAffinitySymmetricWeight: Invalid value: 101: not in valid range [0-100]; it is left out.',
      'alwaysCheckAllPredicates has no equivalent: a node is left at the first plugin that rejects it, so it tells one reason only.',
    ]);
  });
});

const node = (name: string): string => `
apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }
status: { allocatable: { cpu: "4", memory: 8Gi, pods: "10", example.com/gpu: "1" } }
---`;
const pod = (name: string, requests: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: default }
spec: { containers: [{ name: app, image: app, resources: { requests: { cpu: "1"${requests} }, limits: { cpu: "1"${requests} } } }] }
---`;
const run = (...documents: readonly string[]) =>
  runScenario(objectsIn(documents.join('\n').replace(/---\s*$/, '')), { kubernetesVersion: '1.37', isGateOn });

describe('a run', () => {
  it('reads a policy, with a note', () => {
    const busy = pod('busy', '').replace('spec: {', 'spec: { nodeName: a,');
    const packed = `apiVersion: v1\nkind: Policy\npriorities: [{ name: MostRequestedPriority, weight: 1 }]\n---`;
    const result = run(node('a'), node('b'), busy, packed, pod('new', ''));
    expect(result.placements).toEqual({ 'default/new': 'a' });
    expect(run(node('a'), node('b'), busy, pod('new', '')).placements).toEqual({ 'default/new': 'b' });
  });

  it('notes which extenders were not called, with verbs and Pods', () => {
    const configuration = `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
extenders:
- { urlPrefix: "http://gpu", filterVerb: filter, prioritizeVerb: score, weight: 1, managedResources: [{ name: example.com/gpu }] }
- { urlPrefix: "http://all", bindVerb: bind, ignorable: true }
- { urlPrefix: "http://fpga", filterVerb: filter, managedResources: [{ name: example.com/fpga }] }
---`;
    const result = run(configuration, node('a'), pod('plain', ''), pod('gpu', ', example.com/gpu: "1"'));
    expect(result.notes.map(it => it.message)).toEqual([
      'Extender http://gpu was not asked (filter, prioritize); it is asked about the Pods with example.com/gpu: default/gpu; without its answer kube-scheduler places none of them.',
      'Extender http://all was not asked (bind); it is asked about every Pod: default/plain, default/gpu; kube-scheduler goes on without it when it does not answer.',
    ]);
  });

  const configured = (plugins: string): string =>
    `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- plugins: ${plugins}\n---`;

  it.each([
    [
      'a Filter without its PreFilter',
      '{ preFilter: { disabled: [{ name: InterPodAffinity }] } }',
      'running "InterPodAffinity" filter plugin: error reading "PreFilterInterPodAffinity" from cycleState: not found',
    ],
    [
      'a Score without its PreScore',
      '{ preScore: { disabled: [{ name: "*" }] } }',
      'running Score plugins: plugin "TaintToleration" failed with: failed to read "PreScoreTaintToleration" from cycleState: not found',
    ],
  ])('fails as kube-scheduler does for %s', (_, plugins, message) => {
    const result = run(configured(plugins), node('a'), node('b'), pod('new', ''));
    expect(result.attempts[0]).toMatchObject({ status: 'error', message });
  });

  it('runs Filter of plugins that do not need their PreFilter', () => {
    const plugins = '{ preFilter: { disabled: [{ name: NodeAffinity }, { name: VolumeZone }] } }';
    const pinned = pod('picky', '').replace('spec: {', 'spec: { nodeSelector: { kubernetes.io/hostname: b },');
    expect(run(configured(plugins), node('a'), node('b'), pinned).placements).toEqual({ 'default/picky': 'b' });
  });

  it('leaves a resource to its extender', () => {
    const configuration = (ignoredByScheduler: boolean): string => `
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
extenders:
- { urlPrefix: "http://x", filterVerb: filter, managedResources: [{ name: example.com/fpga, ignoredByScheduler: ${ignoredByScheduler} }] }
---`;
    const wants = pod('wants', ', example.com/fpga: "1"');
    expect(run(configuration(true), node('a'), wants).placements).toEqual({ 'default/wants': 'a' });
    expect(run(configuration(false), node('a'), wants).placements).toEqual({});
  });
});

describe('percentageOfNodesToScore', () => {
  const cluster = (count: number, disks: number, percentage: string): readonly UnknownObject[] => [
    ...Array.from({ length: count }, (_, i) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `n${i}`, labels: i < disks ? { disk: 'ssd' } : {} },
      status: { allocatable: { cpu: '1', memory: '1Gi', pods: '9' } },
    })),
    ...objectsIn(`apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { nodeSelector: { disk: ssd }, containers: [{ name: c, image: i }] }
---
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
${percentage}
`),
  ];
  const notesOf = (objects: readonly UnknownObject[]): string =>
    runScenario(objects, { kubernetesVersion: '1.37', isGateOn })
      .notes.map(it => it.message)
      .join('\n');

  it.each([
    [250, 250, '', 'More than 120 of 250 nodes fit default/web.'],
    [250, 250, 'percentageOfNodesToScore: 60', 'More than 150 of 250 nodes fit default/web.'],
    [250, 250, 'percentageOfNodesToScore: 10', 'More than 100 of 250 nodes fit default/web.'],
    [250, 250, 'percentageOfNodesToScore: 90\nprofiles: [{ percentageOfNodesToScore: 50 }]', 'More than 125 of 250'],
  ])('of %i nodes %i fit, %j', (count, disks, percentage, note) => {
    expect(notesOf(cluster(count, disks, percentage))).toContain(note);
  });

  it.each([
    [250, 120, ''],
    [250, 250, 'percentageOfNodesToScore: 100'],
    [99, 99, 'percentageOfNodesToScore: 5'],
  ])('changes nothing where of %i nodes %i fit, %j', (count, disks, percentage) => {
    expect(notesOf(cluster(count, disks, percentage))).toBe('');
  });
});
