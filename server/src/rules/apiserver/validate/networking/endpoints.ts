import type { JsonObject } from '../../../../base/json';
import { int, mapItems, optionalText, record, records, text, withDefaults } from '../../../../kube/goFields';
import { legacyIpErrors } from '../../../../kube/ip';
import { portNumberErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalids, type KindStrategy, notSupported, required, type Validation } from '../errors';
import { validateKindMeta } from '../kindMeta';
import { acceptedAddressWarnings } from '../shared/addresses';
import { label, qualifiedName, subdomain } from '../shared/checks';
import { endpointIpErrors } from '../shared/ips';
import { ipStrictness } from '../shared/strictness';

const SUBSETS = FieldPath.of('subsets');
const ADDRESS_LISTS = ['addresses', 'notReadyAddresses'];

/** Upstream: core validation.ValidateEndpoints and SetDefaults_Endpoints. */
export const endpointsStrategy: KindStrategy = {
  defaults: object =>
    mapItems(object, 'subsets', subset => mapItems(subset, 'ports', port => withDefaults(port, { protocol: 'TCP' }))),
  *validate(object, validation) {
    yield* validateKindMeta(object, '/Endpoints');
    for (const [i, subset] of records(object, 'subsets').entries()) {
      yield* validateSubset(subset, SUBSETS.index(i), validation);
    }
  },
  warn: endpointsWarnings,
};

/** Upstream: validateEndpointSubsets. */
function* validateSubset(subset: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  if (ADDRESS_LISTS.every(it => records(subset, it).length === 0)) {
    yield required(at, 'must specify `addresses` or `notReadyAddresses`');
  }
  for (const list of ADDRESS_LISTS) {
    for (const [i, address] of records(subset, list).entries()) {
      yield* validateAddress(address, at.child(list).index(i), validation);
    }
  }
  const ports = records(subset, 'ports');
  for (const [i, port] of ports.entries()) {
    const portAt = at.child('ports').index(i);
    if (ports.length > 1 && text(port, 'name') === '') yield required(portAt.child('name'));
    yield* validatePort(port, portAt);
  }
}

/** Upstream: validateEndpointAddress. */
function* validateAddress(address: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  const ip = text(address, 'ip');
  yield* invalids(at.child('ip'), ip, legacyIpErrors(ip, ipStrictness(validation)));
  const hostname = text(address, 'hostname');
  if (hostname !== '') yield* label(hostname, at.child('hostname'));
  const nodeName = optionalText(address, 'nodeName');
  if (nodeName !== undefined) yield* subdomain(nodeName, at.child('nodeName'));
  yield* invalids(at.child('ip'), ip, endpointIpErrors(ip));
}

/** Upstream: validateEndpointPort. */
function* validatePort(port: JsonObject, at: FieldPath): Iterable<FieldError> {
  const name = text(port, 'name');
  if (name !== '') yield* label(name, at.child('name'));
  const number = int(port, 'port');
  yield* invalids(at.child('port'), number, portNumberErrors(number));
  const protocol = text(port, 'protocol');
  const protocols = ['SCTP', 'TCP', 'UDP'];
  if (!protocols.includes(protocol)) yield notSupported(at.child('protocol'), protocol, protocols);
  const appProtocol = optionalText(port, 'appProtocol');
  if (appProtocol !== undefined) yield* qualifiedName(appProtocol, at.child('appProtocol'));
}

/** Upstream: endpointsWarnings, which trusts what the endpoints controller writes. */
function endpointsWarnings(object: JsonObject, validation: Validation): readonly string[] {
  const labels = record(record(object, 'metadata'), 'labels');
  if (text(labels, 'endpoints.kubernetes.io/managed-by') === 'endpoint-controller') return [];
  const warningsOf = acceptedAddressWarnings(validation).ip;
  return records(object, 'subsets').flatMap((subset, i) =>
    ADDRESS_LISTS.flatMap(list =>
      records(subset, list).flatMap((address, j) =>
        warningsOf(text(address, 'ip')).map(it => `${SUBSETS.index(i).child(list).index(j).child('ip')}: ${it}`),
      ),
    ),
  );
}
