import type { Note } from '../../cluster/pods/note';
import type { PodModel } from '../../cluster/pods/podModel';
import { isSidecar, type Resources } from '../../cluster/resources/resources';
import type { Scenario } from '../../cluster/scenario';
import type { VolumeClaimModel } from '../../cluster/storage/volumes';
import type { Profiles } from '../configuration/profiles';
import type { PlacementResult } from '../result';

/** The parts of a run on which older minors may differ. */
interface Run {
  readonly scenario: Scenario;
  /** Pods for which scheduling was tried. */
  readonly tried: readonly PodModel[];
  readonly claims: readonly VolumeClaimModel[];
  readonly result: Pick<PlacementResult, 'attempts'>;
}

/** A difference of kube-scheduler in older minors. What feature gates control is not listed: gates are evaluated. */
interface Difference {
  /** The first minor that behaves as the simulation does. */
  readonly since: string;
  /** The plugin that differs; profiles without it are not affected. */
  readonly plugin: string;
  /** The behaviour of older minors. */
  readonly before: string;
  /** Whether the difference can affect the run. */
  matters(run: Run): boolean;
}

/** From upstream's sources of each minor, newest first. */
const DIFFERENCES: readonly Difference[] = [
  {
    since: '1.37',
    plugin: 'DefaultPreemption',
    before: 'the message does not tell of a preemption that succeeds',
    matters: ({ result }) => result.attempts.some(it => it.preemption?.nominatedNode !== undefined),
  },
  {
    since: '1.37',
    plugin: 'ImageLocality',
    before: 'an image volume does not count among the images of the Pod (before 1.36 its size does not count either)',
    matters: ({ tried }) => tried.some(pod => (pod.spec.volumes ?? []).some(it => it.image)),
  },
  {
    since: '1.36',
    plugin: 'NodeResourcesBalancedAllocation',
    before: 'the score is how even the use of resources is with the Pod, not how much more even it becomes',
    matters: isAnyScored,
  },
  {
    since: '1.34',
    plugin: 'TaintToleration',
    before: 'the reason names the taint: "node(s) had untolerated taint {KEY: VALUE}"',
    matters: ({ scenario }) =>
      scenario.cluster.nodes.some(it => it.taints.some(of => of.effect !== 'PreferNoSchedule')),
  },
  {
    since: '1.34',
    plugin: 'NodeResourcesFit',
    before: 'preemption is tried also on nodes that are too small for the Pod when they are empty',
    matters: ({ scenario, tried }) =>
      tried.some(pod => scenario.cluster.nodes.some(it => exceeds(pod.requests, it.allocatable))),
  },
  {
    since: '1.34',
    plugin: 'VolumeRestrictions',
    before:
      'the reason is "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode"',
    matters: ({ claims }) => claims.some(it => it.accessModes.includes('ReadWriteOncePod')),
  },
  {
    since: '1.33',
    plugin: 'NodeResourcesBalancedAllocation',
    before: 'a Pod that asks for nothing is scored, too',
    matters: run => isAnyScored(run) && run.tried.some(it => it.requests.milliCpu + it.requests.memory === 0),
  },
  {
    since: '1.33',
    plugin: 'NodeResourcesFit',
    before: 'a Pod whose resources are being changed counts with what it wants, unless InPlacePodVerticalScaling is on',
    matters: ({ scenario }) =>
      scenario.cluster.running.some(({ source: { status } }) =>
        [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].some(
          it => it.allocatedResources ?? it.resources,
        ),
      ),
  },
  {
    since: '1.33',
    plugin: 'NodePorts',
    before: 'host ports of sidecar containers do not count',
    matters: ({ scenario, tried }) =>
      [...scenario.cluster.running, ...tried].some(pod =>
        (pod.spec.initContainers ?? []).some(it => isSidecar(it) && it.ports?.some(port => port.hostPort)),
      ),
  },
  {
    since: '1.33',
    plugin: 'VolumeBinding',
    before: 'the reason is "node(s) had volume node affinity conflict"',
    matters: ({ scenario, claims }) =>
      claims.some(it => {
        const volume = scenario.cluster.storage.volumes.get(it.volumeName);
        return volume?.affinity !== undefined || volume?.migrated !== undefined;
      }),
  },
  {
    since: '1.32',
    plugin: 'NodeVolumeLimits',
    before: 'volumes that are attached to a node without a Pod do not count',
    matters: ({ scenario, claims }) => claims.length > 0 && scenario.cluster.storage.attachments.size > 0,
  },
  {
    since: '1.32',
    plugin: 'NodeAffinity',
    before: 'nodes that terms on metadata.name leave out are not counted in the message',
    matters: ({ tried }) =>
      tried.some(pod => {
        const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
        return (required?.nodeSelectorTerms ?? []).some(it => (it.matchFields ?? []).length > 0);
      }),
  },
];

/** One sentence for each way in which the chosen minor may decide differently from the simulation. */
export function minorNotes(
  minor: string,
  scenario: Scenario,
  profiles: Profiles,
  result: Pick<PlacementResult, 'attempts'>,
): readonly Note[] {
  const taking = new Set(
    [...profiles.values()].flatMap(it =>
      [...it.preFilter, ...it.filter, ...it.postFilter, ...it.score.map(of => of.plugin)].map(of => of.name),
    ),
  );
  const older = DIFFERENCES.filter(it => isBefore(minor, it.since) && taking.has(it.plugin));
  if (older.length === 0) return [];
  const tried = scenario.pending.filter(it => profiles.has(it.schedulerName));
  const claims = tried.flatMap(pod =>
    (pod.spec.volumes ?? []).flatMap(it => {
      const name = it.persistentVolumeClaim?.claimName ?? (it.ephemeral && `${pod.name}-${it.name ?? ''}`);
      return scenario.cluster.storage.claims.get(`${pod.namespace}/${name ?? ''}`) ?? [];
    }),
  );
  const run: Run = { scenario, tried, claims, result };
  return older
    .filter(it => it.matters(run))
    .map(({ since, plugin, before }) => ({ message: `${plugin} is simulated as of ${since}; before, ${before}.` }));
}

/** With one node, nothing is scored. */
function isAnyScored({ scenario, tried }: Run): boolean {
  return tried.length > 0 && scenario.cluster.nodes.length > 1;
}

function exceeds(requests: Resources, allocatable: Resources): boolean {
  return (
    requests.milliCpu > allocatable.milliCpu ||
    requests.memory > allocatable.memory ||
    requests.ephemeralStorage > allocatable.ephemeralStorage ||
    [...requests.scalar].some(([name, amount]) => amount > (allocatable.scalar.get(name) ?? 0))
  );
}

function isBefore(minor: string, other: string): boolean {
  return Number(minor.split('.')[1]) < Number(other.split('.')[1]);
}
