import { lazyByObject } from '../../../base/lazy';
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
export const isOfCluster =
  ({ files, roles }: Snapshot) =>
  ({ manifest: { uri } }: WorkspaceObject): boolean => {
    const file = files.get(uri);
    return file !== undefined && roles.of(file) === 'objects';
  };

function judgedAmong(snapshot: Snapshot): ObjectsAmong {
  const isThere = isOfCluster(snapshot);
  return objectsAmong(snapshot, it => !OWN_GROUPS.has(it.group) && isThere(it));
}

/** Listed once for each state: to look at thousands of files takes milliseconds. */
const allJudged = lazyByObject((snapshot: Snapshot) => judgedAmong(snapshot)());

/** What Kyverno's policies are asked about: all objects of the cluster but its own. */
export const judgedObjects =
  (snapshot: Snapshot): ObjectsAmong =>
  among =>
    among === undefined ? allJudged(snapshot) : judgedAmong(snapshot)(among);

/** Kyverno's own objects of the cluster. */
const ownObjects = (snapshot: Snapshot): readonly WorkspaceObject[] =>
  objectsOfGroups(snapshot, OWN_GROUPS).filter(isOfCluster(snapshot));

/**
 * The policies, in the order of the paths of their files: the order of the files themselves depends on which of them were created,
 * or read, later. Upstream has no order (policycache is a set).
 */
export const policiesOf = (snapshot: Snapshot): KyvernoPolicies => kyvernoPoliciesOf(ownObjects(snapshot));

/** Which objects the text of a policy may have it read. */
const readBy = lazyByObject((spec: object): 'any' | 'ConfigMaps' | 'none' => {
  const text = textOf(spec);
  if (/"apiCall":|"paramKind":|"targets":|"targetMatchConstraints":|resource\.(get|list)|"clone/i.test(text))
    return 'any';
  return /"configMap":/.test(text) ? 'ConfigMaps' : 'none';
});

/** What the results of some policies depend on beside the object that they are asked about. */
export interface PolicySources {
  /** The policies, and what each of them may depend on. */
  readonly dependencies: readonly object[];
  /** The objects that variables and expressions may read; absent: none. What is read of them is noted. */
  readonly inventory?: readonly WorkspaceObject[];
}

export function sourcesOf(snapshot: Snapshot, policies: KyvernoPolicies): PolicySources {
  const policyList = [...policies.policies, ...policies.celPolicies, ...policies.cleanupPolicies];
  const wanted = new Set(policyList.map(it => it.object));
  const isOther = (it: WorkspaceObject) =>
    !wanted.has(it) && (kyvernoPolicyOf(it) !== undefined || celPoliciesOf(it).length > 0);
  const own = [...ownObjects(snapshot).filter(it => !isOther(it)), ...snapshot.objectsOf('', 'Namespace')];
  const read = new Set(policyList.map(it => readBy(it.spec)));
  // A context names ConfigMaps by expressions, so that any may be read.
  const configMaps = read.has('ConfigMaps') ? snapshot.objectsOf('', 'ConfigMap') : undefined;
  const inventory = read.has('any') ? allJudged(snapshot) : configMaps;
  return { dependencies: own.map(it => it.manifest.contentId), ...(inventory && { inventory }) };
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
