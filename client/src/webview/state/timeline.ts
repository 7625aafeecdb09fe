import type {
  PreviewModel,
  PreviewNode,
  PreviewPod,
  PreviewResource,
  PreviewStep,
} from '../../../../server/src/analysis/previewModel';

/** The model after so many steps of the queue: Pods of later steps are still pending, and their victims are still there. */
export function modelAt(model: PreviewModel, steps: number): PreviewModel {
  if (steps >= model.steps.length) return model;
  const placed = new Map<string, string>();
  const gone = new Set<string>();
  for (const { pod, node, victims } of model.steps.slice(0, steps)) {
    if (node !== undefined) placed.set(pod, node);
    for (const victim of victims) gone.add(victim);
  }
  const scheduled = new Set(model.steps.map(it => it.pod));
  const pods = model.pods.map(pod => podAt(pod, { placed, gone, scheduled }));
  const byNode = new Map<string, PreviewPod[]>(model.nodes.map(it => [it.name, []]));
  for (const pod of pods) if (pod.node !== undefined) byNode.get(pod.node)?.push(pod);
  return { ...model, pods, nodes: model.nodes.map(it => nodeAt(it, byNode.get(it.name) ?? [])) };
}

interface Progress {
  readonly placed: ReadonlyMap<string, string>;
  readonly gone: ReadonlySet<string>;
  /** Pods that the simulation schedules. */
  readonly scheduled: ReadonlySet<string>;
}

function podAt(pod: PreviewPod, { placed, gone, scheduled }: Progress): PreviewPod {
  if (pod.state === 'victim' && gone.has(pod.id)) return pod;
  const { evictedBy: _, queued: __, ...rest } = pod;
  if (!scheduled.has(pod.id)) return pod.state === 'victim' ? { ...rest, state: 'running' } : pod;
  const node = placed.get(pod.id);
  const { node: ___, ...waiting } = rest;
  return node === undefined ? { ...waiting, state: 'pending' } : { ...waiting, state: 'placed', node };
}

function nodeAt(node: PreviewNode, here: readonly PreviewPod[]): PreviewNode {
  const sum = (state: PreviewPod['state'], name: string): number =>
    here.filter(it => it.state === state).reduce((all, it) => all + shareOf(name, it), 0);
  return {
    ...node,
    resources: node.resources.map(
      (it): PreviewResource => ({ ...it, running: sum('running', it.name), placed: sum('placed', it.name) }),
    ),
    pods: here.map(it => it.id),
  };
}

/** What a Pod takes of a resource, in its base unit; cpu in millicores. */
export function shareOf(resource: string, pod: PreviewPod): number {
  if (resource === 'cpu') return pod.cpuMilli;
  if (resource === 'memory') return pod.memoryBytes;
  return resource === 'pods' ? 1 : (pod.asks?.[resource] ?? 0);
}

/** How many Pods have arrived once so many steps are over. */
export const arrivalsOver = (steps: readonly PreviewStep[], position: number): number =>
  steps.slice(0, position).filter(it => !it.again).length;

/** The number of steps until so many Pods have arrived, and those that waited are tried again after the last of them. */
export function stepsAfter(steps: readonly PreviewStep[], arrivals: number): number {
  let seen = 0;
  const next = steps.findIndex(it => !it.again && ++seen > arrivals);
  return next < 0 ? steps.length : next;
}
