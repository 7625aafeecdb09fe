import type { JsonObject } from '../../../../base/json';
import { mapField, withDefault, withDefaults } from '../../../../kube/goFields';

/** Defaults of string fields, which an empty string gets, too. */
const EMPTY: Readonly<Record<string, JsonObject>> = {
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
};

/** Defaults of pointers, which only an absent field gets. */
const ABSENT: Readonly<Record<string, JsonObject>> = {
  hostPath: { type: '' },
  azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
};

/**
 * A volume of a Pod or the spec of a PersistentVolume with the sources' defaults. Upstream:
 * SetDefaults_HostPathVolumeSource and the `+default` of the sources' fields.
 */
export function withSourceDefaults(of: JsonObject): JsonObject {
  const texts = Object.entries(EMPTY).reduce(
    (it, [source, defaults]) => mapField(it, source, found => withDefaults(found, defaults)),
    of,
  );
  return Object.entries(ABSENT).reduce(
    (it, [source, defaults]) => mapField(it, source, found => withAbsent(found, defaults)),
    texts,
  );
}

/** The object with defaults in fields that are absent or null. */
function withAbsent(of: JsonObject, defaults: JsonObject): JsonObject {
  return Object.entries(defaults).reduce((it, [field, value]) => withDefault(it, field, value ?? null), of);
}
