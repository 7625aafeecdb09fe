import { compareText } from '../../../base/compareText';
import { nextTurn } from '../../../base/nextTurn';
import type { WorkspaceObject } from '../../../workspace/object';
import type { Snapshot } from '../../../workspace/workspace';
import { textOf } from '../../engine/engine';
import type { PolicyAnswer } from '../../policySet';
import { celPoliciesOf } from '../celPolicies/celPolicy';
import { kyvernoPolicyOf } from '../policies/policy';
import { type KyvernoPolicies, kyvernoPoliciesOf } from './evaluatePolicies';

/** API groups of the policies and of the reports that Kyverno creates. */
export const OWN_GROUPS: ReadonlySet<string> = new Set([
  'kyverno.io',
  'policies.kyverno.io',
  'wgpolicyk8s.io',
  'cli.kyverno.io',
]);

/** The objects of the cluster: all manifests except patches and sources of rendered output. */
export const objectsOfCluster = (snapshot: Snapshot): readonly WorkspaceObject[] =>
  [...snapshot.files].flatMap(([uri, file]) => (snapshot.roles.of(file) === 'objects' ? snapshot.objectsIn(uri) : []));

/**
 * The policies among some objects, in the order of the paths of their files: the order of the files themselves depends on
 * which of them were created, or read, later. Upstream has no order (policycache is a set).
 */
export function policiesAmong(objects: readonly WorkspaceObject[]): KyvernoPolicies {
  const own = objects.filter(it => OWN_GROUPS.has(it.group));
  return kyvernoPoliciesOf(own.sort((a, b) => compareText(a.manifest.uri, b.manifest.uri)));
}

/**
 * What the results of some policies depend on: the policies, and the objects that variables and expressions may read.
 */
export function dependenciesOf(all: readonly WorkspaceObject[], policies: KyvernoPolicies): readonly object[] {
  const policyList = [...policies.policies, ...policies.celPolicies, ...policies.cleanupPolicies];
  const wanted = new Set(policyList.map(it => it.object));
  const isOther = (it: WorkspaceObject) =>
    !wanted.has(it) && (kyvernoPolicyOf(it) !== undefined || celPoliciesOf(it).length > 0);
  const own = all.filter(it => (OWN_GROUPS.has(it.group) && !isOther(it)) || it.kind === 'Namespace');
  const text = textOf(policyList.map(it => it.spec));
  const readsObjects =
    /"configMap":|"apiCall":|"paramKind":|"targets":|"targetMatchConstraints":|resource\.(get|list)|"clone/i.test(text);
  return (readsObjects ? all : own).map(it => it.manifest.contentId);
}

/** Objects, and results and changes of them, until other work of the event loop runs. */
const OBJECTS_AT_A_TIME = 8;
const ANSWERS_AT_A_TIME = 1_000;

/** Evaluates items in order and yields to the event loop in between. */
export async function withPauses<T, R extends Pick<PolicyAnswer, 'results' | 'mutations'>>(
  list: readonly T[],
  ask: (it: T, index: number) => R,
): Promise<readonly R[]> {
  const answers: R[] = [];
  let since = { objects: 0, answers: 0 };
  for (const [i, it] of list.entries()) {
    if (since.objects >= OBJECTS_AT_A_TIME || since.answers >= ANSWERS_AT_A_TIME) {
      await nextTurn();
      since = { objects: 0, answers: 0 };
    }
    const answer = ask(it, i);
    answers.push(answer);
    since.objects += 1;
    since.answers += answer.results.length + answer.mutations.length;
  }
  return answers;
}
