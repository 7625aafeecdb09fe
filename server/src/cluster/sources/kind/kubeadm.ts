import type { UnknownObject } from '../../../base/json';
import { printed } from '../../../base/printed';
import { gatesInFlag } from '../../../kube/gateFlag';
import type { Taint } from '../../../kube/types';
import { fieldsOf, listOf, textOf } from '../../decode/fields';

/** kubeadm's settings for a node: `nodeRegistration` of its InitConfiguration or JoinConfiguration. */
export interface Registration {
  /** undefined: kubeadm's default. */
  readonly taints?: readonly Taint[];
  /** Flags of the kubelet. */
  readonly args: ReadonlyMap<string, string>;
}

export interface Patching {
  readonly kind: 'InitConfiguration' | 'JoinConfiguration';
  /** The version of the configuration that kind writes for the node. */
  readonly version: 'v1beta3' | 'v1beta4';
  readonly onNote: (message: string) => void;
}

/** The version of kubeadm's configuration that kind writes for a minor. Upstream: kubeadm.Config of kind. */
export function kubeadmVersion(minor: string): Patching['version'] {
  return Number(minor.split('.')[1]) >= 36 ? 'v1beta4' : 'v1beta3';
}

/**
 * A registration after one patch of the configuration; patches for other kinds or versions are ignored. Upstream:
 * resource.applyMergePatch and walkAndMerge of kind.
 */
export function patched(registration: Registration, patch: UnknownObject, patching: Patching): Registration {
  if (patch.kind !== patching.kind) return registration;
  const version = textOf(patch.apiVersion);
  const written = `kubeadm.k8s.io/${patching.version}`;
  if (version !== '' && version !== written) {
    patching.onNote(`a patch for ${version} is not applied, as kind writes ${written} for this Kubernetes version`);
    return registration;
  }
  const { taints, kubeletExtraArgs } = fieldsOf(patch.nodeRegistration);
  const nextTaints = taints === undefined ? registration.taints : taintsOf(taints);
  return {
    ...(nextTaints && { taints: nextTaints }),
    args:
      kubeletExtraArgs === undefined
        ? registration.args
        : patchedArgs(registration.args, kubeletExtraArgs, version, patching),
  };
}

function taintsOf(value: unknown): readonly Taint[] | undefined {
  return value === null ? undefined : (listOf(value).map(fieldsOf) as readonly Taint[]);
}

/** v1beta4 has a list of names and values; kind converts a map where the patch names no version. */
function patchedArgs(
  args: Registration['args'],
  patch: unknown,
  version: string,
  { version: written, onNote }: Patching,
): Registration['args'] {
  const isMap = !Array.isArray(patch);
  if (written === 'v1beta3' ? !isMap : isMap && version !== '') {
    const wanted = written === 'v1beta3' ? 'a map' : 'a list of name and value';
    onNote(`kubeletExtraArgs of a patch is not applied: kubeadm ${written} has ${wanted} there`);
    return args;
  }
  const entries = isMap ? Object.entries(fieldsOf(patch)) : listOf(patch).map(fieldsOf).map(nameAndValue);
  const res = new Map(args);
  for (const [name, value] of entries) {
    if (value === null || value === undefined) res.delete(name);
    else res.set(name, printed(value));
  }
  return res;
}

const nameAndValue = ({ name, value }: UnknownObject): [string, unknown] => [textOf(name), value];

/** The taints of `--register-with-taints`: `key=value:effect` or `key:effect`, with commas between. */
export function parseTaints(flag: string): readonly Taint[] {
  return flag.split(',').flatMap((word): readonly Taint[] => {
    const [, key, value, effect] = /^([^=:]+)(?:=([^=:]*))?:([A-Za-z]+)$/.exec(word.trim()) ?? [];
    return key === undefined ? [] : [{ key, ...(value && { value }), ...(effect && { effect }) }];
  });
}

/** The pairs of a flag such as `--node-labels` or `--kube-reserved`. */
export function parsePairs(flag: string): Readonly<Record<string, string>> {
  const pairs = flag.split(',').map(it => it.trim().split('='));
  return Object.fromEntries(pairs.flatMap(([key = '', value = '']) => (key === '' ? [] : [[key, value]])));
}

/** The components whose gates decide what is stored and where Pods land. */
const GATED_COMPONENTS = ['apiServer', 'scheduler'];

/** The feature gates in the flags of components that patches of the ClusterConfiguration set. */
export function patchedGates(patches: readonly UnknownObject[]): Readonly<Record<string, boolean>> {
  const flags = patches
    .filter(it => it.kind === 'ClusterConfiguration')
    .flatMap(patch =>
      GATED_COMPONENTS.map(it => fieldsOf(fieldsOf(patch as Readonly<Record<string, unknown>>)[it]).extraArgs),
    )
    .flatMap(gateFlags);
  return Object.fromEntries(flags.flatMap(gatesInFlag).map(({ name, on }) => [name, on]));
}

/** A map of flags up to v1beta3, a list of names and values since v1beta4. */
function gateFlags(args: unknown): readonly string[] {
  if (!Array.isArray(args)) return [textOf(fieldsOf(args)['feature-gates'])];
  return listOf(args)
    .map(fieldsOf)
    .filter(it => it.name === 'feature-gates')
    .map(it => textOf(it.value));
}
