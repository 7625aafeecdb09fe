import type { ClusterModel } from '../../cluster/clusterModel';
import { ownersOf } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import { groupOfPodKind, podSpecPath } from '../../kube/podTemplates';
import type { PodSpec } from '../../kube/types';
import type { Holder } from './candidate';
import { type Documents, type ObjectRef, valueIn } from './edits';

/** The object in which a Pod's spec is written: the Pod itself, or its top-level workload among the documents. */
export function holderOf(
  pod: Pick<PodModel, 'source'>,
  cluster: ClusterModel,
  documents: Documents,
): Holder | undefined {
  const { name = '', namespace = 'default' } = pod.source.metadata ?? {};
  const own: ObjectRef = { group: '', kind: 'Pod', namespace, name };
  const owners = ownersOf(pod, cluster).map(it => ({ ...it, group: groupOfPodKind(it.kind) ?? '', namespace }));
  const ref = [...owners, own].findLast(it => documents.find(it) !== undefined);
  return ref && holderIn(ref, documents);
}

/** The same holder in other documents. */
export function holderIn(ref: ObjectRef, documents: Documents): Holder | undefined {
  const specPath = podSpecPath(ref.kind);
  const spec = specPath && valueIn(documents.find(ref), specPath);
  if (specPath === undefined || typeof spec !== 'object' || spec === null) return undefined;
  return { ref, specPath, spec: spec as PodSpec };
}
