import type { JsonObject } from '../../../../manifest/manifest';
import { flag, get, mapField, mapItems, optionalInt, record, text, withDefaults } from '../read';
import { defaultVolume } from './volumeDefaults';

const CONTAINERS = ['containers', 'initContainers', 'ephemeralContainers'];

/** Upstream: SetDefaults_PodSpec and the defaults of what is inside. */
export function defaultPodSpec(spec: JsonObject): JsonObject {
  const account = text(spec, 'serviceAccountName') || text(spec, 'serviceAccount');
  const filled = withDefaults(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    ...(account !== '' && { serviceAccountName: account }),
  });
  const volumes = mapItems(filled, 'volumes', defaultVolume);
  return CONTAINERS.reduce((it, name) => mapItems(it, name, defaultContainer), volumes);
}

/** What only a Pod gets, not a template. Upstream: SetDefaults_Pod. */
export function defaultPod(spec: JsonObject): JsonObject {
  const grace = optionalInt(spec, 'terminationGracePeriodSeconds') ?? 0;
  const patient = grace < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
  const ports = flag(spec, 'hostNetwork') === true ? 'host' : 'own';
  return ['containers', 'initContainers'].reduce(
    (it, name) => mapItems(it, name, container => requestLimits(ports === 'host' ? hostPorts(container) : container)),
    patient,
  );
}

function hostPorts(container: JsonObject): JsonObject {
  return mapItems(container, 'ports', port => {
    const isSet = (optionalInt(port, 'hostPort') ?? 0) !== 0;
    return isSet ? port : { ...port, hostPort: get(port, 'containerPort') ?? 0 };
  });
}

function requestLimits(container: JsonObject): JsonObject {
  return mapField(container, 'resources', resources => {
    const limits = record(resources, 'limits');
    return limits ? { ...resources, requests: { ...limits, ...record(resources, 'requests') } } : resources;
  });
}

/** Upstream: SetDefaults_Container, SetDefaults_Probe, SetDefaults_HTTPGetAction. */
function defaultContainer(container: JsonObject): JsonObject {
  const filled = withDefaults(container, { imagePullPolicy: 'IfNotPresent', terminationMessagePolicy: 'File' });
  const ports = mapItems(filled, 'ports', it => withDefaults(it, { protocol: 'TCP' }));
  const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].reduce(
    (it, name) => mapField(it, name, probe => defaultHandler(defaultProbe(probe))),
    ports,
  );
  return mapField(probes, 'lifecycle', lifecycle =>
    ['preStop', 'postStart'].reduce((it, hook) => mapField(it, hook, defaultHandler), lifecycle),
  );
}

const COUNTS = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

function defaultProbe(probe: JsonObject): JsonObject {
  const zeros = Object.entries(COUNTS).filter(([field]) => (optionalInt(probe, field) ?? 0) === 0);
  return { ...probe, ...Object.fromEntries(zeros) };
}

function defaultHandler(handler: JsonObject): JsonObject {
  return mapField(handler, 'httpGet', it => withDefaults(it, { path: '/', scheme: 'HTTP' }));
}

/** The whole object with its template at `metadata` and `spec` defaulted. */
export function defaultTemplate(template: JsonObject): JsonObject {
  return { ...template, spec: defaultPodSpec(record(template, 'spec') ?? {}) };
}
