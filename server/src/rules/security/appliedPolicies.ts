import { record, text } from '../../kube/goFields';
import type { WorkspaceObject } from '../../workspace/object';
import type { PodSecurity } from '../framework/podSecurity';
import {
  type LabelledPolicy,
  type LevelVersion,
  MODES,
  type Mode,
  policyOfLabels,
} from '../framework/podSecurityLevels';
import type { RuleContext, RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { defaultPodSecurity } from './configuration';
import { type PodView, podViewOf } from './pod';

/** A policy that an object's Pods are checked against. */
export interface AppliedPolicy {
  readonly mode: Mode;
  readonly policy: LevelVersion;
  /** The minor of the policy that the server evaluates: at most its own. */
  readonly minor: number;
  /** The Namespace whose label sets the policy; absent if the configuration sets it. */
  readonly source?: { readonly namespace: WorkspaceObject; readonly label: string };
}

/** The input of the checks for one object. */
export interface CheckInput {
  readonly pod: PodView;
  /** The strictest mode first. A policy that is equal to that of a stricter mode is left out. */
  readonly policies: readonly AppliedPolicy[];
}

const NO_INPUT: { readonly input?: CheckInput } = {};

/** The input of the checks for an object, computed once; undefined if no policy applies. */
export function checkInputOf(target: RuleTarget, context: RuleContext): CheckInput | undefined {
  const known = context.answers?.get('security') as typeof NO_INPUT | undefined;
  if (known !== undefined) return known.input;
  const policies = appliedPoliciesOf(target, context);
  const pod = policies.length === 0 ? undefined : podViewOf(target, context);
  const answer = pod === undefined ? NO_INPUT : { input: { pod, policies } };
  context.answers?.set('security', answer);
  return answer.input;
}

/** The policy of a Namespace over the configured defaults. */
export function policyOfNamespace(namespace: WorkspaceObject | undefined, { defaults }: PodSecurity): LabelledPolicy {
  return policyOfLabels(record(record(namespace?.manifest.value, 'metadata'), 'labels'), defaults);
}

/** Upstream: Admission.ValidatePod, ValidatePodController and EvaluatePod, up to the evaluation. */
function appliedPoliciesOf(target: RuleTarget, context: RuleContext): readonly AppliedPolicy[] {
  const security = context.podSecurity ?? defaultPodSecurity;
  const { object } = target;
  const namespace = namespaceOf(object, context);
  // Most workspaces configure nothing.
  if (namespace === undefined && security === defaultPodSecurity) return [];
  if (isExempt(target, security)) return [];
  const { policy, labels } = policyOfNamespace(namespace, security);
  const server = Number(context.kube.minor.slice(context.kube.minor.indexOf('.') + 1));
  const res: AppliedPolicy[] = [];
  for (const mode of MODES) {
    const its = policy[mode];
    if (its.level === 'privileged') continue;
    if (mode === 'enforce' && isControllerExempt(object, security)) continue;
    const minor = its.version === 'latest' ? server : Math.min(its.version, server);
    if (res.some(it => it.policy.level === its.level && it.minor === minor)) continue;
    const label = labels[mode];
    const source = namespace !== undefined && label !== undefined ? { source: { namespace, label } } : {};
    res.push({ mode, policy: its, minor, ...source });
  }
  return res;
}

/** Upstream: Admission.exemptNamespace, exemptUser, exemptRuntimeClass. */
function isExempt(target: RuleTarget, { exemptions, username }: PodSecurity): boolean {
  const { namespace } = target.object;
  const runtimeClass = text(podSpecOf(target)?.spec, 'runtimeClassName');
  return (
    (namespace !== undefined && exemptions.namespaces.includes(namespace)) ||
    (username !== undefined && exemptions.usernames.includes(username)) ||
    (runtimeClass !== '' && exemptions.runtimeClasses.includes(runtimeClass))
  );
}

const CONTROLLERS: Readonly<Record<string, string>> = {
  Deployment: 'replicaset-controller',
  ReplicaSet: 'replicaset-controller',
  ReplicationController: 'replication-controller',
  StatefulSet: 'statefulset-controller',
  DaemonSet: 'daemon-set-controller',
  Job: 'job-controller',
  CronJob: 'job-controller',
};

/** The Pods of a workload are created by its controller. */
function isControllerExempt({ kind }: WorkspaceObject, { exemptions }: PodSecurity): boolean {
  const name = Object.hasOwn(CONTROLLERS, kind) ? CONTROLLERS[kind] : undefined;
  return name !== undefined && exemptions.usernames.includes(`system:serviceaccount:kube-system:${name}`);
}

/** A Namespace may be written once for each cluster: the one nearest in the tree of files counts. */
function namespaceOf(object: WorkspaceObject, { snapshot }: RuleContext): WorkspaceObject | undefined {
  if (object.namespace === undefined) return undefined;
  const [first, ...others] = snapshot.find('', 'Namespace', undefined, object.namespace);
  const { uri } = object.manifest;
  return others.reduce((best, it) => {
    if (best === undefined) return it;
    return sharedFolders(it.manifest.uri, uri) > sharedFolders(best.manifest.uri, uri) ? it : best;
  }, first);
}

/** How many path segments two addresses share from the start; the same file shares one more than its folder. */
function sharedFolders(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  const differs = left.findIndex((step, i) => step !== right[i]);
  return differs < 0 ? left.length : differs;
}
