import { qualifiedNameErrors } from '../../../../kube/names';
import { compareQuantities, quantityMilliInt64, quantityOf } from '../../../../kube/quantity';
import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject, JsonValue } from '../../../../manifest/manifest';
import { duplicate, type FieldError, forbidden, invalid, notFound, notSupported, required } from '../errors';
import { get, record, records, text } from '../read';

const OVERCOMMIT = (name: string) => (!name.includes('/') || /(^|\.)kubernetes\.io\//.test(name)) && !isHugePage(name);
const isHugePage = (name: string) => name.startsWith('hugepages-');

function sizeOf(value: JsonValue | undefined) {
  return quantityOf(value ?? '0') ?? quantityOf('0');
}

/** Negative, zero or positive; zero when one of the two cannot be read. */
function compare(a: JsonValue | undefined, b: JsonValue | undefined): number {
  const left = sizeOf(a);
  const right = sizeOf(b);
  return left === undefined || right === undefined ? 0 : compareQuantities(left, right);
}

/** Upstream: core validation.validateResourceRequirements. */
export function* validateResources(
  resources: JsonObject | undefined,
  level: 'container' | 'pod',
  claimNames: ReadonlySet<string>,
  at: FieldPath,
): Iterable<FieldError> {
  const limits = record(resources, 'limits') ?? {};
  const requests = record(resources, 'requests') ?? {};
  for (const [name, value] of Object.entries(limits)) {
    yield* validateEntry(name, value, level, at.child('limits').key(name));
  }
  for (const [name, value] of Object.entries(requests)) {
    yield* validateEntry(name, value, level, at.child('requests').key(name));
    const limit = get(limits, name);
    if (limit === undefined) {
      if (!OVERCOMMIT(name)) yield required(at.child('limits'), 'Limit must be set for non overcommitable resources');
    } else if (!OVERCOMMIT(name) && compare(value, limit) !== 0) {
      yield invalid(at.child('requests'), value, `must be equal to ${name} limit of ${String(limit)}`);
    } else if (compare(value, limit) > 0) {
      yield invalid(at.child('requests'), value, `must be less than or equal to ${name} limit of ${String(limit)}`);
    }
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePage) && !names.includes('cpu') && !names.includes('memory')) {
    yield forbidden(at, 'HugePages require cpu or memory');
  }
  if (level === 'container') yield* validateClaims(resources, claimNames, at.child('claims'));
}

const STANDARD = ['cpu', 'memory', 'ephemeral-storage'];

function* validateEntry(
  name: string,
  value: JsonValue,
  level: 'container' | 'pod',
  at: FieldPath,
): Iterable<FieldError> {
  yield* validateResourceName(name, level, at);
  if (compare(value, '0') < 0) yield invalid(at, value, 'must be greater than or equal to 0');
  const size = sizeOf(value);
  const isWhole = size === undefined || quantityMilliInt64(size) % 1000n === 0n;
  if (!OVERCOMMIT(name) && !isHugePage(name) && !isWhole) yield invalid(at, value, 'must be an integer');
  if (!isHugePage(name)) return;
  const page = quantityOf(name.slice('hugepages-'.length));
  if (page === undefined || size === undefined || page.amount <= 0n) return;
  const milli = quantityMilliInt64(size);
  if (milli % quantityMilliInt64(page) === 0n) return;
  const detail = `${String(value)} is not positive integer multiple of ${name.slice('hugepages-'.length)}`;
  yield invalid(at, value, detail);
}

/** Upstream: core validation.ValidateContainerResourceName, validatePodResourceName. */
function* validateResourceName(name: string, level: 'container' | 'pod', at: FieldPath): Iterable<FieldError> {
  const errors = qualifiedNameErrors(name);
  for (const it of errors) yield invalid(at, name, it);
  if (errors.length > 0) return;
  const isStandard = STANDARD.includes(name) || isHugePage(name);
  if (level === 'pod') {
    if (!name.includes('/') && !isStandard) {
      yield invalid(at, name, 'must be a standard resource type or fully qualified');
    } else if (name === 'ephemeral-storage' || !isStandard)
      yield notSupported(at, name, ['cpu', 'hugepages-', 'memory']);
  } else if (!name.includes('/')) {
    if (!isStandard) yield invalid(at, name, 'must be a standard resource for containers');
  } else if (!/(^|\.)kubernetes\.io\//.test(name)) {
    const isExtended = !name.startsWith('requests.') && qualifiedNameErrors(`requests.${name}`).length === 0;
    if (!isExtended) yield invalid(at, name, "doesn't follow extended resource name standard");
  }
}

/** Upstream: core validation.validateResourceClaimNames. */
function* validateClaims(
  resources: JsonObject | undefined,
  names: ReadonlySet<string>,
  list: FieldPath,
): Iterable<FieldError> {
  const claims = records(resources, 'claims').map(it => ({ name: text(it, 'name'), request: text(it, 'request') }));
  for (const [i, { name, request }] of claims.entries()) {
    const at = list.index(i);
    if (name === '') {
      yield required(at);
      continue;
    }
    const before = claims.slice(0, i).filter(it => it.name === name);
    const clash = before.some(it => it.request === request || it.request === '' || request === '');
    if (clash) yield duplicate(at, request === '' ? name : `${name}/${request}`);
    if (!names.has(name)) yield notFound(at, name);
  }
}

/** Upstream: core validation.validatePodResources. */
export function* validatePodResources(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const resources = record(spec, 'resources');
  if (resources === undefined) return;
  if (text(record(spec, 'os'), 'name') === 'windows') {
    yield forbidden(at, 'may not be set for a windows pod');
    return;
  }
  if (get(resources, 'claims') !== undefined) {
    yield forbidden(at.child('claims'), 'claims may not be set for Resources at pod-level');
  }
  yield* validateResources(resources, 'pod', new Set(), at);
  const limits = record(resources, 'limits');
  for (const [i, container] of records(spec, 'containers').entries()) {
    for (const [name, value] of Object.entries(record(record(container, 'resources'), 'limits') ?? {})) {
      const most = get(limits, name);
      if (most === undefined || compare(value, most) <= 0) continue;
      const path = at.child('containers').index(i).key(name).child('limits');
      yield invalid(path, value, `must be less than or equal to pod limits of ${String(most)}`);
    }
  }
}
