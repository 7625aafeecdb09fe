import type { NodeModel, PodModel } from '../cluster/model';
import type { Resources } from '../cluster/resources';
import type { Kube } from '../kube/kube';
import { waitsInWords } from '../scheduler/queue/words';
import type { Snapshot, WorkspaceObject } from '../workspace/workspace';
import { type EnvironmentPlacement, objectAt, type Placements, podsOf } from './placements';
import type { PreviewModel, PreviewNode, PreviewPod, PreviewResource } from './preview';

const ZONE = 'topology.kubernetes.io/zone';

/** The whole simulation of a file's environment, as the preview draws it. */
export function previewOf(
  snapshot: Snapshot,
  kube: Kube,
  placements: Placements,
  at: { readonly uri: string; readonly offset: number; readonly pod?: string },
): PreviewModel {
  const placement = placements.of(at.uri);
  const pods = podsIn(placement, snapshot);
  const chosen = chosenPod(placement, snapshot, at, pods);
  return {
    kubernetesVersion: kube.minor,
    cluster: placement.source,
    nodes: placement.cluster.nodes.map(it => previewNode(it, placement, pods)),
    pods,
    attempts: Object.fromEntries(placement.attempts),
    ...(chosen !== undefined && { chosen }),
    notes: placement.notes,
  };
}

function chosenPod(
  placement: EnvironmentPlacement,
  snapshot: Snapshot,
  at: { readonly uri: string; readonly offset: number; readonly pod?: string },
  pods: readonly PreviewPod[],
): string | undefined {
  if (at.pod !== undefined && pods.some(it => it.id === at.pod)) return at.pod;
  const object = objectAt(snapshot, at.uri, at.offset);
  const under = object && podsOf(placement, object)[0];
  return under ?? pods.find(it => it.state === 'pending' || it.state === 'placed')?.id;
}

function podsIn(placement: EnvironmentPlacement, snapshot: Snapshot): readonly PreviewPod[] {
  return placement.pods.map(pod => {
    const evictedBy = placement.evictedBy(pod.id);
    const node = evictedBy === undefined ? placement.nodeOf(pod.id) : (pod.nodeName ?? placement.nodeOf(pod.id));
    const owner = placement.ownerOf(pod);
    const object = placement.sourceOf(pod, snapshot);
    const queued = placement.queued(pod.id);
    return {
      id: pod.id,
      name: pod.name,
      namespace: pod.namespace,
      ...(owner !== undefined && { owner: `${owner.kind}/${owner.name}` }),
      priority: pod.priority,
      cpuMilli: pod.requests.milliCpu,
      memoryBytes: pod.requests.memory,
      state: stateOf(pod, node, evictedBy),
      ...(node !== undefined && { node }),
      ...(evictedBy !== undefined && { evictedBy }),
      ...(queued && { queued: { queue: queued.queue, waitsFor: waitsInWords(queued.waitsFor) } }),
      ...(object && { source: placeOf(object) }),
    };
  });
}

function stateOf(pod: PodModel, node: string | undefined, evictedBy: string | undefined): PreviewPod['state'] {
  if (evictedBy !== undefined) return 'victim';
  if (pod.nodeName !== undefined) return 'running';
  return node === undefined ? 'pending' : 'placed';
}

const placeOf = ({ manifest }: WorkspaceObject): { readonly uri: string; readonly offset: number } => ({
  uri: manifest.uri,
  offset: manifest.span.start,
});

function previewNode(node: NodeModel, placement: EnvironmentPlacement, pods: readonly PreviewPod[]): PreviewNode {
  const here = pods.filter(it => it.node === node.name);
  const byId = new Map(placement.pods.map(it => [it.id, it]));
  const models = (state: PreviewPod['state']): readonly PodModel[] =>
    here.filter(it => it.state === state).flatMap(it => byId.get(it.id) ?? []);
  const [running, placed] = [models('running'), models('placed')];
  const names = ['cpu', 'memory', ...extras(node, [...running, ...placed])];
  const resources = names.map(
    (name): PreviewResource => ({
      name,
      allocatable: amount(node.allocatable, name),
      running: sum(running, name),
      placed: sum(placed, name),
    }),
  );
  return {
    name: node.name,
    zone: node.labels[ZONE] ?? '',
    ready: isReady(node),
    unschedulable: node.unschedulable,
    taints: node.taints.map(it => `${it.key ?? ''}${it.value ? `=${it.value}` : ''}:${it.effect ?? ''}`),
    labels: node.labels,
    resources: [
      ...resources,
      { name: 'pods', allocatable: node.maxPods, running: running.length, placed: placed.length },
    ],
    pods: here.map(it => it.id),
  };
}

const isReady = (node: NodeModel): boolean =>
  !(node.source.status?.conditions ?? []).some(it => it.type === 'Ready' && it.status !== 'True');

/** Extended resources that the node has or somebody asks for; ephemeral storage only when somebody asks for it. */
function extras(node: NodeModel, pods: readonly PodModel[]): readonly string[] {
  const asked = pods.some(it => it.requests.ephemeralStorage > 0) ? ['ephemeral-storage'] : [];
  return [...asked, ...node.allocatable.scalar.keys()];
}

function amount(resources: Resources, name: string): number {
  if (name === 'cpu') return resources.milliCpu;
  if (name === 'memory') return resources.memory;
  if (name === 'ephemeral-storage') return resources.ephemeralStorage;
  return resources.scalar.get(name) ?? 0;
}

const sum = (pods: readonly PodModel[], name: string): number =>
  pods.reduce((acc, it) => acc + amount(it.requests, name), 0);
