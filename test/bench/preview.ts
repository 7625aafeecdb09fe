import { createAnalysisHost } from '../../server/src/analysis/host';
import { deltaOf } from '../../server/src/analysis/preview/delta';
import type { PreviewModel } from '../../server/src/analysis/preview/model';

const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

/** How large an environment is. */
export interface Size {
  readonly nodes: number;
  readonly workloads: number;
  readonly podsEach: number;
}

interface File {
  readonly uri: string;
  readonly text: string;
}

const nodeText = (i: number): string => `apiVersion: v1
kind: Node
metadata:
  name: n${String(i).padStart(4, '0')}
  labels: { ${HOST}: n${String(i).padStart(4, '0')}, ${ZONE}: z${i % 3}, disk: ${i % 2 === 1 ? 'ssd' : 'hdd'} }
spec:${i % 20 === 0 ? '\n  taints: [{ key: dedicated, value: db, effect: NoSchedule }]' : ' {}'}
status:
  allocatable: { cpu: "8", memory: 32Gi, pods: "110" }
  images: [{ names: ["registry.example.com/base:${i % 5}"], sizeBytes: 300000000 }]
`;

/** Plain ones, some spread over zones, some apart by node and near others, some for certain nodes. */
const shapeText = (i: number): string => {
  const selector = `{ matchLabels: { app: app${i} } }`;
  return (
    [
      '',
      `
      topologySpreadConstraints:
        - { maxSkew: 2, topologyKey: ${ZONE}, whenUnsatisfiable: DoNotSchedule, labelSelector: ${selector} }
        - { maxSkew: 1, topologyKey: ${HOST}, whenUnsatisfiable: ScheduleAnyway, labelSelector: ${selector} }`,
      `
      affinity:
        podAntiAffinity:
          preferredDuringSchedulingIgnoredDuringExecution:
            - { weight: 100, podAffinityTerm: { topologyKey: ${HOST}, labelSelector: ${selector} } }`,
      `
      nodeSelector: { disk: ssd }
      tolerations: [{ key: dedicated, operator: Exists }]`,
    ][i % 4] ?? ''
  );
};

const workloadText = (i: number, pods: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: app${i}, namespace: team${i % 10} }
spec:
  replicas: ${pods}
  selector: { matchLabels: { app: app${i} } }
  template:
    metadata: { labels: { app: app${i} } }
    spec:${i % 10 === 0 ? '\n      priorityClassName: high' : ''}${shapeText(i)}
      containers:
        - name: main
          image: registry.example.com/app${i}:1.0
          env: [{ name: LOG_LEVEL, value: info }]
          resources:
            requests: { cpu: ${250 + (i % 9) * 100}m, memory: ${512 + (i % 7) * 256}Mi }
`;

/** A cluster of nodes in one file, and workloads, ten a file, that fill it to about four fifths. */
export function bigEnvironment({ nodes, workloads, podsEach }: Size): readonly File[] {
  const texts = <T>(count: number, make: (i: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, i) => make(i));
  const high = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: high }\nvalue: 1000\n';
  return [
    { uri: 'file:///bench/cluster.yaml', text: [high, ...texts(nodes, nodeText)].join('---\n') },
    ...texts(Math.ceil(workloads / 10), file => ({
      uri: `file:///bench/team${String(file).padStart(3, '0')}.yaml`,
      text: texts(Math.min(10, workloads - file * 10), i => workloadText(file * 10 + i, podsEach)).join('---\n'),
    })),
  ];
}

/** What of a workload an edit changes. */
export type Edit = 'image' | 'cpu' | 'replicas';

const EDITS: Readonly<Record<Edit, (text: string, round: number) => string>> = {
  image: (text, round) => text.replace(/:1\.0$/m, `:1.${round + 1}`),
  cpu: (text, round) => text.replace(/cpu: (\d+)m/, (_, cpu: string) => `cpu: ${Number(cpu) + round + 1}m`),
  replicas: (text, round) =>
    text.replace(/replicas: (\d+)/, (_, count: string) => `replicas: ${Number(count) + round + 1}`),
};

export interface PreviewTimes {
  readonly pods: number;
  /** Milliseconds of CPU from the texts to the answer as it goes over the wire. */
  readonly first: number;
  readonly bytes: number;
  /** Milliseconds of CPU from each edit to the answer. */
  readonly edits: readonly number[];
  /** The first answer, what makes of it the one after the first edit, and what makes the first one of that again. */
  readonly wires: readonly [first: string, there: string, back: string];
}

const benchHost = (readPack: (name: string) => Uint8Array) =>
  createAnalysisHost({
    readPack,
    onBug: (code, error) => {
      throw new Error(`${code} failed`, { cause: error });
    },
  });

/** Steadier than the clock where others work beside. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export interface LensTimes {
  /** Milliseconds of CPU, after each edit. */
  readonly times: readonly number[];
  /** How many code lenses there were. */
  readonly lenses: number;
}

/** The code lenses of all workloads, which stand in one file, after each edit of the last one. */
export function lensTimes(size: Size, rounds: number, readPack: (name: string) => Uint8Array): LensTimes {
  const host = benchHost(readPack);
  const [cluster, ...rest] = bigEnvironment(size);
  const uri = 'file:///bench/workloads.yaml';
  const text = rest.map(it => it.text).join('---\n');
  host.apply({ files: [cluster!, { uri, text }] });
  const last = text.lastIndexOf('apiVersion');
  const all = Array.from({ length: rounds }, (_, round) => {
    host.apply({ files: [{ uri, text: text.slice(0, last) + EDITS.image(text.slice(last), round) }] });
    const analysis = host.analysis();
    analysis.preview({ uri, offset: 0 });
    const before = cpuTime();
    const { length } = analysis.codeLenses(uri, 'placed');
    return { time: cpuTime() - before, length };
  });
  return { times: all.map(it => it.time), lenses: all.at(-1)?.length ?? 0 };
}

/** Opens a big environment in the preview and edits one workload again and again; `workload` is its number. */
export function previewTimes(
  size: Size,
  { edit, workload, rounds }: { readonly edit: Edit; readonly workload: number; readonly rounds: number },
  readPack: (name: string) => Uint8Array,
): PreviewTimes {
  const host = benchHost(readPack);
  const files = bigEnvironment(size);
  const start = cpuTime();
  host.apply({ files });
  const name = `name: app${workload},`;
  const { uri, text } = files.find(it => it.text.includes(name))!;
  const at = text.lastIndexOf('apiVersion', text.indexOf(name));
  const ask = (revision: number): PreviewModel => ({ ...host.analysis().preview({ uri, offset: at + 1 }), revision });
  const opened = ask(0);
  const wire = JSON.stringify(opened);
  const first = cpuTime() - start;
  const kept = { second: opened, latest: opened };
  const edits = Array.from({ length: rounds }, (_, round) => {
    const before = cpuTime();
    const edited = text.slice(0, at) + EDITS[edit](text.slice(at), round);
    host.apply({ files: [{ uri, text: edited }] });
    const model = ask(round + 1);
    JSON.stringify(deltaOf(round, kept.latest, model));
    kept.latest = model;
    if (round === 0) kept.second = model;
    return cpuTime() - before;
  });
  const there = JSON.stringify(deltaOf(0, opened, kept.second));
  const back = JSON.stringify(deltaOf(1, kept.second, opened));
  return { pods: opened.pods.length, first, bytes: wire.length, edits, wires: [wire, there, back] };
}
