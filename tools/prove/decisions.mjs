// Asks Berth where the Pods of each step will land, lets kube-scheduler decide, and compares.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../run.mjs';
import { finishTerminating, settle } from './kubelet.mjs';
import { STEP } from './steps.mjs';
import { isSameDecision } from './verdicts.mjs';
import { eventually, patiently } from './wait.mjs';

/**
 * One step: what Berth says before it, what the cluster does, and how the two compare.
 * @param {{ api: object, folder: string, kubeconfig: string }} proof
 * @param {{ name: string, title: string, prepared: readonly object[], objects: readonly object[] }} step
 * @returns {Promise<import('./verdicts.mjs').Decision>}
 */
export async function decideStep(proof, step) {
  const { api } = proof;
  await prepare(api, step);
  const before = await stateOf(api);
  const predicted = await predictedOf(proof, step);
  for (const object of step.objects) await api.established(object);
  const pods = await decidedPods(api, step, predicted.length);
  const evicted = await evictedSince(api, before);
  const compared = { predicted, real: pods.map(outcomeOf).sort(byOutcome), evicted };
  const verdict = isSameDecision(compared)
    ? 'equal'
    : (await isTie(proof, step, before, pods, evicted))
      ? 'tie'
      : 'different';
  await settle(api);
  return { step: step.name, title: step.title, ...compared, verdict };
}

/** Creates what has to be there before a step. Its claims are bound, or no volume is left for them. */
async function prepare(api, { prepared }) {
  for (const object of prepared) await api.established(object);
  for (const { metadata, spec } of prepared)
    await eventually(async () => {
      const claims = await api.list('v1', 'PersistentVolumeClaim');
      if (claims.some(it => it.metadata.name === metadata.name && it.status.phase === 'Bound')) return undefined;
      const volumes = await api.list('v1', 'PersistentVolume');
      const isFree = it => it.spec.storageClassName === spec.storageClassName && it.status.phase !== 'Bound';
      return volumes.some(isFree) ? `claim ${metadata.name} is bound` : undefined;
    });
}

const STATE = [
  ['v1', 'Node'],
  ['v1', 'Namespace'],
  ['v1', 'Pod'],
  ['v1', 'PersistentVolume'],
  ['v1', 'PersistentVolumeClaim'],
  ['storage.k8s.io/v1', 'StorageClass'],
  ['scheduling.k8s.io/v1', 'PriorityClass'],
  ['node.k8s.io/v1', 'RuntimeClass'],
  ['apps/v1', 'ReplicaSet'],
  ['apps/v1', 'StatefulSet'],
];

const stateOf = async api => (await Promise.all(STATE.map(([version, kind]) => api.list(version, kind)))).flat();

/** What `berth place` says of the Pods of a step on the cluster as it is. */
async function predictedOf({ folder, kubeconfig }, { name, objects }) {
  const isOfStep = pod => pod === `default/${name}` || pod.startsWith(`default/${name}-`);
  // A Pod that preempted is tried again once its victims are gone, and other Pods come first.
  const options = { apiVersion: 'berth.dev/v1alpha1', kind: 'ScenarioOptions', retry: 'end' };
  const scenario = [...objects, options];
  const answers = await placed(folder, name, scenario, ['--cluster', 'live'], { KUBECONFIG: kubeconfig });
  return answers
    .filter(it => isOfStep(it.pod))
    .map(predictionOf)
    .sort(byOutcome);
}

/** The last attempt of each Pod, with the victims of all of them. */
async function placed(folder, name, objects, args, env) {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'dist/cli.js'), 'place', file, ...args, '--format', 'json', '--fail-on', 'never'],
    { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 2 ** 28 },
  );
  const { attempts } = JSON.parse(stdout);
  return [...new Map(attempts.map(it => [it.pod, it])).values()].map(last => ({
    ...last,
    victims: attempts.flatMap(it => (it.pod === last.pod ? (it.preemption?.victims ?? []) : [])),
  }));
}

const GATED = 'for its scheduling gates';

const predictionOf = ({ node, status, message, preFilterRejection, victims, tiedNodes }) => ({
  node,
  waits: node === undefined ? waitsFor(status, message ?? preFilterRejection?.reasons.join(', ')) : undefined,
  ties: tiedNodes ?? [],
  victims,
});

