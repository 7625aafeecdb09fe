import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import {
  flag,
  get,
  has,
  int,
  items,
  optionalInt,
  optionalText,
  record,
  records,
  text,
} from '../../../../kube/goFields';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  portNumberErrors,
  qualifiedNameErrors,
} from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalids,
  type KindStrategy,
  notAmong,
  notSupported,
  required,
  type Validation,
} from '../errors';
import { validateLabels, validateNameFn, validateObjectMeta } from '../metadata';
import { validatePort } from '../podSpec/containers/handlers';
import { oneOf } from '../shared/checks';
import { dropStatus } from '../shared/drops';
import { annotationsOf } from '../shared/labels';
import { LOAD_BALANCER_ONLY, validateClusterIps, validateExternalIps, validateSourceRanges } from './serviceAddresses';
import { serviceWithDefaults } from './serviceDefaults';
import { isExternallyAccessible, isHeadless } from './serviceTypes';
import { serviceWarnings } from './serviceWarnings';

const SPEC = FieldPath.of('spec');
const PORTS = SPEC.child('ports');
const longestAffinitySeconds = 86_400;

/** Upstream: ValidateServiceCreate; ports and addresses that a cluster allocates count as allocated. */
export const serviceStrategy: KindStrategy = {
  defaults: serviceWithDefaults,
  drop: dropStatus,
  validate: (object, validation) => {
    const nameFn = validation.isOn('RelaxedServiceNameValidation') ? validateNameFn.label : validateNameFn.label1035;
    return [...validateObjectMeta(object, 'namespaced', nameFn), ...validateService(object, validation)];
  },
  warn: (object, { kube }) => serviceWarnings(object, kube),
};

/** Upstream: validateService, in its order. */
function* validateService(object: JsonObject, validation: Validation): Iterable<FieldError> {
  const spec = record(object, 'spec') ?? {};
  yield* validateTopologyAnnotations(annotationsOf(object));
  yield* validateType(spec, validation);
  yield* validatePorts(spec);
  yield* validateLabels(spec, 'selector', SPEC.child('selector'));
  yield* validateSessionAffinity(spec);
  yield* validateClusterIps(spec, validation);
  yield* validateExternalIps(spec, validation);
  yield* oneOf(spec, 'type', SPEC.child('type'), ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']);
  yield* validatePortUniqueness(spec);
  yield* validateSourceRanges(object, spec, validation);
  yield* validateLoadBalancerFields(spec);
  yield* validateTrafficPolicies(spec, validation);
}

function* validateTopologyAnnotations(annotations: JsonObject): Iterable<FieldError> {
  const hints = optionalText(annotations, 'service.kubernetes.io/topology-aware-hints');
  const mode = optionalText(annotations, 'service.kubernetes.io/topology-mode');
  if (hints === undefined || mode === undefined || hints === mode) return;
  const at = FieldPath.of('metadata', 'annotations').key('service.kubernetes.io/topology-mode');
  yield invalid(at, mode, 'must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified');
}

function* validateType(spec: JsonObject, { kube }: Validation): Iterable<FieldError> {
  const type = text(spec, 'type');
  if (items(spec, 'ports').length === 0 && !isHeadless(spec) && type !== 'ExternalName') yield required(PORTS);
  if (type === 'LoadBalancer' && applies(minorChanges.kubeletPortReserved, kube)) yield* kubeletPortErrors(spec);
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    yield invalid(SPEC.child('clusterIPs').index(0), 'None', `may not be set to 'None' for ${type} services`);
  }
  if (type !== 'ExternalName') return;
  const unfit = 'may not be set for ExternalName services';
  if (items(spec, 'clusterIPs').length > 0) yield forbidden(SPEC.child('clusterIPs'), unfit);
  if (items(spec, 'ipFamilies').length > 0) yield forbidden(SPEC.child('ipFamilies'), unfit);
  if (has(spec, 'ipFamilyPolicy')) yield forbidden(SPEC.child('ipFamilyPolicy'), unfit);
  const name = text(spec, 'externalName').replace(/\.$/, '');
  if (name === '') yield required(SPEC.child('externalName'));
  else yield* invalids(SPEC.child('externalName'), name, dns1123SubdomainErrors(name));
}

function* kubeletPortErrors(spec: JsonObject): Iterable<FieldError> {
  const detail = 'may not expose port 10250 externally since it is used by kubelet';
  for (const [i, port] of records(spec, 'ports').entries()) {
    if (int(port, 'port') === 10250) yield invalid(PORTS.index(i), 10250, detail);
  }
}

