import type { WorkspaceObject } from '../../../workspace/object';
import type { Snapshot } from '../../../workspace/workspace';
import { textOf } from '../../engine/engine';
import { celPoliciesOf } from '../celPolicies/celPolicy';
import { kyvernoPolicyOf } from '../policies/policy';
import type { KyvernoPolicies } from './evaluatePolicies';

/** Groups whose objects are the policies themselves, or what Kyverno makes of them. */
export const OWN_GROUPS: ReadonlySet<string> = new Set([
  'kyverno.io',
  'policies.kyverno.io',
  'wgpolicyk8s.io',
  'cli.kyverno.io',
]);

/** Objects of a cluster: patches and sources of what is rendered are none. */
export const objectsOfCluster = (snapshot: Snapshot): readonly WorkspaceObject[] =>
  [...snapshot.files].flatMap(([uri, file]) => (snapshot.roles.of(file) === 'objects' ? snapshot.objectsIn(uri) : []));

/** What the answers of some policies hang on: themselves, and what variables and expressions may read. */
export function dependenciesOf(all: readonly WorkspaceObject[], policies: KyvernoPolicies): readonly object[] {
  const written = [...policies.policies, ...policies.celPolicies, ...policies.cleanupPolicies];
  const wanted = new Set(written.map(it => it.object));
  const isOther = (it: WorkspaceObject) =>
    !wanted.has(it) && (kyvernoPolicyOf(it) !== undefined || celPoliciesOf(it).length > 0);
  const own = all.filter(it => (OWN_GROUPS.has(it.group) && !isOther(it)) || it.kind === 'Namespace');
  const text = textOf(written.map(it => it.spec));
  const readsObjects =
    /"configMap":|"apiCall":|"paramKind":|"targets":|"targetMatchConstraints":|resource\.(get|list)|"clone/i.test(text);
  return (readsObjects ? all : own).map(it => it.manifest.contentId);
}

/** Objects asked about before other work gets its turn. */
const OBJECTS_AT_A_TIME = 8;

/** Asks about one after the other, and lets other work in between. */
export async function withPauses<T, R>(list: readonly T[], ask: (it: T, index: number) => R): Promise<readonly R[]> {
  const answers: R[] = [];
  for (const [i, it] of list.entries()) {
    if (i % OBJECTS_AT_A_TIME === OBJECTS_AT_A_TIME - 1) await new Promise(resolve => setTimeout(resolve));
    answers.push(ask(it, i));
  }
  return answers;
}
