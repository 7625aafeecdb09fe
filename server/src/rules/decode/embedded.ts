/** Fields of a Go struct that are inline in JSON; the decoder prints the struct's name in paths. */
interface Embedded {
  readonly struct: string;
  readonly has: (field: string) => boolean;
}

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

const reference: Embedded = { struct: 'LocalObjectReference', has: only('name') };
const probe: Embedded = { struct: 'ProbeHandler', has: only('exec', 'httpGet', 'tcpSocket', 'grpc') };
const deviceConfiguration: Embedded = { struct: 'DeviceConfiguration', has: only('opaque') };

const byDefinition: Readonly<Record<string, Embedded>> = {
  [`${CORE}.Volume`]: { struct: 'VolumeSource', has: allBut('name') },
  [`${CORE}.PersistentVolumeClaim`]: { struct: 'TypeMeta', has: only('apiVersion', 'kind') },
  [`${CORE}.PersistentVolumeSpec`]: {
    struct: 'PersistentVolumeSource',
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
  [`${CORE}.EphemeralContainer`]: { struct: 'EphemeralContainerCommon', has: allBut('targetContainerName') },
  [`${CORE}.Probe`]: probe,
  [`${CORE}.ConfigMapEnvSource`]: reference,
  [`${CORE}.ConfigMapKeySelector`]: reference,
  [`${CORE}.ConfigMapProjection`]: reference,
  [`${CORE}.ConfigMapVolumeSource`]: reference,
  [`${CORE}.SecretEnvSource`]: reference,
  [`${CORE}.SecretKeySelector`]: reference,
  [`${CORE}.SecretProjection`]: reference,
  'io.k8s.api.networking.v1.IngressRule': { struct: 'IngressRuleValue', has: only('http') },
  [`${RESOURCE}.DeviceClaimConfiguration`]: deviceConfiguration,
  [`${RESOURCE}.DeviceAllocationConfiguration`]: deviceConfiguration,
};

/** The inline struct that has a field of a definition, if there is one. Upstream: the Go types' `json:",inline"`. */
export function embeddedStruct(definition: string, field: string): string | undefined {
  const embedded = Object.hasOwn(byDefinition, definition) ? byDefinition[definition] : undefined;
  return embedded?.has(field) ? embedded.struct : undefined;
}
