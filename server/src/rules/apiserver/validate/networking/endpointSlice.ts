import type { JsonObject } from '../../../../base/json';
import {
  entries,
  mapItems,
  optionalText,
  record,
  records,
  text,
  texts,
  withDefault,
  without,
} from '../../../../kube/goFields';
import { ipErrors, ipFamily, legacyIpErrors, parseIp } from '../../../../kube/ip';
import { dns1123LabelErrors, dns1123SubdomainErrors, labelValueErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import {
  duplicate,
  type FieldError,
  invalid,
  invalids,
  type KindStrategy,
  notSupported,
  required,
  tooMany,
  type Validation,
} from '../errors';
import { validateKindMeta } from '../kindMeta';
import { acceptedAddressWarnings } from '../shared/addresses';
import { label, qualifiedName, subdomain } from '../shared/checks';
import type { Dropped } from '../shared/drops';
import { endpointIpErrors } from '../shared/ips';
import { ipStrictness } from '../shared/strictness';

/** Upstream: pkg/apis/discovery/validation. */

const ENDPOINTS = FieldPath.of('endpoints');
const mostEndpoints = 1000;
const mostAddresses = 100;
const mostPorts = 20_000;
const mostHints = 8;
const addressTypes = ['FQDN', 'IPv4', 'IPv6'];
const protocols = ['SCTP', 'TCP', 'UDP'];

/** Upstream: ValidateEndpointSlice and SetDefaults_EndpointPort. */
export const endpointSliceStrategy: KindStrategy = {
  defaults: object => mapItems(object, 'ports', port => withDefault(withDefault(port, 'name', ''), 'protocol', 'TCP')),
  drop: dropTopology,
  *validate(object, validation) {
    yield* validateKindMeta(object, 'discovery.k8s.io/EndpointSlice');
    const type = text(object, 'addressType');
    const typeAt = FieldPath.of('addressType');
    if (type === '') yield required(typeAt);
    else if (!addressTypes.includes(type)) yield notSupported(typeAt, type, addressTypes);
    yield* validatePorts(records(object, 'ports'), FieldPath.of('ports'));
    const endpoints = records(object, 'endpoints');
    if (endpoints.length > mostEndpoints) yield tooMany(ENDPOINTS, endpoints.length, mostEndpoints);
    else for (const [i, it] of endpoints.entries()) yield* validateEndpoint(it, type, ENDPOINTS.index(i), validation);
  },
  warn: (object, validation) => [
    ...(text(object, 'addressType') === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...addressWarnings(object, validation),
  ],
};

/** Upstream: dropTopologyOnV1. */
function dropTopology(object: JsonObject): Dropped {
  const dropped = records(object, 'endpoints').flatMap((it, i) =>
    entries(it, 'deprecatedTopology').length === 0 ? [] : [ENDPOINTS.index(i).child('deprecatedTopology')],
  );
  if (dropped.length === 0) return { object, dropped };
  return { object: mapItems(object, 'endpoints', it => without(it, 'deprecatedTopology')), dropped };
}

/** Upstream: validatePorts. */
function* validatePorts(ports: readonly JsonObject[], at: FieldPath): Iterable<FieldError> {
  if (ports.length > mostPorts) {
    yield tooMany(at, ports.length, mostPorts);
    return;
  }
  const names = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const portAt = at.index(i);
    const name = text(port, 'name');
    if (name !== '') yield* label(name, portAt.child('name'));
    if (names.has(name)) yield duplicate(portAt.child('name'), name);
    names.add(name);
    const protocol = text(port, 'protocol');
    if (!protocols.includes(protocol)) yield notSupported(portAt.child('protocol'), protocol, protocols);
    const appProtocol = optionalText(port, 'appProtocol');
    if (appProtocol !== undefined) yield* qualifiedName(appProtocol, portAt.child('appProtocol'));
  }
}

/** One of the items of `endpoints`. Upstream: validateEndpoints. */
function* validateEndpoint(
  endpoint: JsonObject,
  type: string,
  at: FieldPath,
  validation: Validation,
): Iterable<FieldError> {
  const addresses = texts(endpoint, 'addresses');
  const addressesAt = at.child('addresses');
  const isDeclarative = applies(minorChanges.addressesRequiredDeclaratively, validation.kube);
  if (addresses.length === 0) yield required(addressesAt, isDeclarative ? '' : 'must contain at least 1 address');
  else if (addresses.length > mostAddresses) yield tooMany(addressesAt, addresses.length, mostAddresses);
  for (const [i, address] of addresses.entries()) {
    if (type === 'FQDN') yield* validateDomain(address, addressesAt.index(i));
    else if (type === 'IPv4' || type === 'IPv6') yield* validateIp(address, type, addressesAt, i, validation);
  }
  const nodeName = optionalText(endpoint, 'nodeName');
  if (nodeName !== undefined) yield* subdomain(nodeName, at.child('nodeName'));
  const hostname = optionalText(endpoint, 'hostname');
  if (hostname !== undefined) yield* label(hostname, at.child('hostname'));
  yield* validateHints(record(endpoint, 'hints'), at.child('hints'));
}

function* validateIp(
  address: string,
  family: 'IPv4' | 'IPv6',
  list: FieldPath,
  i: number,
  validation: Validation,
): Iterable<FieldError> {
  if (!applies(minorChanges.sliceAddressFamily, validation.kube)) {
    yield* validateIpOnce(address, family, list.index(i));
    return;
  }
  const errors = family === 'IPv4' ? legacyIpErrors(address, ipStrictness(validation)) : ipErrors(address);
  const at = list.index(i);
  if (errors.length > 0) {
    yield* invalids(at, address, errors);
    return;
  }
  const ip = parseIp(address);
  // The server's path has no index here.
  if (ip !== undefined && ipFamily(ip) !== family) yield invalid(list, address, `must be an ${family} address`);
  yield* invalids(at, address, endpointIpErrors(address));
}

/** As in the minors before. Upstream: apimachinery validation.IsValidIPv4Address and IsValidIPv6Address. */
function* validateIpOnce(address: string, family: 'IPv4' | 'IPv6', at: FieldPath): Iterable<FieldError> {
  const ip = parseIp(address);
  if (ip === undefined || ipFamily(ip) !== family) yield invalid(at, address, `must be a valid ${family} address`);
  yield* invalids(at, address, endpointIpErrors(address));
}

/** Upstream: apimachinery validation.IsFullyQualifiedDomainName. */
function* validateDomain(written: string, at: FieldPath): Iterable<FieldError> {
  if (written === '') {
    yield required(at);
    return;
  }
  const name = written.endsWith('.') ? written.slice(0, -1) : written;
  const errors = dns1123SubdomainErrors(name);
  const labels = name.split('.');
  const wrong = labels.find(it => dns1123LabelErrors(it).length > 0);
  if (errors.length > 0) yield invalid(at, name, errors.join(','));
  else if (labels.length < 2) {
    yield invalid(at, name, 'should be a domain with at least two segments separated by dots');
  } else if (wrong !== undefined) yield invalid(at, wrong, dns1123LabelErrors(wrong).join(','));
}

/** Upstream: validateHints. */
function* validateHints(hints: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  const zones = records(hints, 'forZones');
  const zonesAt = at.child('forZones');
  if (zones.length > mostHints) {
    yield tooMany(zonesAt, zones.length, mostHints);
    return;
  }
  yield* validateHintNames(zones, zonesAt, labelValueErrors);
  const nodes = records(hints, 'forNodes');
  const nodesAt = at.child('forNodes');
  if (nodes.length > mostHints) yield tooMany(nodesAt, nodes.length, mostHints);
  else yield* validateHintNames(nodes, nodesAt, dns1123SubdomainErrors);
}

function* validateHintNames(
  hints: readonly JsonObject[],
  at: FieldPath,
  errorsOf: (name: string) => readonly string[],
): Iterable<FieldError> {
  const names = new Set<string>();
  for (const [i, hint] of hints.entries()) {
    const name = text(hint, 'name');
    const nameAt = at.index(i).child('name');
    if (names.has(name)) yield duplicate(nameAt, name);
    names.add(name);
    yield* invalids(nameAt, name, errorsOf(name));
  }
}

/** Upstream: warnOnBadIPs, which trusts what the controllers of slices write. */
function addressWarnings(object: JsonObject, validation: Validation): readonly string[] {
  const labels = record(record(object, 'metadata'), 'labels');
  const manager = text(labels, 'endpointslice.kubernetes.io/managed-by');
  if (manager === 'endpointslice-controller.k8s.io' || manager === 'endpointslicemirroring-controller.k8s.io')
    return [];
  const warningsOf = acceptedAddressWarnings(validation).ip;
  return records(object, 'endpoints').flatMap((endpoint, i) =>
    texts(endpoint, 'addresses').flatMap((address, j) =>
      warningsOf(address).map(it => `${ENDPOINTS.index(i).child('addresses').index(j)}: ${it}`),
    ),
  );
}