/** Upstream: validateServicePort. */
function* validatePorts(spec: JsonObject): Iterable<FieldError> {
  const ports = records(spec, 'ports');
  const names = ports.map(it => text(it, 'name'));
  const repeated = repeatedAt(names);
  for (const [i, port] of ports.entries()) {
    const at = PORTS.index(i);
    const name = names[i] ?? '';
    if (name === '' && ports.length > 1) yield required(at.child('name'));
    if (name !== '') yield* invalids(at.child('name'), name, dns1123LabelErrors(name));
    if (name !== '' && repeated.has(i)) yield duplicate(at.child('name'), name);
    yield* invalids(at.child('port'), int(port, 'port'), portNumberErrors(int(port, 'port')));
    yield* oneOf(port, 'protocol', at.child('protocol'), ['SCTP', 'TCP', 'UDP']);
    yield* validatePort(get(port, 'targetPort'), at.child('targetPort'));
    const appProtocol = optionalText(port, 'appProtocol');
    if (appProtocol !== undefined) {
      yield* invalids(at.child('appProtocol'), appProtocol, qualifiedNameErrors(appProtocol));
    }
  }
}

/** A node port needs a type that uses it; protocol and port, and protocol and node port, must be unique. */
function* validatePortUniqueness(spec: JsonObject): Iterable<FieldError> {
  const ports = records(spec, 'ports');
  const repeatedBy = (field: string) => repeatedAt(ports.map(it => `${text(it, 'protocol')} ${int(it, field)}`));
  const repeated = { port: repeatedBy('port'), nodePort: repeatedBy('nodePort') };
  for (const [i, port] of ports.entries()) {
    const nodePort = int(port, 'nodePort');
    const at = PORTS.index(i);
    if (nodePort !== 0 && text(spec, 'type') === 'ClusterIP') {
      yield forbidden(at.child('nodePort'), "may not be used when `type` is 'ClusterIP'");
    }
    if (nodePort !== 0 && repeated.nodePort.has(i)) yield duplicate(at.child('nodePort'), nodePort);
  }
  for (const [i, port] of ports.entries()) {
    const { protocol = '', port: number = 0 } = port;
    if (repeated.port.has(i)) yield duplicate(PORTS.index(i), { protocol, port: number });
  }
}

function* validateSessionAffinity(spec: JsonObject): Iterable<FieldError> {
  const affinity = text(spec, 'sessionAffinity');
  const at = SPEC.child('sessionAffinityConfig');
  yield* oneOf(spec, 'sessionAffinity', SPEC.child('sessionAffinity'), ['ClientIP', 'None']);
  if (affinity === 'None' && has(spec, 'sessionAffinityConfig')) {
    yield forbidden(at, 'must not be set when session affinity is None');
  }
  if (affinity !== 'ClientIP') return;
  const seconds = optionalInt(record(record(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds') ?? 0;
  if (seconds > 0 && seconds <= longestAffinitySeconds) return;
  const detail = `must be greater than 0 and less than ${longestAffinitySeconds}`;
  yield invalid(at.child('clientIP', 'timeoutSeconds'), seconds, detail);
}

function* validateLoadBalancerFields(spec: JsonObject): Iterable<FieldError> {
  const isBalanced = text(spec, 'type') === 'LoadBalancer';
  if (!isBalanced && flag(spec, 'allocateLoadBalancerNodePorts') !== undefined) {
    yield forbidden(SPEC.child('allocateLoadBalancerNodePorts'), LOAD_BALANCER_ONLY);
  }
  const name = optionalText(spec, 'loadBalancerClass');
  if (name === undefined) return;
  const at = SPEC.child('loadBalancerClass');
  if (isBalanced) yield* invalids(at, name, qualifiedNameErrors(name));
  else yield forbidden(at, LOAD_BALANCER_ONLY);
}

/** Upstream: validateServiceExternalTrafficPolicy, …InternalTrafficFieldsValue, …TrafficDistribution. */
function* validateTrafficPolicies(spec: JsonObject, { isOn }: Validation): Iterable<FieldError> {
  const external = text(spec, 'externalTrafficPolicy');
  const externalAt = SPEC.child('externalTrafficPolicy');
  if (isExternallyAccessible(spec)) yield* oneOf(spec, 'externalTrafficPolicy', externalAt, ['Cluster', 'Local']);
  else if (external !== '') yield invalid(externalAt, external, 'may only be set for externally-accessible services');

  const port = int(spec, 'healthCheckNodePort');
  const portAt = SPEC.child('healthCheckNodePort');
  const needsHealthCheck = text(spec, 'type') === 'LoadBalancer' && external === 'Local';
  if (port !== 0 && needsHealthCheck) yield* invalids(portAt, port, portNumberErrors(port));
  if (port !== 0 && !needsHealthCheck) {
    yield invalid(portAt, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
  }

  const internal = optionalText(spec, 'internalTrafficPolicy');
  if (internal !== undefined && internal !== 'Cluster' && internal !== 'Local') {
    yield notSupported(SPEC.child('internalTrafficPolicy'), internal, ['Cluster', 'Local']);
  }
  const distribution = optionalText(spec, 'trafficDistribution');
  const same = isOn('PreferSameTrafficDistribution') ? ['PreferSameZone', 'PreferSameNode'] : [];
  if (distribution !== undefined && !['PreferClose', ...same].includes(distribution)) {
    yield notAmong(SPEC.child('trafficDistribution'), distribution, ['PreferClose', ...same]);
  }
}
