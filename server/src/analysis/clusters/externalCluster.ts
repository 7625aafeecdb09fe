import { t } from '@vscode/l10n';
import type { UnknownObject } from '../../base/json';
import { type Memo, noMemo } from '../../base/memo';
import { ownerKeys } from '../../cluster/controllers/workloads';
import type { ClusterIndex } from '../../cluster/sources/clusterIndex';
import { identityOf } from '../../cluster/sources/snapshot';
import { sourceText } from '../../cluster/sources/source';
import { holdsPods } from '../../kube/podTemplates';
import type { OwnerReference, Pod } from '../../kube/types';
import type { PlacementFacts } from '../../rules/framework/placementFacts';
import type { ClusterRequest } from './request';

/** A cluster that is neither embedded nor written in the workspace, and where it comes from. */
export interface ExternalCluster {
  readonly wish: ClusterRequest;
  readonly known: ClusterIndex;
  readonly objects: readonly UnknownObject[];
}

export function externalCluster(wish: ClusterRequest, known: ClusterIndex): ExternalCluster {
  return { wish, known, objects: known.content.objects };
}

/** Whether there is anything to place Pods on: a cluster that was never seen is not one without nodes. */
export function isReached({ known: { content } }: ExternalCluster): boolean {
  return content.state === 'ready' || content.objects.length > 0;
}

/** Whether rules may speak of its nodes. */
export function tellsTruth({ known: { content } }: ExternalCluster): boolean {
  return content.state === 'ready';
}

/** kind's nodes run on the machine of the user, whose size is assumed. */
export function sizesOf(outside: ExternalCluster | undefined): PlacementFacts['sizes'] {
  return outside?.wish.source.from === 'kind' ? 'assumed' : 'known';
}

/** For the status item and the preview: `live:prod, 12 nodes`. */
export function labelOf({ wish, known }: ExternalCluster): string {
  const { state } = known.content;
  if (state !== 'ready') return `${shortName(wish)}, ${state === 'loading' ? t('loading') : t('unreachable')}`;
  const nodes = known.objectsOf('', 'Node').length;
  return `${shortName(wish)}, ${nodes === 1 ? t('1 node') : t`${nodes} nodes`}`;
}

/** The source with no more than the name of its file. */
export function shortName({ source }: ClusterRequest): string {
  if (!('file' in source)) return sourceText(source);
  return sourceText({
    ...source,
    file: source.file.slice(Math.max(source.file.lastIndexOf('/'), source.file.lastIndexOf('\\')) + 1),
  });
}

/** What is to be said of a source beside what is placed on it. */
export function notesOf({ wish, known: { content } }: ExternalCluster, minor: string): readonly string[] {
  const { kubernetesVersion, notes, state, reason, listings } = content;
  const other =
    kubernetesVersion !== undefined && kubernetesVersion !== minor
      ? [
          t`${shortName(wish)} runs Kubernetes ${kubernetesVersion}; it is treated as ${minor}, the version of the settings.`,
        ]
      : [];
  const lacking = PLACING.filter(kind =>
    listings.some(it => it.kind === kind && !['listed', 'unserved'].includes(it.state)),
  );
  return [
    ...(state === 'unreachable' ? [t`${shortName(wish)} cannot be used: ${reason ?? t('it does not answer')}.`] : []),
    ...(lacking.length > 0 ? [t`${shortName(wish)} does not tell all of: ${lacking.join(', ')}.`] : []),
    ...other,
    ...notes,
  ];
}

/** Kinds without which a placement says little. */
const PLACING = [
  'Node',
  'Pod',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'StorageClass',
  'PriorityClass',
  'CSINode',
];

/**
 * The objects of a workspace inside a cluster. Its Nodes count in place of theirs, and Pods that run on other nodes are
 * left out. What both write is as the workspace wants it to be; Pods in the cluster of a workload that the workspace
 * writes are not there yet, as it is asked where this workload's Pods go. Pods of others that wait for a node go on
 * waiting.
 */
export function overlaidOn(
  cluster: readonly UnknownObject[],
  objects: readonly UnknownObject[],
  memory: Memo = noMemo(),
): readonly UnknownObject[] {
  const standings = cluster.map(it => memory.of('standing in its cluster', it, [], () => standingOf(it)));
  const nodes = new Set(standings.flatMap(it => it.node ?? []));
  const own = objects.filter(it => it.kind !== 'Node' && isOn(nodes, nodeNameOf(it)));
  const written = new Set(own.map(keyOf));
  const owners = new Set(own.map(ownerKeyOf));
  const isOthers = ({ key, makers }: Standing): boolean =>
    !written.has(key) && makers !== undefined && !makers.some(it => owners.has(it));
  return [...cluster.filter((_, i) => isOthers(standings[i]!)), ...own];
}

interface Standing {
  readonly key: string;
  /** The name of a Node. */
  readonly node?: string;
  /** Workloads that a Pod belongs to; absent for what is left out: Pods that wait for a node, and workloads. */
  readonly makers?: readonly string[];
}

/** What the cluster's own workloads lack, and when its Pods find a node, is the business of its controllers. */
function standingOf(object: UnknownObject): Standing {
  const key = keyOf(object);
  const { group, kind, name } = identityOf(object);
  if (kind === 'Node') return { key, node: name, makers: [] };
  if (kind !== 'Pod') return holdsPods(group, kind) ? { key } : { key, makers: [] };
  if (nodeNameOf(object) === undefined) return { key };
  const { namespace = 'default', ownerReferences } = (object as Pod).metadata ?? {};
  const owners = Array.isArray(ownerReferences) ? (ownerReferences as readonly OwnerReference[]) : [];
  return { key, makers: owners.flatMap(it => (it ? ownerKeys(namespace, it) : [])) };
}

const isOn = (nodes: ReadonlySet<string>, node: string | undefined): boolean => node === undefined || nodes.has(node);

function nodeNameOf({ kind, spec }: UnknownObject): string | undefined {
  const { nodeName } = (spec ?? {}) as { readonly nodeName?: unknown };
  return kind === 'Pod' && typeof nodeName === 'string' && nodeName !== '' ? nodeName : undefined;
}

/** As `ownerKeys` has it. */
function ownerKeyOf(object: UnknownObject): string {
  const { kind, namespace = 'default', name } = identityOf(object);
  return `${namespace}/${kind}/${name}`;
}

function keyOf(object: UnknownObject): string {
  const { group, kind, namespace = '', name } = identityOf(object);
  return `${group}/${kind}/${namespace}/${name}`;
}
