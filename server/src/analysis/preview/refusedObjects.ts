import { asObject } from '../../base/json';
import type { Memo } from '../../base/memo';
import type { Kube } from '../../kube/kube';
import { holdsPods } from '../../kube/podTemplates';
import { errorText } from '../../rules/apiserver/messages/sentences';
import { answerOf } from '../../rules/apiserver/validate/engine';
import { RULES } from '../../rules/engine/registry';
import type { PodSecurity } from '../../rules/framework/podSecurity';
import { levelVersionText } from '../../rules/framework/podSecurityLevels';
import type { RuleTarget } from '../../rules/framework/rule';
import { checkInputOf } from '../../rules/security/appliedPolicies';
import { checkFor, podCheckOf } from '../../rules/security/check';
import { allObjects } from '../../workspace/allObjects';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';

/** An object whose Pods never come into the cluster, and why. */
export interface UnadmittedObject {
  readonly object: WorkspaceObject;
  readonly by: 'apiServer' | 'podSecurity';
  /** Upstream's words. */
  readonly message: string;
}

interface Asked {
  readonly snapshot: Snapshot;
  readonly kube: Kube;
  readonly podSecurity: PodSecurity | undefined;
  /** Whether an object is of the environment. */
  readonly counts: (object: WorkspaceObject) => boolean;
  readonly memory: Memo;
}

/** At most this number of one object's errors is told. */
const MOST_ERRORS = 3;

/**
 * The written Pods and workloads that the API server refuses, and those whose Pods the Pod Security admission refuses. What a
 * server gave out was let in before, and a Pod that names its node stands for one that runs.
 */
export function refusedObjects({ snapshot, kube, podSecurity, counts, memory }: Asked): readonly UnadmittedObject[] {
  return allObjects(snapshot)
    .filter(it => holdsPods(it.group, it.kind) && counts(it))
    .flatMap(it => refusalOf(it, { snapshot, kube, podSecurity, memory }) ?? []);
}

/** Why the Pods of one object with Pods never come into the cluster; undefined where they do. */
export function refusalOf(
  object: WorkspaceObject,
  { snapshot, kube, podSecurity, memory }: Omit<Asked, 'counts'>,
): UnadmittedObject | undefined {
  if (isThere(object)) return undefined;
  const { value } = object.manifest;
  const kind = kube.kindOf(object.apiVersion, object.kind);
  const invalid = memory.of('server refusal', value, [kube], () => serverRefusal({ object, value, kind }, kube));
  if (invalid !== undefined) return { object, by: 'apiServer', message: invalid };
  const insecure = podSecurityRefusal({ object, value, kind }, { snapshot, kube, podSecurity });
  return insecure === undefined ? undefined : { object, by: 'podSecurity', message: insecure };
}

function isThere({ kind, manifest: { value } }: WorkspaceObject): boolean {
  const { uid, resourceVersion } = asObject(value.metadata) ?? {};
  const { nodeName } = asObject(value.spec) ?? {};
  return uid !== undefined || resourceVersion !== undefined || (kind === 'Pod' && typeof nodeName === 'string');
}

function serverRefusal({ value, kind }: RuleTarget, kube: Kube): string | undefined {
  const errors = answerOf(value, kind, kube)?.errors ?? [];
  if (errors.length === 0) return undefined;
  const more = errors.length - MOST_ERRORS;
  return [...errors.slice(0, MOST_ERRORS).map(errorText), ...(more > 0 ? [`… (${more})`] : [])].join('; ');
}

/** Upstream: Admission.EvaluatePod and AggregateCheckResults, mode enforce. */
function podSecurityRefusal(
  target: RuleTarget,
  { snapshot, kube, podSecurity }: Pick<Asked, 'snapshot' | 'kube' | 'podSecurity'>,
): string | undefined {
  const input = checkInputOf(target, { snapshot, kube, ...(podSecurity && { podSecurity }) });
  const applied = input?.policies.find(it => it.mode === 'enforce');
  if (input === undefined || applied === undefined) return undefined;
  const violations = RULES.flatMap(it => {
    const check = podCheckOf(it);
    return (check && checkFor(check, applied)?.(input.pod)) ?? [];
  });
  if (violations.length === 0) return undefined;
  const told = violations.map(it => (it.detail === '' ? it.reason : `${it.reason} (${it.detail})`));
  return `violates PodSecurity "${levelVersionText(applied.policy)}": ${told.join(', ')}`;
}
