import { asObject, type JsonValue } from '../base/json';

/** The merge key of a list's items, by the list's name. Upstream: x-kubernetes-patch-merge-key of k8s.io/api. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  volumes: 'name',
  env: 'name',
  imagePullSecrets: 'name',
  secrets: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  hostAliases: 'ip',
  topologySpreadConstraints: 'topologyKey',
  resourceClaims: 'name',
  schedulingGates: 'name',
  ownerReferences: 'uid',
  conditions: 'type',
  webhooks: 'name',
  addresses: 'type',
  podIPs: 'ip',
  hostIPs: 'ip',
  taints: 'key',
};

/** The merge key of `ports` is the container's or the service's port number. */
const PORT_KEYS = ['containerPort', 'port'];

/**
 * The field by which a strategic merge patch finds the items of a list; undefined for a list that it replaces as a whole.
 * @param items Those of the list and those of the patch.
 */
export function mergeKeyOf(list: string, items: readonly JsonValue[]): string | undefined {
  const hasAll = (key: string) => items.every(it => asObject(it)?.[key] !== undefined);
  const candidates = list === 'ports' ? PORT_KEYS : [Object.hasOwn(MERGE_KEYS, list) ? MERGE_KEYS[list] : undefined];
  return items.length === 0 ? undefined : candidates.find((it): it is string => it !== undefined && hasAll(it));
}
