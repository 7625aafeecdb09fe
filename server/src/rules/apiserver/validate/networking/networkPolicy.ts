import type { JsonObject } from '../../../../base/json';
import { numeric } from '../../../../base/printed';
import {
  get,
  has,
  items,
  mapItems,
  optionalInt,
  record,
  records,
  text,
  texts,
  withDefault,
} from '../../../../kube/goFields';
import { containsIp, legacyCidrErrors, parseCidr } from '../../../../kube/ip';
import { portNameErrors, portNumberErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import {
  type FieldError,
  forbidden,
  invalid,
  invalids,
  type KindStrategy,
  notAmong,
  required,
  type Validation,
} from '../errors';
import { validateKindMeta } from '../kindMeta';
import { validateLabelSelector } from '../metadata';
import { acceptedAddressWarnings } from '../shared/addresses';
import { ipStrictness } from '../shared/strictness';

/** Upstream: pkg/apis/networking/validation. */

const SPEC = FieldPath.of('spec');

/** The two directions, with the field of the peers of each. */
const DIRECTIONS = [
  ['ingress', 'from'],
  ['egress', 'to'],
] as const;

/** Upstream: ValidateNetworkPolicy, and the defaults of its package v1. */
export const networkPolicyStrategy: KindStrategy = {
  defaults: object => ({ ...object, spec: specWithDefaults(record(object, 'spec') ?? {}) }),
  *validate(object, validation) {
    yield* validateKindMeta(object, 'networking.k8s.io/NetworkPolicy');
    yield* validateSpec(record(object, 'spec') ?? {}, validation);
  },
  warn: (object, validation) => {
    const warningsOf = acceptedAddressWarnings(validation).cidr;
    return ipBlocks(record(object, 'spec')).flatMap(({ block, at }) => [
      ...warningsOf(text(block, 'cidr')).map(it => `${at.child('cidr')}: ${it}`),
      ...texts(block, 'except').flatMap((except, i) =>
        warningsOf(except).map(it => `${at.child('except').index(i)}: ${it}`),
      ),
    ]);
  },
};

function specWithDefaults(spec: JsonObject): JsonObject {
  const policyTypes = items(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  const typed = items(spec, 'policyTypes').length > 0 ? spec : { ...spec, policyTypes };
  return DIRECTIONS.reduce(
    (it, [direction]) =>
      mapItems(it, direction, rule => mapItems(rule, 'ports', port => withDefault(port, 'protocol', 'TCP'))),
    typed,
  );
}

/** Upstream: ValidateNetworkPolicySpec. */
function* validateSpec(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  yield* validateLabelSelector(record(spec, 'podSelector'), SPEC.child('podSelector'));
  for (const [direction, peers] of DIRECTIONS) {
    for (const [i, rule] of records(spec, direction).entries()) {
      const at = SPEC.child(direction).index(i);
      for (const [j, port] of records(rule, 'ports').entries()) yield* validatePort(port, at.child('ports').index(j));
      for (const [j, peer] of records(rule, peers).entries()) {
        yield* validatePeer(peer, at.child(peers).index(j), validation);
      }
    }
  }
  const types = texts(spec, 'policyTypes');
  const at = SPEC.child('policyTypes');
  if (types.length > 2) {
    yield invalid(at, types, 'may not specify more than two policyTypes');
    return;
  }
  const known = ['Ingress', 'Egress'];
  for (const [i, type] of types.entries()) if (!known.includes(type)) yield notAmong(at.index(i), type, known);
}

/** Upstream: ValidateNetworkPolicyPort. */
function* validatePort(port: JsonObject, at: FieldPath): Iterable<FieldError> {
  const protocol = text(port, 'protocol');
  const protocols = ['TCP', 'UDP', 'SCTP'];
  if (has(port, 'protocol') && !protocols.includes(protocol)) yield notAmong(at.child('protocol'), protocol, protocols);
  const start = get(port, 'port');
  const end = optionalInt(port, 'endPort');
  const endAt = at.child('endPort');
  if (start === undefined) {
    if (end !== undefined) yield invalid(endAt, end, 'may not be specified when `port` is not specified');
  } else if (typeof start === 'string') {
    if (end !== undefined) yield invalid(endAt, end, 'may not be specified when `port` is non-numeric');
    yield* invalids(at.child('port'), start, portNameErrors(start));
  } else {
    const first = numeric(start);
    yield* invalids(at.child('port'), first, portNumberErrors(first));
    if (end === undefined) return;
    if (end < first) yield invalid(endAt, end, 'must be greater than or equal to `port`');
    yield* invalids(endAt, end, portNumberErrors(end));
  }
}

/** Upstream: ValidateNetworkPolicyPeer. */
function* validatePeer(peer: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  const present = ['podSelector', 'namespaceSelector', 'ipBlock'].filter(it => has(peer, it));
  for (const field of ['podSelector', 'namespaceSelector']) {
    yield* validateLabelSelector(record(peer, field), at.child(field));
  }
  const block = record(peer, 'ipBlock');
  if (block !== undefined) yield* validateIpBlock(block, at.child('ipBlock'), validation);
  if (present.length === 0) yield required(at, 'must specify a peer');
  else if (present.length > 1 && block !== undefined) {
    yield forbidden(at, 'may not specify both ipBlock and another peer');
  }
}

/** Upstream: ValidateIPBlock. */
function* validateIpBlock(block: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  const written = text(block, 'cidr');
  if (written === '') {
    yield required(at.child('cidr'));
    return;
  }
  const strictness = ipStrictness(validation);
  yield* invalids(at.child('cidr'), written, legacyCidrErrors(written, strictness));
  const cidr = parseCidr(written);
  if (cidr === undefined) return;
  for (const [i, value] of texts(block, 'except').entries()) {
    const exceptAt = at.child('except').index(i);
    yield* invalids(exceptAt, value, legacyCidrErrors(value, strictness));
    const except = parseCidr(value);
    if (except === undefined) continue;
    if (containsIp(cidr, except.network) && except.prefixLength > cidr.prefixLength) continue;
    yield invalid(exceptAt, value, 'must be a strict subset of `cidr`');
  }
}

function ipBlocks(spec: JsonObject | undefined) {
  return DIRECTIONS.flatMap(([direction, peers]) =>
    records(spec, direction).flatMap((rule, i) =>
      records(rule, peers).flatMap((peer, j) => {
        const block = record(peer, 'ipBlock');
        return block === undefined
          ? []
          : [{ block, at: SPEC.child(direction).index(i).child(peers).index(j).child('ipBlock') }];
      }),
    ),
  );
}
