import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { optionalText, text, textEntries, texts } from '../../../../kube/goFields';
import { ipFamily, legacyCidrErrors, legacyIpErrors, parseIp } from '../../../../kube/ip';
import { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, forbidden, invalid, invalids, notSupported, type Validation } from '../errors';
import { endpointIpErrors } from '../shared/ips';
import { annotationsOf } from '../shared/labels';
import { ipStrictness } from '../shared/strictness';
import { isHeadless } from './serviceTypes';

export const LOAD_BALANCER_ONLY = "may only be used when `type` is 'LoadBalancer'";

const SPEC = FieldPath.of('spec');
const SOURCE_RANGES_ANNOTATION = 'service.beta.kubernetes.io/load-balancer-source-ranges';

/** `spec.clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy`; an ExternalName may not have them. */
export function* validateClusterIps(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  if (text(spec, 'type') === 'ExternalName') return;
  const errors = [...clusterIpErrors(spec, validation)];
  yield* errors.length > 0 ? errors : stackErrors(spec);
}

/** Upstream: ValidateServiceClusterIPsRelatedFields. */
function* clusterIpErrors(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  const at = SPEC.child('clusterIPs');
  const ips = texts(spec, 'clusterIPs');
  const first = text(spec, 'clusterIP');
  if (first !== '' && ips[0] !== first) yield invalid(at, ips, 'first value must match `clusterIP`');
  if (first === '' && ips.length > 0) yield invalid(at, ips, 'must be empty when `clusterIP` is not specified');
  yield* validateIpFamilies(spec);
  const isNone = ips[0] === 'None';
  if (isNone && ips.length > 1) yield invalid(at, ips, "'None' must be the first and only value");
  const wrong = ips.flatMap((ip, i) =>
    i === 0 && isNone ? [] : invalids(at.index(i), ip, legacyIpErrors(ip, ipStrictness(validation))),
  );
  yield* wrong;
  if (ips.length > 2) yield invalid(at, ips, 'may only hold up to 2 values');
  if (wrong.length > 0 || (isNone && ips.length > 1)) return;
  if (ips.length > 1 && new Set(ips.map(familyOf)).size < 2) {
    yield invalid(at, ips, 'may specify no more than one IP for each IP family');
  }
  if (isHeadless(spec)) return;
  for (const [i, family] of texts(spec, 'ipFamilies').slice(0, ips.length).entries()) {
    const ip = ips[i] ?? '';
    if ((family !== 'IPv4' && family !== 'IPv6') || familyOf(ip) === family) continue;
    yield invalid(at.index(i), ip, `expected an ${family} value as indicated by \`ipFamilies[${i}]\``);
  }
}

/** Combinations that the allocator refuses in every cluster. Upstream: Allocators.initIPFamilyFields. */
function* stackErrors(spec: JsonObject): Iterable<FieldError> {
  const isFree = text(spec, 'clusterIP') === 'None' && textEntries(spec, 'selector').length === 0;
  const policy = optionalText(spec, 'ipFamilyPolicy') ?? (isFree ? 'RequireDualStack' : 'SingleStack');
  if (policy !== 'SingleStack') return;
  const at = SPEC.child('ipFamilyPolicy');
  const detail = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (texts(spec, 'clusterIPs').length === 2) yield invalid(at, policy, `${detail} cluster IPs are specified`);
  if (texts(spec, 'ipFamilies').length === 2) yield invalid(at, policy, `${detail} IP families are specified`);
}

function familyOf(ip: string): 'IPv4' | 'IPv6' | undefined {
  const parsed = parseIp(ip);
  return parsed && ipFamily(parsed);
}

function* validateIpFamilies(spec: JsonObject): Iterable<FieldError> {
  const families = texts(spec, 'ipFamilies');
  const repeated = repeatedAt(families);
  for (const [i, family] of families.entries()) {
    const at = SPEC.child('ipFamilies').index(i);
    if (family !== 'IPv4' && family !== 'IPv6') yield notSupported(at, family, ['IPv4', 'IPv6']);
    if (repeated.has(i)) yield duplicate(at, family);
  }
  const policy = optionalText(spec, 'ipFamilyPolicy');
  const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
  if (policy !== undefined && !policies.includes(policy)) {
    yield notSupported(SPEC.child('ipFamilyPolicy'), policy, policies);
  }
}

/** `spec.externalIPs`. */
export function* validateExternalIps(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  for (const [i, ip] of texts(spec, 'externalIPs').entries()) {
    const at = SPEC.child('externalIPs').index(i);
    const errors = legacyIpErrors(ip, ipStrictness(validation));
    yield* invalids(at, ip, errors.length > 0 ? errors : endpointIpErrors(ip));
  }
}

/** `spec.loadBalancerSourceRanges` or, without it, the annotation that it replaced. */
export function* validateSourceRanges(
  object: JsonObject,
  spec: JsonObject,
  validation: Validation,
): Iterable<FieldError> {
  const isBalanced = text(spec, 'type') === 'LoadBalancer';
  const ranges = texts(spec, 'loadBalancerSourceRanges').map(it => it.trim());
  const errors = (value: string, at: FieldPath) =>
    invalids(at, value, legacyCidrErrors(value, ipStrictness(validation)));
  if (ranges.length > 0) {
    // The server's path has Go's name of the field here.
    const at = SPEC.child('LoadBalancerSourceRanges');
    if (!isBalanced) yield forbidden(at, LOAD_BALANCER_ONLY);
    yield* ranges.flatMap((it, i) => errors(it, at.index(i)));
    return;
  }
  const annotation = optionalText(annotationsOf(object), SOURCE_RANGES_ANNOTATION)?.trim();
  if (annotation === undefined) return;
  const at = FieldPath.of('metadata', 'annotations').key(SOURCE_RANGES_ANNOTATION);
  if (!isBalanced) yield forbidden(at, LOAD_BALANCER_ONLY);
  if (annotation !== '') yield* annotation.split(',').flatMap(it => errors(it.trim(), at));
}
