import type { JsonObject } from '../../../../../base/json';
import {
  get,
  int,
  mapField,
  mapItems,
  record,
  text,
  withDefault,
  withDefaults,
  withField,
} from '../../../../../kube/goFields';
import { defaultAmounts } from '../../amounts';
import { PROBES } from './handlers';

/** Upstream: SetDefaults_Container and the defaults of its fields. */
export function defaultContainer(container: JsonObject): JsonObject {
  const filled = withDefaults(container, {
    imagePullPolicy: hasLatestTag(text(container, 'image')) ? 'Always' : 'IfNotPresent',
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  const ports = mapItems(filled, 'ports', it => withDefaults(it, { protocol: 'TCP' }));
  const sized = mapField(ports, 'resources', defaultAmounts);
  return mapHandlers(
    PROBES.reduce((it, name) => mapField(it, name, defaultProbe), sized),
    defaultHttpGet,
  );
}

/** An image with neither a tag nor a digest has the tag `latest`. Upstream: parsers.ParseImageName. */
function hasLatestTag(image: string): boolean {
  const at = image.indexOf('@');
  const name = at < 0 ? image : image.slice(0, at);
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') ? name.endsWith(':latest') : at < 0;
}

const COUNTS: readonly (readonly [string, number])[] = [
  ['timeoutSeconds', 1],
  ['periodSeconds', 10],
  ['successThreshold', 1],
  ['failureThreshold', 3],
];

/** Upstream: SetDefaults_Probe. */
function defaultProbe(probe: JsonObject): JsonObject {
  // Zero counts as absent.
  return COUNTS.reduce((it, [field, count]) => (int(it, field) === 0 ? withField(it, field, count) : it), probe);
}

/** Upstream: SetDefaults_HTTPGetAction. */
function defaultHttpGet(handler: JsonObject): JsonObject {
  return mapField(handler, 'httpGet', it => withDefaults(it, { path: '/', scheme: 'HTTP' }));
}

/** The container with `HTTP1` in handlers without a protocol. Upstream: core v1 defaultHTTPProbeProtocol. */
export function defaultHttpProtocol(container: JsonObject): JsonObject {
  const written = (handler: JsonObject) => mapField(handler, 'httpGet', it => withDefault(it, 'protocol', 'HTTP1'));
  return mapHandlers(container, written);
}

function mapHandlers(container: JsonObject, change: (handler: JsonObject) => JsonObject): JsonObject {
  const probes = PROBES.reduce((it, name) => mapField(it, name, change), container);
  return mapField(probes, 'lifecycle', lifecycle =>
    ['preStop', 'postStart'].reduce((it, hook) => mapField(it, hook, change), lifecycle),
  );
}

/** Upstream: core v1 defaultHostNetworkPorts. */
export function defaultHostPorts(container: JsonObject): JsonObject {
  return mapItems(container, 'ports', port =>
    int(port, 'hostPort') === 0 ? withField(port, 'hostPort', get(port, 'containerPort') ?? 0) : port,
  );
}

/** The container with a request for every limit. Upstream: SetDefaults_Pod. */
export function requestLimits(container: JsonObject): JsonObject {
  return mapField(container, 'resources', resources => {
    const limits = record(resources, 'limits');
    return limits ? { ...resources, requests: { ...limits, ...record(resources, 'requests') } } : resources;
  });
}
