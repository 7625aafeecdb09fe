import { ownOf } from '../../base/ownOf';

/** Fields of a Go struct that are inline in JSON; the decoder prints the struct's name in paths. */
interface Embedded {
  /** The name, or those of a struct and one inside it. */
  readonly struct: readonly string[];
  readonly has: (field: string) => boolean;
}

const ADMISSION = 'io.k8s.api.admissionregistration';
const CORE = 'io.k8s.api.core.v1';
const RESOURCE = 'io.k8s.api.resource.v1';

const only =
  (...fields: string[]) =>
  (field: string) =>
    fields.includes(field);
const allBut =
  (...fields: string[]) =>
  (field: string) =>
    !fields.includes(field);

const reference: Embedded = { struct: ['LocalObjectReference'], has: only('name') };
const probe: Embedded = { struct: ['ProbeHandler'], has: only('exec', 'httpGet', 'tcpSocket', 'grpc') };
const deviceConfiguration: Embedded = { struct: ['DeviceConfiguration'], has: only('opaque') };

const rule = ['apiGroups', 'apiVersions', 'resources', 'scope'];
const namedRules = ['v1', 'v1beta1', 'v1alpha1'].map(it => `${ADMISSION}.${it}.NamedRuleWithOperations`);

const byDefinition: Readonly<Record<string, Embedded | readonly Embedded[]>> = {
  [`${ADMISSION}.v1.RuleWithOperations`]: { struct: ['Rule'], has: only(...rule) },
  ...Object.fromEntries(
    namedRules.map(it => [
      it,
      [
        { struct: ['RuleWithOperations'], has: only('operations') },
        { struct: ['RuleWithOperations', 'Rule'], has: only(...rule) },
      ],
    ]),
  ),
  [`${CORE}.Volume`]: { struct: ['VolumeSource'], has: allBut('name') },
  [`${CORE}.PersistentVolumeClaim`]: { struct: ['TypeMeta'], has: only('apiVersion', 'kind') },
  [`${CORE}.PersistentVolumeSpec`]: {
    struct: ['PersistentVolumeSource'],
    has: allBut(
      'accessModes',
      'capacity',
      'claimRef',
      'mountOptions',
      'nodeAffinity',
      'persistentVolumeReclaimPolicy',
      'storageClassName',
      'volumeAttributesClassName',
      'volumeMode',
    ),
  },
  [`${CORE}.EphemeralContainer`]: { struct: ['EphemeralContainerCommon'], has: allBut('targetContainerName') },
  [`${CORE}.Probe`]: probe,
  [`${CORE}.ConfigMapEnvSource`]: reference,
  [`${CORE}.ConfigMapKeySelector`]: reference,
  [`${CORE}.ConfigMapProjection`]: reference,
  [`${CORE}.ConfigMapVolumeSource`]: reference,
  [`${CORE}.SecretEnvSource`]: reference,
  [`${CORE}.SecretKeySelector`]: reference,
  [`${CORE}.SecretProjection`]: reference,
  'io.k8s.api.networking.v1.IngressRule': { struct: ['IngressRuleValue'], has: only('http') },
  [`${RESOURCE}.DeviceClaimConfiguration`]: deviceConfiguration,
  [`${RESOURCE}.DeviceAllocationConfiguration`]: deviceConfiguration,
};

/** The inline structs that hold a field of a definition, the outer one first. Upstream: the Go types' `json:",inline"`. */
export function embeddedStructs(definition: string, field: string): readonly string[] {
  const embedded = ownOf(byDefinition, definition);
  return (embedded === undefined ? [] : [embedded].flat()).find(it => it.has(field))?.struct ?? [];
}
