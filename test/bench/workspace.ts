import { createAnalysisHost } from '../../server/src/analysis/host';

type ReadPack = (name: string) => Uint8Array;

export interface WorkspaceFile {
  readonly uri: string;
  readonly text: string;
}

export const FILES_IN_FOLDER = 50;

/**
 * A workspace of two objects a file: a Deployment that names the ConfigMap of its own file and that of the next one, the
 * ServiceAccount of its folder and a PriorityClass of all.
 */
export function manyFiles(count: number): readonly WorkspaceFile[] {
  const uriOf = (name: string): string => `file:///bench/${name}.yaml`;
  const folders = Array.from({ length: Math.ceil(count / FILES_IN_FOLDER) }, (_, i) => ({
    uri: uriOf(`team${i}/accounts`),
    text: `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: runner, namespace: team${i} }\n`,
  }));
  const classes = {
    uri: uriOf('classes'),
    text: 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: usual }\nvalue: 1000\n',
  };
  const apps = Array.from({ length: count }, (_, i) => {
    const team = `team${Math.floor(i / FILES_IN_FOLDER)}`;
    const isLast = i % FILES_IN_FOLDER === FILES_IN_FOLDER - 1 || i === count - 1;
    return { uri: uriOf(`${team}/app${i}`), text: appText(i, isLast ? i : i + 1, team) };
  });
  return [classes, ...folders, ...apps];
}

function appText(i: number, other: number, team: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app${i}
  namespace: ${team}
  labels: { app: app${i} }
spec:
  replicas: 2
  selector:
    matchLabels: { app: app${i} }
  template:
    metadata:
      labels: { app: app${i}, tier: web }
    spec:
      serviceAccountName: runner
      priorityClassName: usual
      containers:
        - name: web
          image: registry.example/app${i}:1.${i % 30}
          ports: [{ name: http, containerPort: 8080 }]
          env:
            - name: MODE
              valueFrom: { configMapKeyRef: { name: settings${i}, key: mode } }
            - name: PEER
              valueFrom: { configMapKeyRef: { name: settings${other}, key: mode } }
          resources:
            requests: { cpu: 100m, memory: 64Mi }
            limits: { memory: 128Mi }
---
${settingsText(i, team, 'mode')}`;
}

function settingsText(i: number, team: string, key: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: { name: settings${i}, namespace: ${team} }
data:
  ${key}: fast
  level: info
`;
}

export interface CrossFileTimes {
  /** Milliseconds from an edit to the problem, or its end, in the other file. */
  readonly times: readonly number[];
  /** How many files were looked at anew for an edit, at most. */
  readonly lookedAt: number;
}

/** Breaks and mends a key of a ConfigMap, over and over, until the file that reads the key says so. */
export function crossFileEdits(count: number, rounds: number, readPack: ReadPack): CrossFileTimes {
  const host = createAnalysisHost({
    readPack,
    onBug: (code, error) => {
      throw new Error(`${code} failed`, { cause: error });
    },
  });
  const files = manyFiles(count);
  host.apply({ files });
  for (const { uri } of files) host.analysis().diagnostics(uri);
  const times: number[] = [];
  let lookedAt = 0;
  for (let round = 0; round < rounds; round++) {
    const edited = files[Math.floor(files.length / 2) + (round % 7)]!;
    const isBroken = round % 14 < 7;
    const text = isBroken ? edited.text.replace('  mode: fast', '  mood: fast') : edited.text;
    const start = performance.now();
    const touched = host.apply({ files: [{ uri: edited.uri, text }] });
    const problems = touched.flatMap(uri => host.analysis().diagnostics(uri));
    times.push(performance.now() - start);
    lookedAt = Math.max(lookedAt, touched.length);
    const expected = isBroken ? 1 : 0;
    if (problems.some(it => it.uri !== edited.uri) !== expected > 0)
      throw new Error(`${edited.uri}: ${problems.length}`);
  }
  return { times, lookedAt };
}
