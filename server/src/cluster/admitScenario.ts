import type { UnknownObject } from '../base/json';
import { t } from '../base/l10n';
import type { Memo } from '../base/memo';
import type { Steps } from '../base/steps';
import type { Node, PersistentVolumeClaim, Pod, StorageClass, StringMap } from '../kube/types';
import { ADMISSION_KINDS, admissionFacts } from './admission/admission';
import { MOST_LIMIT_RANGES } from './admission/limitRanger';
import type { MutationAdmission } from './admission/mutationAdmission';
import { defaultClassOf } from './admission/storageClass';
import type { MadePod } from './controllers/workloads';
import { admitPods, isOldClaim, type PodAdmission } from './podModels';
import type { Note } from './pods/note';
import type { PodModel } from './pods/podModel';
import type { ClusterOptions, ScenarioOptions } from './scenarioOptions';

interface AdmissionInput {
  readonly scenarioOptions: ScenarioOptions;
  readonly options: ClusterOptions;
  readonly mutationAdmission: MutationAdmission;
  readonly memory: Memo;
  readonly notes: Note[];
}

/** Admits Pods and claims, as written and as made by workloads. */
export function* admitScenario(
  byKind: ReadonlyMap<string, readonly UnknownObject[]>,
  made: readonly MadePod[],
  {
    scenarioOptions: { admissionPlugins: plugins },
    options: { askPolicies, invalidityOf },
    mutationAdmission,
    memory,
    notes,
  }: AdmissionInput,
): Steps<PodAdmission> {
  const read = ADMISSION_KINDS.flatMap(it => byKind.get(it) ?? []);
  const facts = memory.last('facts', [...plugins, invalidityOf, ...read], () =>
    admissionFacts(byKind, it => plugins.has(it), { invalidityOf }),
  );
  for (const [namespace, { leftOut }] of facts.isEnabled('LimitRanger') ? facts.limitRanges : []) {
    if (leftOut > 0) notes.push({ message: manyRangesNote(namespace, leftOut) });
  }
  const withClass = plugins.has('DefaultStorageClass')
    ? defaultClassOf((byKind.get('StorageClass') ?? []) as readonly StorageClass[])
    : (it: PersistentVolumeClaim) => it;
  const admittedClaims = (claims: readonly PersistentVolumeClaim[]): readonly PersistentVolumeClaim[] =>
    askPolicies ? claims.flatMap(it => admittedClaim(it, withClass, mutationAdmission.admit)) : claims.map(withClass);
  const arrivals = {
    pods: (byKind.get('Pod') ?? []) as readonly Pod[],
    claims: admittedClaims((byKind.get('PersistentVolumeClaim') ?? []) as readonly PersistentVolumeClaim[]),
    made: made.map(it => ({ ...it, claims: admittedClaims(it.claims) })),
    topology: plugins.has('PodTopologyLabels') ? labelsOfNodes(byKind) : () => undefined,
    askPolicies,
  };
  const admitted = yield* admitPods(arrivals, facts, memory, notes);
  for (const each of podsWithoutNode(admitted.running, (byKind.get('Node') ?? []) as readonly Node[])) notes.push(each);
  return admitted;
}

/** That Pods are not compared with all LimitRanges of their namespace. */
const manyRangesNote = (namespace: string, leftOut: number): string =>
  t`Pods of the namespace ${namespace} are compared with ${MOST_LIMIT_RANGES} of its LimitRanges, and not with ${leftOut} more.`;

/**
 * A claim with its class, after the policies. One that is bound or was processed by a controller was admitted before.
 */
function admittedClaim(
  claim: PersistentVolumeClaim,
  withClass: (claim: PersistentVolumeClaim) => PersistentVolumeClaim,
  admitObject: MutationAdmission['admit'],
): readonly PersistentVolumeClaim[] {
  const withItsClass = withClass(claim);
  if (isOldClaim(claim)) return [withItsClass];
  return admitObject(withItsClass).map(withClass);
}

function labelsOfNodes(byKind: ReadonlyMap<string, readonly UnknownObject[]>): (node: string) => StringMap | undefined {
  const nodes = (byKind.get('Node') ?? []) as readonly Node[];
  const labels = new Map(nodes.map(it => [it.metadata?.name, it.metadata?.labels]));
  return node => labels.get(node);
}

/** Notes about Pods whose node does not exist; such Pods count only for selectors over all Pods. */
function podsWithoutNode(running: readonly PodModel[], nodes: readonly Node[]): readonly Note[] {
  const names = new Set(nodes.map(it => it.metadata?.name));
  const counts = new Map<string, number>();
  for (const { nodeName = '' } of running) {
    if (!names.has(nodeName)) counts.set(nodeName, (counts.get(nodeName) ?? 0) + 1);
  }
  return [...counts].map(([node, count]) => ({
    message:
      count === 1
        ? t`A Pod names the node ${node}, which is not there.`
        : t`${count} Pods name the node ${node}, which is not there.`,
  }));
}
