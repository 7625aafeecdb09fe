import { createAnalysisHost } from '../../server/src/analysis/host';
import { scenarioFromObjects } from '../../server/src/cluster/scenario';
import { loadKube } from '../../server/src/kube/load';
import { runScenario } from '../../server/src/scheduler/scenario';
import { randomFrom } from '../conformance/mutate';

type JsonObject = Readonly<Record<string, unknown>>;
type ReadPack = (name: string) => Uint8Array;

const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/**
 * A cluster that is about nine tenths full, and Pods that come to it: a quarter each plain, spread over zones, with
 * affinity to others, and preempting. The same for the same numbers.
 */
export function busyCluster(nodes: number, runningPerNode: number, pending: number): readonly JsonObject[] {
  const random = randomFrom(nodes * 31 + runningPerNode * 7 + pending);
  const below = (n: number): number => Math.floor(random() * n);
  const app = (i: number): string => `app${i % 20}`;
  const selector = (i: number) => ({ matchLabels: { app: app(i) } });
  const name = (i: number): string => `n${String(i).padStart(5, '0')}`;
  const container = (image: string, cpu: string, memory: string) => ({
    name: 'main',
    image,
    resources: { requests: { cpu, memory } },
  });
  const options = {
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'ScenarioOptions',
    metadata: { name: 'options' },
    expandWorkloads: false,
    retry: 'none',
  };
  const high = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'high' },
    value: 1000,
  };
  const nodeOf = (i: number): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: name(i), labels: { [HOST]: name(i), [ZONE]: `z${i % 3}`, disk: i % 2 === 1 ? 'ssd' : 'hdd' } },
    spec: i % 20 === 0 ? { taints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }] } : {},
    status: {
      allocatable: { cpu: '8', memory: '32Gi', pods: '110' },
      images: Array.from({ length: 10 }, (_, j) => j)
        .filter(j => (i + j) % 3 === 0)
        .map(j => ({ names: [`image${j}:1`], sizeBytes: (j + 1) * 100 * 1024 * 1024 })),
    },
  });
  const runningOf = (i: number, j: number): JsonObject => {
    const term = { topologyKey: HOST, labelSelector: selector(below(20)) };
    const affinity = {
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, podAffinityTerm: term }] },
    };
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `run-${i}-${j}`, namespace: 'default', labels: { app: app(below(20)) } },
      spec: {
        nodeName: name(i),
        containers: [container('image0:1', `${[600, 700, 750][below(3)]}m`, `${(1 + below(8)) * 256}Mi`)],
        ...(random() < 0.1 && { affinity }),
      },
    };
  };
  const shapes = [
    () => ({}),
    (i: number) => ({
      topologySpreadConstraints: [
        { maxSkew: 5, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector(i) },
        { maxSkew: 1, topologyKey: HOST, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: selector(i) },
      ],
    }),
    (i: number) => ({
      affinity: {
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 50, podAffinityTerm: { topologyKey: ZONE, labelSelector: selector(i + 1) } },
          ],
        },
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOST, labelSelector: selector(i) }],
        },
      },
    }),
    () => ({ priorityClassName: 'high' }),
  ];
  const pendingOf = (i: number): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `new-${String(i).padStart(4, '0')}`, namespace: 'default', labels: { app: app(i) } },
    spec: {
      containers: [container(`image${i % 10}:1`, i % 4 === 3 ? '4' : '100m', '256Mi')],
      ...shapes[i % 4]?.(i),
      ...(i % 5 === 0 && { nodeSelector: { disk: 'ssd' } }),
      ...(i % 7 === 0 && { tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'db', effect: 'NoSchedule' }] }),
    },
  });
  const each = <T>(count: number, make: (i: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, i) => make(i));
  return [
    options,
    high,
    ...each(nodes, nodeOf),
    ...each(nodes, i => each(runningPerNode, j => runningOf(i, j))).flat(),
    ...each(pending, pendingOf),
  ];
}

export interface CycleTimes {
  readonly pods: number;
  readonly placed: number;
  /** Milliseconds of CPU, the collector's included, to make the model of the cluster, and to decide all pending Pods. */
  readonly model: number;
  readonly decide: number;
}

/** Steadier than the clock where others work beside. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Decides all pending Pods of a scenario, every node scored. */
export function schedulingCycles(objects: readonly JsonObject[], readPack: ReadPack): CycleTimes {
  const kube = loadKube('1.37', {}, readPack);
  const start = cpuTime();
  scenarioFromObjects(objects);
  const model = cpuTime() - start;
  const again = cpuTime();
  const { attempts, placements } = runScenario(objects, {
    kubernetesVersion: '1.37',
    isGateOn: it => kube.isGateOn(it),
  });
  return {
    pods: attempts.length,
    placed: Object.keys(placements).length,
    model,
    decide: cpuTime() - again - model,
  };
}

/** Types in a file of Pods beside a cluster; each time is from the keystroke until all of them are placed anew, the first ones too. */
export function placementKeystrokes(
  nodes: number,
  pods: number,
  rounds: number,
  readPack: ReadPack,
): readonly number[] {
  const host = createAnalysisHost({
    readPack,
    onBug: (code, error) => {
      throw new Error(`${code} failed`, { cause: error });
    },
  });
  const objects = busyCluster(nodes, 3, pods).filter(it => it.kind !== 'ScenarioOptions');
  const isPending = (it: JsonObject): boolean => it.kind === 'Pod' && (it.spec as JsonObject).nodeName === undefined;
  const textOf = (list: readonly JsonObject[]): string => list.map(it => JSON.stringify(it)).join('\n---\n');
  const uri = 'file:///bench/pods.yaml';
  const text = textOf(objects.filter(isPending));
  host.apply({
    files: [
      { uri: 'file:///bench/cluster.yaml', text: textOf(objects.filter(it => !isPending(it))) },
      { uri, text },
    ],
  });
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    host.apply({ files: [{ uri, text: text.replace('"100m"', `"${100 + round}m"`) }] });
    if (host.analysis().codeLenses(uri).length !== pods) throw new Error('Not every Pod was placed anew.');
    times.push(performance.now() - start);
  }
  return times;
}
