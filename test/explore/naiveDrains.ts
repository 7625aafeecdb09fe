import type { UnknownObject } from '../../server/src/base/json';
import type { Pod } from '../../server/src/kube/types';
import { simulate } from '../../server/src/scheduler/scenario';
import { RUN } from './orders/support';

/** What drains of nodes may lead to. */
export interface Drains {
  /** How many states there are, equal nodes told apart. */
  readonly states: number;
  readonly holds: boolean;
  /** How many steps lead to the nearest state in which nothing happens any more, although a node is left; undefined: there is none. */
  readonly steps: number | undefined;
}

interface NaivePod {
  readonly app: string;
  readonly node?: string;
  readonly phase: 'waits' | 'runs' | 'ends';
}

interface State {
  readonly pods: readonly NaivePod[];
  readonly marks: Readonly<Record<string, 'left' | 'now' | 'done'>>;
}

interface Written extends UnknownObject {
  readonly metadata: { readonly name: string };
  readonly spec: UnknownObject;
}

interface Budget {
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
  readonly selector: { readonly matchLabels: { readonly app: string } };
}

/**
 * Visits each state of the drains of all nodes of a cluster of ReplicaSets, one node after the other in any order: no state is
 * merged with another one than its equal, and each decision of the scheduler is a placement of one Pod.
 */
export function everyDrain(objects: readonly UnknownObject[]): Drains {
  const written = objects as readonly Written[];
  const nodes = written.filter(it => it.kind === 'Node');
  const sets = written.filter(it => it.kind === 'ReplicaSet');
  const budgets = written.filter(it => it.kind === 'PodDisruptionBudget').map(it => it.spec as unknown as Budget);
  const { scenario, result } = simulate(objects, RUN);
  const appOf = ({ metadata }: Pod): string => metadata?.labels?.app ?? '';
  const made = new Map(scenario.pending.map(it => [appOf(it.source), it.source as unknown as UnknownObject]));
  const replicasOf = (app: string): number => sets.find(it => it.metadata.name === app)!.spec.replicas as number;
  const hasGrace = (app: string): boolean => (made.get(app)!.spec as UnknownObject).terminationGracePeriodSeconds !== 0;

  const decisions = new Map<string, readonly string[]>();
  const nodesFor = (app: string, { pods, marks }: State): readonly string[] => {
    const cluster: readonly UnknownObject[] = [
      ...nodes.map(it => (marks[it.metadata.name] === 'now' ? cordoned(it) : it)),
      ...sets,
      ...pods.flatMap((it, i) => (it.node === undefined ? [] : [bound(made.get(it.app)!, it, `p${i}`)])),
    ];
    const key = JSON.stringify([app, marks, pods.filter(it => it.node !== undefined)]);
    const found = decisions.get(key) ?? tiedNodes(named(made.get(app)!, 'asked'), cluster);
    decisions.set(key, found);
    return found;
  };

  const isEvictable = ({ app }: NaivePod, { pods }: State): boolean => {
    const own = budgets.filter(it => it.selector.matchLabels.app === app);
    if (own.length !== 1) return own.length === 0;
    const healthy = pods.filter(it => it.app === app && it.phase === 'runs').length;
    return healthy > wantedHealthy(own[0]!, replicasOf(app));
  };

  const after = (state: State): readonly State[] => {
    const { pods, marks } = state;
    for (const { metadata } of sets) {
      const app = metadata.name;
      const missing = replicasOf(app) - pods.filter(it => it.app === app && it.phase !== 'ends').length;
      const fresh = Array.from({ length: missing }, (): NaivePod => ({ app, phase: 'waits' }));
      if (missing > 0) return [{ ...state, pods: [...pods, ...fresh] }];
    }
    const without = (pod: NaivePod): readonly NaivePod[] => pods.toSpliced(pods.indexOf(pod), 1);
    const scheduled = distinct(pods).flatMap((pod): readonly State[] => {
      if (pod.phase === 'ends') return [{ ...state, pods: without(pod) }];
      if (pod.phase !== 'waits') return [];
      return nodesFor(pod.app, state).map(node => ({
        ...state,
        pods: [...without(pod), { app: pod.app, node, phase: 'runs' }],
      }));
    });
    const [now] = Object.keys(marks).filter(it => marks[it] === 'now');
    if (now === undefined) {
      const left = Object.keys(marks).filter(it => marks[it] === 'left');
      return scheduled.length > 0 ? scheduled : left.map(it => ({ ...state, marks: { ...marks, [it]: 'now' } }));
    }
    const there = pods.filter(it => it.node === now);
    if (there.length === 0) return [...scheduled, { ...state, marks: { ...marks, [now]: 'done' } }];
    const evicted = distinct(there).flatMap((pod): readonly State[] => {
      const ending = there.filter(it => it.app === pod.app && it.phase === 'ends').length;
      // What comes back to the node at once is not followed further.
      if (pod.phase !== 'runs' || ending >= replicasOf(pod.app) || !isEvictable(pod, state)) return [];
      const gone: readonly NaivePod[] = hasGrace(pod.app) ? [{ ...pod, phase: 'ends' }] : [];
      return [{ ...state, pods: [...without(pod), ...gone] }];
    });
    return [...scheduled, ...evicted];
  };

  const start: State = {
    pods: scenario.pending.map((it): NaivePod => {
      const node = result.placements[it.id];
      return {
        app: appOf(it.source),
        phase: node === undefined ? 'waits' : 'runs',
        ...(node !== undefined && { node }),
      };
    }),
    marks: Object.fromEntries(nodes.map(it => [it.metadata.name, 'left'])),
  };
  return drainsFrom(start, after);
}

