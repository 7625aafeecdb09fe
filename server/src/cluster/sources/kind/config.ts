import type { UnknownObject } from '../../../base/json';
import { type KubernetesVersion, versionIn } from '../../../kube/version';
import { fieldsOf, flagOf, listOf, textOf } from '../../decode/fields';

export type KindRole = 'control-plane' | 'worker';

/** One node container of a kind cluster, with its name. */
export interface KindNode {
  readonly name: string;
  readonly role: KindRole;
  /** '' for kind's default image. */
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  /** YAML texts, in the order in which kind applies them. */
  readonly patches: readonly string[];
  /** Whether there are JSON 6902 patches, which are not applied. */
  readonly hasJsonPatches: boolean;
}

export interface KindConfig {
  readonly name: string;
  /** In the order of the file; `kubeadm init` makes the first control plane. */
  readonly nodes: readonly KindNode[];
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly networking: { readonly cni: 'kindnet' | 'none'; readonly kubeProxy: 'installed' | 'none' };
}

/** Whether a document is a configuration of a kind cluster. */
export function isKindConfig({ apiVersion, kind }: UnknownObject): boolean {
  return kind === 'Cluster' && apiVersion === 'kind.x-k8s.io/v1alpha4';
}

/**
 * Reads a `Cluster` of kind.x-k8s.io/v1alpha4. Throws a TypeError where kind would refuse the configuration. Upstream:
 * config.SetDefaultsCluster, config.Cluster.Validate, common.MakeNodeNamer.
 */
export function readKindConfig(object: UnknownObject): KindConfig {
  const name = textOf(object.name) || 'kind';
  if (!/^[a-z0-9.-]+$/.test(name)) throw new TypeError(`"${name}" is not a name of a kind cluster`);
  const clusterPatches = listOf(object.kubeadmConfigPatches).map(textOf);
  const hasJsonPatches = listOf(object.kubeadmConfigPatchesJSON6902).length > 0;
  const nameOf = namer(name);
  const written = listOf(object.nodes).map(fieldsOf);
  const nodes = (written.length === 0 ? [{}] : written).map((node): KindNode => {
    const role = roleOf(textOf(node.role));
    return {
      name: nameOf(role),
      role,
      image: textOf(node.image),
      labels: textMap(node.labels),
      patches: [...clusterPatches, ...listOf(node.kubeadmConfigPatches).map(textOf)],
      hasJsonPatches: hasJsonPatches || listOf(node.kubeadmConfigPatchesJSON6902).length > 0,
    };
  });
  if (!nodes.some(it => it.role === 'control-plane'))
    throw new TypeError('it must have at least one control-plane node');
  const { disableDefaultCNI, kubeProxyMode } = fieldsOf(object.networking);
  return {
    name,
    nodes,
    featureGates: Object.fromEntries(
      Object.entries(fieldsOf(object.featureGates)).map(([gate, on]) => [gate, flagOf(on)]),
    ),
    networking: {
      cni: flagOf(disableDefaultCNI) ? 'none' : 'kindnet',
      kubeProxy: textOf(kubeProxyMode) === 'none' ? 'none' : 'installed',
    },
  };
}

function roleOf(role: string): KindRole {
  if (role === '') return 'control-plane';
  if (role === 'control-plane' || role === 'worker') return role;
  throw new TypeError(`"${role}" is not a role of a node; it must be control-plane or worker`);
}

/** The first node of a role has no number; the others are numbered from 2. */
function namer(cluster: string): (role: KindRole) => string {
  const counts = new Map<KindRole, number>();
  return role => {
    const count = (counts.get(role) ?? 0) + 1;
    counts.set(role, count);
    return `${cluster}-${role}${count === 1 ? '' : count}`;
  };
}

function textMap(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([key, it]) => [key, textOf(it)]));
}

/** The version in a node image's tag, for example 1.34.0 for `kindest/node:v1.34.0@sha256:…`. */
export function versionOfImage(image: string): KubernetesVersion | undefined {
  const [, tag = ''] = /:([\w.+-]+)(?:@[^/]*)?$/.exec(image) ?? [];
  return versionIn(tag);
}
