import { asObject } from '../../base/json';
import type { Memo } from '../../base/memo';
import { createSharedTexts, type SharedTexts } from '../../base/sharedTexts';
import { mapInSteps, type Steps } from '../../base/steps';
import type { Kube } from '../../kube/kube';
import { holdsPods } from '../../kube/podTemplates';
import { keptAnswer, serverFinding } from '../../rules/apiserver/answer';
import { errorText, message } from '../../rules/apiserver/messages/sentences';
import { RULES } from '../../rules/engine/registry';
import { isOfPlaceholder } from '../../rules/engine/templated';
import { textWithoutNames } from '../../rules/engine/textWithoutNames';
import type { PodSecurity } from '../../rules/framework/podSecurity';
import { levelVersionText } from '../../rules/framework/podSecurityLevels';
import type { RuleTarget } from '../../rules/framework/rule';
import { checkInputOf } from '../../rules/security/appliedPolicies';
import { checkFor, podCheckOf } from '../../rules/security/check';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import { isFromServer } from './fromServer';

/** An object whose Pods never come into the cluster, and why. */
export interface UnadmittedObject {
  readonly object: WorkspaceObject;
  readonly by: 'apiServer' | 'podSecurity';
  /** Upstream's words. */
  readonly message: string;
  /** The first error in plain words, with what to do. */
  readonly headline?: string;
}

interface Asked {
  readonly snapshot: Snapshot;
  readonly kube: Kube;
  readonly podSecurity: PodSecurity | undefined;
  readonly memory: Memo;
}

/** At most this number of one object's errors is told. */
const MOST_ERRORS = 3;

/**
 * The written Pods and workloads that the API server refuses, and those whose Pods the Pod Security admission refuses. What a
 * server gave out was let in before, and a Pod that names its node stands for one that runs.
 */
export function* refusedObjects(objects: readonly WorkspaceObject[], asked: Asked): Steps<readonly UnadmittedObject[]> {
  const makers = objects.filter(it => holdsPods(it.group, it.kind));
  const accepted = createSharedTexts<'accepted'>();
  const found = yield* mapInSteps(makers, it => refusalOf(it, asked, accepted));
  return found.filter(it => it !== undefined);
}

function refusalOf(
  object: WorkspaceObject,
  { snapshot, kube, podSecurity, memory }: Asked,
  accepted: SharedTexts<'accepted'>,
): UnadmittedObject | undefined {
  if (isThere(object)) return undefined;
  const { value } = object.manifest;
  const kind = kube.kindOf(object.apiVersion, object.kind);
  const invalid = memory.of('server refusal', value, [kube], () =>
    refusalUnlessAlike({ object, value, kind }, kube, accepted),
  );
  if (invalid !== undefined) return { object, by: 'apiServer', ...invalid };
  const insecure = podSecurityRefusal({ object, value, kind }, { snapshot, kube, podSecurity });
  return insecure === undefined ? undefined : { object, by: 'podSecurity', message: insecure };
}

function isThere({ kind, manifest: { value } }: WorkspaceObject): boolean {
  const { nodeName } = asObject(value.spec) ?? {};
  return isFromServer(value) || (kind === 'Pod' && typeof nodeName === 'string');
}

/** What the server accepts it accepts under other names, too. */
function refusalUnlessAlike(target: RuleTarget, kube: Kube, accepted: SharedTexts<'accepted'>): ServerRefusal {
  const nameless = accepted.isWorthIt() ? textWithoutNames(target)?.text : undefined;
  if (nameless !== undefined && accepted.get(nameless) !== undefined) return undefined;
  const refusal = serverRefusal(target, kube);
  if (nameless !== undefined && refusal === undefined) accepted.set(nameless, 'accepted');
  return refusal;
}

type ServerRefusal = Pick<UnadmittedObject, 'message' | 'headline'> | undefined;

function serverRefusal(target: RuleTarget, kube: Kube): ServerRefusal {
  const errors = (keptAnswer(target, kube)?.errors ?? []).filter(it => !isOfPlaceholder(it, target.value));
  const [first] = errors;
  if (first === undefined) return undefined;
  const more = errors.length - MOST_ERRORS;
  return {
    message: [...errors.slice(0, MOST_ERRORS).map(errorText), ...(more > 0 ? [`… (${more})`] : [])].join('; '),
    headline: message(serverFinding(first, target).facts).headline,
  };
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
