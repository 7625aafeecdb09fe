import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { flag, has, optionalInt, optionalText, record, records, text } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, forbidden, invalid, required, tooLong } from '../errors';
import { label, qualifiedName, subdomain } from '../shared/checks';
import { MIRROR_ANNOTATION } from './podMeta';

/** Names of objects and hosts in a PodSpec. */
const NAMES = {
  serviceAccountName: subdomain,
  nodeName: subdomain,
  hostname: label,
  subdomain: label,
  priorityClassName: subdomain,
};

/** Upstream: the checks of names in core validation.ValidatePodSpec itself, and validatePodHostName. */
export function* validateNames(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* validateHostnameOverride(spec, at.child('hostnameOverride'));
  for (const [field, check] of Object.entries(NAMES)) {
    const name = text(spec, field);
    if (name !== '') yield* check(name, at.child(field));
  }
  if (has(spec, 'runtimeClassName')) yield* subdomain(text(spec, 'runtimeClassName'), at.child('runtimeClassName'));
  const deadline = optionalInt(spec, 'activeDeadlineSeconds');
  if (deadline !== undefined && (deadline < 1 || deadline > 2_147_483_647)) {
    yield invalid(at.child('activeDeadlineSeconds'), deadline, 'must be between 1 and 2147483647, inclusive');
  }
}

const LONGEST_HOSTNAME = 64;

/** Upstream: core validation.validatePodHostName. */
function* validateHostnameOverride(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const name = optionalText(spec, 'hostnameOverride');
  if (name === undefined) return;
  for (const field of ['setHostnameAsFQDN', 'hostNetwork']) {
    if (flag(spec, field) === true) yield forbidden(at, `may not be specified when ${field} is true`);
  }
  if (byteLength(name) > LONGEST_HOSTNAME) yield tooLong(at, LONGEST_HOSTNAME);
  yield* subdomain(name, at);
}

/** Upstream: core validation.validateReadinessGates, validateSchedulingGates. */
export function* validateGates(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  for (const [i, gate] of records(spec, 'readinessGates').entries()) {
    yield* qualifiedName(text(gate, 'conditionType'), at.child('readinessGates').index(i).child('conditionType'));
  }
  const names = records(spec, 'schedulingGates').map(it => text(it, 'name'));
  const repeated = repeatedAt(names);
  for (const [i, name] of names.entries()) {
    const path = at.child('schedulingGates').index(i);
    yield* qualifiedName(name, path);
    if (repeated.has(i)) yield duplicate(path, name);
  }
}

/** `metadata` is a Pod's, not a template's. Upstream: core validation.validatePodResourceClaims. */
export function* validateResourceClaims(
  spec: JsonObject,
  list: FieldPath,
  metadata: JsonObject | undefined,
): Iterable<FieldError> {
  const claims = records(spec, 'resourceClaims');
  const isMirror = has(record(metadata, 'annotations'), MIRROR_ANNOTATION);
  const repeated = repeatedAt(claims.map(it => text(it, 'name')));
  for (const [i, claim] of claims.entries()) {
    const at = list.index(i);
    const name = text(claim, 'name');
    if (isMirror) {
      yield forbidden(FieldPath.root.key(''), 'static pods do not support resource claims');
      continue;
    }
    if (name === '') yield required(at.child('name'));
    else if (repeated.has(i)) yield duplicate(at.child('name'), name);
    else yield* label(name, at.child('name'));
    const sources = ['resourceClaimName', 'resourceClaimTemplateName'].filter(it => has(claim, it));
    if (sources.length === 2) {
      yield invalid(at, claim, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified');
    }
    if (sources.length === 0) {
      yield invalid(at, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    }
    for (const source of sources) yield* subdomain(text(claim, source), at.child(source));
  }
}
