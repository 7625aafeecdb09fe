import { nextTurn } from '../../../base/nextTurn';
import type { WorkspaceObject } from '../../../workspace/object';
import { objectsOfGroups } from '../../../workspace/objectsOfGroups';
import type { Snapshot } from '../../../workspace/workspace';
import { textOf } from '../../engine/engine';
import { type ObjectsAmong, objectsAmong, type PolicyAnswer } from '../../policySet';
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

/** Whether an object comes to the cluster as it is written: patches and sources of rendered output do not. */
const isOfCluster =
  ({ files, roles }: Snapshot) =>
  ({ manifest: { uri } }: WorkspaceObject): boolean => {
    const file = files.get(uri);
    return file !== undefined && roles.of(file) === 'objects';
  };

/** What Kyverno's policies are asked about: all objects of the cluster but its own. */
export function judgedObjects(snapshot: Snapshot): ObjectsAmong {
  const isThere = isOfCluster(snapshot);
  return objectsAmong(snapshot, it => !OWN_GROUPS.has(it.group) && isThere(it));
}

/** Kyverno's own objects of the cluster. */
const ownObjects = (snapshot: Snapshot): readonly WorkspaceObject[] =>
  objectsOfGroups(snapshot, OWN_GROUPS).filter(isOfCluster(snapshot));

/**
 * The policies, in the order of the paths of their files: the order of the files themselves depends on which of them were created,
 * or read, later. Upstream has no order (policycache is a set).
 */
export const policiesOf = (snapshot: Snapshot): KyvernoPolicies => kyvernoPoliciesOf(ownObjects(snapshot));

/**
 * What the results of some policies depend on: the policies, and the objects that variables and expressions may read.
 */
export function dependenciesOf(snapshot: Snapshot, policies: KyvernoPolicies): readonly object[] {
  const policyList = [...policies.policies, ...policies.celPolicies, ...policies.cleanupPolicies];
  const wanted = new Set(policyList.map(it => it.object));
  const isOther = (it: WorkspaceObject) =>
    !wanted.has(it) && (kyvernoPolicyOf(it) !== undefined || celPoliciesOf(it).length > 0);
  const own = [...ownObjects(snapshot).filter(it => !isOther(it)), ...snapshot.objectsOf('', 'Namespace')];
  const text = textOf(policyList.map(it => it.spec));
  const readsAny = /"apiCall":|"paramKind":|"targets":|"targetMatchConstraints":|resource\.(get|list)|"clone/i.test(
    text,
  );
  // A context names them by expressions, so that any may be read.
  const configMaps = /"configMap":/.test(text) ? snapshot.objectsOf('', 'ConfigMap') : [];
  return [...own, ...(readsAny ? judgedObjects(snapshot)() : configMaps)].map(it => it.manifest.contentId);
}

/** Objects, their results and changes, and the work for them (`PolicyAnswer`), until other work of the event loop runs. */
const AT_A_TIME = { objects: 8, answers: 1_000, work: 10_000 };

/** Evaluates items in order and yields to the event loop in between. */
export async function withPauses<T, R extends Pick<PolicyAnswer, 'results' | 'mutations' | 'work'>>(
  list: readonly T[],
  ask: (it: T, index: number) => R,
): Promise<readonly R[]> {
  const answers: R[] = [];
  let since = { objects: 0, answers: 0, work: 0 };
  for (const [i, it] of list.entries()) {
    if (since.objects >= AT_A_TIME.objects || since.answers >= AT_A_TIME.answers || since.work >= AT_A_TIME.work) {
      await nextTurn();
      since = { objects: 0, answers: 0, work: 0 };
    }
    const answer = ask(it, i);
    answers.push(answer);
    since.objects += 1;
    since.answers += answer.results.length + answer.mutations.length;
    since.work += answer.work ?? 0;
  }
  return answers;
}
