import type { UnknownObject } from '../../../base/json';
import { t } from '../../../base/l10n';
import type { ClusterIndex } from '../../../cluster/sources/clusterIndex';
import { identityOf } from '../../../cluster/sources/snapshot';
import type { PersistentVolumeClaim, PriorityClass, RuntimeClass, StorageClass } from '../../../kube/types';
import type { FieldPath } from '../../../manifest/fieldPath';
import { plainMarkdown } from '../../../text/markdown';
import type { WorkspaceObject } from '../../../workspace/object';
import { type ObjectTarget, targetsAt } from '../../../workspace/references/references';
import type { Snapshot } from '../../../workspace/workspace';
import { shortName } from '../../clusters/externalCluster';
import type { Environment } from '../../state/environments';

interface Known {
  readonly snapshot: Snapshot;
  readonly cluster: ClusterIndex | undefined;
  readonly environment: Environment;
}

/** Facts from the chosen cluster about the object that a field refers to, if the workspace does not have it. */
export function clusterSections(
  { snapshot, cluster, environment }: Known,
  from: WorkspaceObject,
  path: FieldPath,
): readonly string[] {
  const request = environment.cluster;
  if (cluster === undefined || request === undefined) return [];
  const targets = targetsAt(from, path).filter((it): it is ObjectTarget => it.to === 'object' && it.name !== '');
  return targets.flatMap(target => {
    const { group, kind, namespace, name } = target;
    if (snapshot.find(group, kind, namespace, name).length > 0) return [];
    const where = plainMarkdown(t`the cluster (${shortName(request)})`);
    const object = plainMarkdown(`${kind} ${name}`);
    if (cluster.has(group, kind, namespace, name)) {
      return [t`**${object}** is in ${where}${plainMarkdown(detailsOf(cluster, target))}.`];
    }
    return cluster.isListed(group, kind, namespace) ? [t`${object} is not in ${where}.`] : [];
  });
}

function detailsOf(cluster: ClusterIndex, { group, kind, namespace, name }: ObjectTarget): string {
  const found = cluster.objectsOf(group, kind).find(it => {
    const own = identityOf(it);
    return own.name === name && own.namespace === namespace;
  });
  const details = found && Object.hasOwn(DETAILS, kind) ? (DETAILS[kind]?.(found) ?? []) : [];
  const parts = details.filter(it => it !== undefined);
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`;
}

const DETAILS: Readonly<Record<string, (object: UnknownObject) => readonly (string | undefined)[]>> = {
  PriorityClass: ({ value, preemptionPolicy }: PriorityClass) => [
    t`priority ${value ?? 0}`,
    preemptionPolicy === 'Never' ? t('never preempts') : undefined,
  ],
  StorageClass: ({ provisioner, volumeBindingMode = 'Immediate', reclaimPolicy = 'Delete' }: StorageClass) => [
    t`provisioner ${provisioner}`,
    volumeBindingMode,
    reclaimPolicy,
  ],
  PersistentVolumeClaim: ({ spec, status }: PersistentVolumeClaim) => [
    status?.phase,
    spec?.resources?.requests?.storage === undefined ? undefined : t`${spec.resources.requests.storage} requested`,
    spec?.storageClassName,
  ],
  RuntimeClass: ({ handler }: RuntimeClass) => [t`handler ${handler}`],
};
