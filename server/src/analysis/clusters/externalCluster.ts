import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { type Memo, noMemo } from '../../base/memo';
import { ownerKeys } from '../../cluster/controllers/workloads';
import type { ClusterIndex } from '../../cluster/sources/clusterIndex';
import { identityOf } from '../../cluster/sources/snapshot';
import { sourceText } from '../../cluster/sources/source';
import { holdsPods } from '../../kube/podTemplates';
import type { OwnerReference, Pod } from '../../kube/types';
import { type KubernetesVersion, knownVersion, supportedMinors, versionIn, versionText } from '../../kube/version';
import { unaskedPolicies } from '../../policy/vap/policies';
import type { PlacementFacts } from '../../rules/framework/placementFacts';
import type { ClusterRequest } from './request';

/** A cluster from an external source: not embedded, and not in the files of the workspace. */
export interface ExternalCluster {
  readonly request: ClusterRequest;
  readonly known: ClusterIndex;
  readonly objects: readonly UnknownObject[];
}

export function externalCluster(request: ClusterRequest, known: ClusterIndex): ExternalCluster {
  return { request: request, known, objects: known.content.objects };
}

/** Whether its content is known: an unreachable cluster is not one without nodes. */
export function isReached({ known: { content } }: ExternalCluster): boolean {
  return content.state === 'ready' || content.objects.length > 0;
}

/** Whether its nodes are real, so that rules may report on them. */
export function tellsTruth({ known: { content } }: ExternalCluster): boolean {
  return content.state === 'ready';
}

/** kind's nodes have the size of the user's machine, which is assumed. */
export function sizesOf(outside: ExternalCluster | undefined): PlacementFacts['sizes'] {
  return outside?.request.source.from === 'kind' ? 'assumed' : 'known';
}

/** For the status item and the preview: `live:prod, 12 nodes`. */
export function labelOf({ request, known }: ExternalCluster): string {
  const { state } = known.content;
  if (state !== 'ready') return `${shortName(request)}, ${state === 'loading' ? t('loading') : t('unreachable')}`;
  const nodes = known.objectsOf('', 'Node').length;
  return `${shortName(request)}, ${nodes === 1 ? t('1 node') : t`${nodes} nodes`}`;
}

/** The source with only the name of its file. */
export function shortName({ source }: ClusterRequest): string {
  if (!('file' in source)) return sourceText(source);
  return sourceText({
    ...source,
    file: source.file.slice(Math.max(source.file.lastIndexOf('/'), source.file.lastIndexOf('\\')) + 1),
  });
}

/** Notes about a source, in addition to those about its placement. */
export function notesOf({ request, known }: ExternalCluster, kube: KubernetesVersion): readonly string[] {
  const { kubernetesVersion, notes, state, reason, listings } = known.content;
  const unknown = unknownVersionNote(request, known, kube);
  const other =
    unknown === undefined && kubernetesVersion !== undefined && isOtherVersion(kubernetesVersion, kube)
      ? [t`${shortName(request)} runs Kubernetes ${kubernetesVersion}; it is treated as ${versionText(kube)}.`]
      : [unknown ?? []].flat();
  const lacking = PLACING.filter(kind =>
    listings.some(it => it.kind === kind && !['listed', 'unserved'].includes(it.state)),
  );
  return [
    ...(state === 'unreachable'
      ? [t`${shortName(request)} cannot be used: ${reason ?? t('it does not answer')}.`]
      : []),
    ...(lacking.length > 0 ? [t`${shortName(request)} does not tell all of: ${lacking.join(', ')}.`] : []),
    ...other,
    ...unaskedPolicies(known).map(
      ({ policy, params }) =>
        t`${policy} of ${shortName(request)} is not asked: its parameters (${params}) are not read.`,
    ),
    ...notes,
  ];
}

/** Says that a cluster runs a minor that Berth does not know; undefined where it knows it, or the cluster tells none. */
export function unknownVersionNote(
  request: ClusterRequest,
  { content: { kubernetesVersion } }: ClusterIndex,
  kube: KubernetesVersion,
): string | undefined {
  if (kubernetesVersion === undefined || knownVersion(kubernetesVersion) !== undefined) return undefined;
  const minors = supportedMinors.join(', ');
  return t`${shortName(request)} runs Kubernetes ${kubernetesVersion}, which Berth does not know; it is treated as ${versionText(kube)}. Known: ${minors}.`;
}

/** Whether a cluster's version contradicts that of the settings, which may leave the patch release open. */
function isOtherVersion(text: string, { minor, patch }: KubernetesVersion): boolean {
  const version = versionIn(text);
  if (version?.minor !== minor) return true;
  return patch !== undefined && version.patch !== undefined && version.patch !== patch;
}

/** Kinds without which a placement is not meaningful. */
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
 * The objects of a workspace on top of those of a cluster. Nodes of the cluster replace those of the workspace, and Pods
 * that run on other nodes are left out. For objects in both, those of the workspace count. The cluster's Pods of a
 * workload in the workspace are left out, because the simulation places them. Other pending Pods stay pending.
 */
export function overlaidOn(
  cluster: readonly UnknownObject[],
  objects: readonly UnknownObject[],
  memory: Memo = noMemo(),
): readonly UnknownObject[] {
  const ownerships = cluster.map(it => memory.of('ownership in its cluster', it, [], () => ownershipOf(it)));
  const nodes = new Set(ownerships.flatMap(it => it.node ?? []));
  const own = objects.filter(it => it.kind !== 'Node' && isOn(nodes, nodeNameOf(it)));
  const written = new Set(own.map(keyOf));
  const owners = new Set(own.map(ownerKeyOf));
  const isOthers = ({ key, makers }: Ownership): boolean =>
    !written.has(key) && makers !== undefined && !makers.some(it => owners.has(it));
  return [...cluster.filter((_, i) => isOthers(ownerships[i]!)), ...own];
}

interface Ownership {
  readonly key: string;
  /** The name of a Node. */
  readonly node?: string;
  /** The workloads that own a Pod; absent for what is left out: pending Pods, and workloads. */
  readonly makers?: readonly string[];
}

/** Missing Pods of the cluster's own workloads, and its pending Pods, are left to its controllers. */
function ownershipOf(object: UnknownObject): Ownership {
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

/** In the format of `ownerKeys`. */
function ownerKeyOf(object: UnknownObject): string {
  const { kind, namespace = 'default', name } = identityOf(object);
  return `${namespace}/${kind}/${name}`;
}

function keyOf(object: UnknownObject): string {
  const { group, kind, namespace = '', name } = identityOf(object);
  return `${group}/${kind}/${namespace}/${name}`;
}
