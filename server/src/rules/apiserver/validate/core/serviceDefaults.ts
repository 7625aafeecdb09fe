import type { JsonObject } from '../../../../base/json';
import {
  get,
  int,
  items,
  mapItems,
  optionalInt,
  record,
  text,
  withDefault,
  withDefaults,
  without,
} from '../../../../kube/goFields';
import { isExternallyAccessible } from './serviceTypes';

const affinitySeconds = 10_800;

/** Upstream: SetDefaults_Service, and normalizeClusterIPs of the Service's store. */
export function serviceWithDefaults(object: JsonObject): JsonObject {
  const spec = withDefaults(record(object, 'spec') ?? {}, { sessionAffinity: 'None', type: 'ClusterIP' });
  const typed = mapItems(withAffinity(spec), 'ports', withPortDefaults);
  return { ...object, spec: withClusterIps(withTrafficPolicies(typed)) };
}

function withAffinity(spec: JsonObject): JsonObject {
  const affinity = text(spec, 'sessionAffinity');
  if (affinity === 'None') return without(spec, 'sessionAffinityConfig');
  const written = optionalInt(record(record(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds');
  if (affinity !== 'ClientIP' || written !== undefined) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: affinitySeconds } } };
}

function withPortDefaults(port: JsonObject): JsonObject {
  const target = get(port, 'targetPort');
  const targetPort = target === undefined || target === 0 || target === '' ? int(port, 'port') : target;
  return { ...withDefaults(port, { protocol: 'TCP' }), targetPort };
}

const internalTypes = ['NodePort', 'LoadBalancer', 'ClusterIP'];

function withTrafficPolicies(spec: JsonObject): JsonObject {
  const isInternal = internalTypes.includes(text(spec, 'type'));
  const outer = isExternallyAccessible(spec) ? withDefaults(spec, { externalTrafficPolicy: 'Cluster' }) : spec;
  return isInternal ? withDefault(outer, 'internalTrafficPolicy', 'Cluster') : outer;
}

/** The plural form of the single address that an old client writes. */
function withClusterIps(spec: JsonObject): JsonObject {
  const ip = text(spec, 'clusterIP');
  return ip === '' || items(spec, 'clusterIPs').length > 0 ? spec : { ...spec, clusterIPs: [ip] };
}