/** The API server sets the condition of a gated Pod, in words of its own. */
const waitsFor = (status, message) => (status === 'gated' ? GATED : message);

function outcomeOf(pod) {
  if (pod.spec.nodeName !== undefined) return { node: pod.spec.nodeName };
  const { reason, message } = scheduledCondition(pod) ?? {};
  return { waits: reason === 'SchedulingGated' ? GATED : message };
}

const scheduledCondition = pod => pod.status.conditions?.find(it => it.type === 'PodScheduled');

const byOutcome = (a, b) => (a.node ?? `~${a.waits}`).localeCompare(b.node ?? `~${b.waits}`);

const podsOfStep = (api, name) => api.list('v1', 'Pod', `?labelSelector=${encodeURIComponent(`${STEP}=${name}`)}`);

/** The Pods of a step once kube-scheduler has nothing more to decide about them. */
async function decidedPods(api, { name }, count) {
  let pods = [];
  // Another number of Pods than predicted is a difference to be told, no reason to stop.
  await patiently(async () => {
    await finishTerminating(api);
    pods = await podsOfStep(api, name);
    return pods.length === count && pods.every(isDecided) ? undefined : 'every Pod is decided';
  });
  return pods;
}

/** A Pod with a nominated node waits for its victims to end, and is tried again. */
const isDecided = pod =>
  pod.spec.nodeName !== undefined ||
  (scheduledCondition(pod)?.status === 'False' && pod.status.nominatedNodeName === undefined);

const nameOf = pod => `${pod.metadata.namespace}/${pod.metadata.name}`;

async function evictedSince(api, before) {
  const after = new Set((await api.list('v1', 'Pod')).map(it => it.metadata.uid));
  return before
    .filter(it => it.kind === 'Pod' && !after.has(it.metadata.uid))
    .map(nameOf)
    .sort();
}

/**
 * Whether some order of the step's Pods leads to what really happened, where each Pod goes to one of the nodes that Berth
 * calls tied once the Pods before it are where they really are, and evicts Pods of the same workloads: which ones of equal
 * Pods is left to chance, too. Pods are bound beside each other, so that the order of kube-scheduler's decisions is not
 * known.
 */
async function isTie({ folder }, { name, objects }, before, pods, evicted) {
  const others = objects.filter(it => it.kind === 'PersistentVolumeClaim');
  const leadsOn = async (done, left, victims) => {
    if (left.length === 0) return workloadsOf(victims) === workloadsOf(evicted);
    for (const pod of differentOnes(left)) {
      const answer = await decisionAfter(folder, name, [...before, ...others, ...done], pod);
      if (answer === undefined || !isAsPredicted(answer, pod)) continue;
      const bound = pod.spec.nodeName === undefined ? done : [...done, pod];
      const rest = left.filter(it => it !== pod);
      if (await leadsOn(bound, rest, [...victims, ...answer.victims])) return true;
    }
    return false;
  };
  return pods.length > 0 && leadsOn([], pods, []);
}

/** What Berth says of one Pod that is not bound yet, in a state of the cluster. */
async function decisionAfter(folder, name, state, pod) {
  const { nodeName: _nodeName, ...spec } = pod.spec;
  const options = { apiVersion: 'berth.dev/v1alpha1', kind: 'ScenarioOptions', expandWorkloads: false };
  const answers = await placed(folder, name, [...state, { ...pod, spec, status: {} }, options], [], {});
  return answers.find(it => it.pod === nameOf(pod));
}

/** The steps of Pods, `default/step-007` for `default/step-007-x`, as a text to compare. */
const workloadsOf = names =>
  names
    .map(it => it.split('-').slice(0, 2).join('-'))
    .sort()
    .join();

/** One Pod of each outcome: the others of a workload are like it. */
const differentOnes = pods => [...new Map(pods.map(it => [it.spec.nodeName, it])).values()];

const isAsPredicted = (answer, pod) =>
  pod.spec.nodeName === undefined
    ? predictionOf(answer).waits === outcomeOf(pod).waits
    : answer.tiedNodes?.includes(pod.spec.nodeName) === true;
