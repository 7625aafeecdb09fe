// `npm run prove`: asks Berth first, then a real control plane, and prints both side by side. It builds etcd,
// kube-apiserver, kube-controller-manager and kube-scheduler from Go modules into the user's cache the first time.
// --decisions N   Pods and workloads that a real kube-scheduler places; 100 when not given
// --manifests N   random manifests that a real API server is asked about by dry run; 500 when not given
// --seed S        the same seed makes the same Pods and manifests; 1 when not given
// --write         writes the tables to docs/proof.md
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { controlPlane, VERSION } from '../test/live-cluster/build.mjs';
import { startControlPlane } from '../test/live-cluster/controlPlane.mjs';
import { bundled } from './bundled.mjs';
import { readOptions } from './options.mjs';
import { apiOf } from './prove/api.mjs';
import { clusterObjects } from './prove/cluster.mjs';
import { decideStep } from './prove/decisions.mjs';
import { answerOf, manifestsOf, predictedAnswers } from './prove/dryRuns.mjs';
import { decisionLine, pageOf } from './prove/report.mjs';
import { stepsOf } from './prove/steps.mjs';
import { root } from './run.mjs';

const { values } = readOptions(import.meta.filename, {
  options: {
    decisions: { type: 'number', default: 100 },
    manifests: { type: 'number', default: 500 },
    seed: { type: 'number', default: 1 },
    write: { type: 'boolean', default: false },
  },
});

/** Controllers that make Pods or bind volumes; those that watch kubelets would take the nodes for dead. */
const CONTROLLERS = [
  'deployment-controller',
  'replicaset-controller',
  'statefulset-controller',
  'daemonset-controller',
  'job-controller',
  'disruption-controller',
  'persistentvolume-binder-controller',
];

const bin = controlPlane(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler']);
if (bin === undefined) {
  console.error('There is no Go to build a control plane with, and BERTH_CONTROL_PLANE names no folder with one.');
  process.exit(2);
}
const tools = await bundled('test/conformance/mutate', 'server/src/kube/load');
const { seed } = values;
const folder = mkdtempSync(join(tmpdir(), 'berth-proof-'));

const decisions = await decided(values.decisions);
const answers = await answered(values.manifests);
rmSync(folder, { recursive: true, force: true });
const page = pageOf({ decisions, answers, seed, version: VERSION });
console.log(`\n${page.summary}`);
if (values.write) writeFileSync(join(root, 'docs/proof.md'), page.text);
process.exitCode = page.differences === 0 ? 0 : 1;

/** Real decisions beside predicted ones, a line each as they come. */
async function decided(count) {
  if (count === 0) return [];
  const cluster = await startControlPlane({ bin, scheduler: [], controllers: CONTROLLERS });
  try {
    const api = await apiOf(cluster);
    for (const object of clusterObjects()) await api.established(object);
    const results = [];
    for (const step of stepsOf(count, tools.randomFrom(seed))) {
      results.push(await decideStep({ api, folder, kubeconfig: cluster.kubeconfig }, step));
      console.log(decisionLine(results.at(-1)));
    }
    return results;
  } finally {
    await cluster.stop();
  }
}

/** The answers of a real API server beside predicted ones. */
async function answered(count) {
  if (count === 0) return [];
  const cluster = await startControlPlane({ bin, server: ['--runtime-config=api/all=true'] });
  try {
    const api = await apiOf(cluster);
    const manifests = manifestsOf(count, seed, tools, api.resourceOf);
    const predicted = predictedAnswers(manifests, folder);
    await makeNamed(api, manifests);
    const results = [];
    for (const [index, manifest] of manifests.entries()) results.push(await answerOf(api, manifest, predicted[index]));
    return results;
  } finally {
    await cluster.stop();
  }
}

/** Creates what admission wants to exist: the namespaces and the classes that manifests name. */
async function makeNamed(api, manifests) {
  const namesAt = at => new Set(manifests.map(at).filter(it => typeof it === 'string'));
  for (const name of namesAt(it => it.metadata?.namespace))
    await api.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const name of namesAt(it => it.spec?.priorityClassName))
    await api.create({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value: 1000 });
}