function drainsFrom(start: State, after: (state: State) => readonly State[]): Drains {
  const found = new Map([[keyOf(start), { state: sorted(start), depth: 0, next: [] as string[] }]]);
  for (const it of found.values()) {
    for (const next of after(it.state)) {
      const key = keyOf(next);
      it.next.push(key);
      if (!found.has(key)) found.set(key, { state: sorted(next), depth: it.depth + 1, next: [] });
    }
  }
  const ending = new Set([...found].filter(([, { state }]) => isDrained(state)).map(([key]) => key));
  for (let before = -1; before < ending.size; ) {
    before = ending.size;
    for (const [key, { next }] of found) if (next.some(it => ending.has(it))) ending.add(key);
  }
  const wedged = [...found].filter(([key]) => !ending.has(key)).map(([, it]) => it);
  return {
    states: found.size,
    holds: wedged.length === 0,
    steps: wedged.find(it => it.next.length === 0)?.depth,
  };
}

const isDrained = ({ marks }: State): boolean => Object.values(marks).every(it => it === 'done');

const signOf = ({ app, node = '', phase }: NaivePod): string => `${app}@${node} ${phase}`;

const sorted = ({ pods, marks }: State): State => ({
  marks,
  pods: pods.toSorted((a, b) => (signOf(a) < signOf(b) ? -1 : 1)),
});

const keyOf = ({ pods, marks }: State): string => JSON.stringify([pods.map(signOf).sort(), marks]);

const distinct = (pods: readonly NaivePod[]): readonly NaivePod[] => [
  ...new Map(pods.map(it => [signOf(it), it])).values(),
];

/** Upstream: DisruptionController.getExpectedPodCount. */
function wantedHealthy({ minAvailable, maxUnavailable }: Budget, expected: number): number {
  const countOf = (it: number | string): number =>
    typeof it === 'number' ? it : Math.ceil((expected * Number.parseInt(it, 10)) / 100);
  return minAvailable === undefined ? Math.max(0, expected - countOf(maxUnavailable!)) : countOf(minAvailable);
}

const cordoned = (node: Written): UnknownObject => ({ ...node, spec: { ...node.spec, unschedulable: true } });

function named(pod: UnknownObject, name: string): UnknownObject {
  return { ...pod, metadata: { ...(pod.metadata as UnknownObject), name } };
}

function bound(pod: UnknownObject, { node, phase }: NaivePod, name: string): UnknownObject {
  const now = named(pod, name);
  const deletionTimestamp = phase === 'ends' ? { deletionTimestamp: '2040-01-01T00:00:00Z' } : {};
  return {
    ...now,
    metadata: { ...(now.metadata as UnknownObject), ...deletionTimestamp },
    spec: { ...(pod.spec as UnknownObject), nodeName: node },
  };
}

function tiedNodes(pod: UnknownObject, cluster: readonly UnknownObject[]): readonly string[] {
  let nodes: readonly string[] = [];
  const options = { apiVersion: 'berth.dev/v1alpha1', kind: 'ScenarioOptions', expandWorkloads: false, retry: 'none' };
  simulate([...cluster, pod, options], {
    ...RUN,
    onDecision({ decision: { attempt } }) {
      nodes = attempt.tiedNodes ?? [];
    },
  });
  return nodes;
}
