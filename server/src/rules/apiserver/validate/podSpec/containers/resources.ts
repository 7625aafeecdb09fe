import type { JsonObject, JsonValue } from '../../../../../base/json';
import { lazy } from '../../../../../base/lazy';
import { entries, get, record, records, text } from '../../../../../kube/goFields';
import {
  compareQuantities,
  formatQuantity,
  quantityInt64,
  quantityMilliInt64,
  quantityOf,
} from '../../../../../kube/quantity';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { duplicate, type FieldError, forbidden, invalid, notFound, notSupported, required } from '../../errors';
import { label } from '../../shared/checks';
import {
  amountOf,
  containerResourceNameErrors,
  isHugePages,
  isOvercommitAllowed,
  resourceAmountErrors,
  resourceNameErrors,
} from '../../shared/resources';

type Level = 'container' | 'pod';

/** The names of a Pod's resource claims. */
export interface NamedClaims {
  readonly names: ReadonlySet<string>;
  /** The words about a name that is not among them, made once for all containers. */
  readonly choices: () => string;
}

export function claimsOf(spec: JsonObject | undefined): NamedClaims {
  const names = new Set(records(spec, 'resourceClaims').map(it => text(it, 'name')));
  const choices = lazy(() => {
    const known = [...names].filter(it => it !== '').sort();
    const listed = known.length === 0 ? ' which is empty' : `: ${known.join(', ')}`;
    return `must be one of the names in pod.spec.resourceClaims${listed}`;
  });
  return { names, choices };
}

/** Upstream: core validation.validateResourceRequirements. */
export function* validateResources(
  resources: JsonObject | undefined,
  level: Level,
  claims: NamedClaims,
  at: FieldPath,
): Iterable<FieldError> {
  if (resources === undefined || Object.keys(resources).length === 0) return;
  const limits = record(resources, 'limits');
  for (const [name, value] of entries(resources, 'limits')) {
    yield* validateEntry(name, value, level, at.child('limits').key(name));
  }
  for (const [name, value] of entries(resources, 'requests')) {
    yield* validateEntry(name, value, level, at.child('requests').key(name));
    const limit = get(limits, name);
    if (limit !== undefined) yield* validateAgainstLimit(name, value, limit, at.child('requests'));
    else if (!isOvercommitAllowed(name)) {
      yield required(at.child('limits'), 'Limit must be set for non overcommitable resources');
    }
  }
  const names = [...entries(resources, 'limits'), ...entries(resources, 'requests')].map(([name]) => name);
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    yield forbidden(at, 'HugePages require cpu or memory');
  }
  yield* validateClaims(resources, claims, at.child('claims'));
}

function* validateAgainstLimit(name: string, value: JsonValue, limit: JsonValue, at: FieldPath): Iterable<FieldError> {
  const request = amountOf(value);
  const order = compareQuantities(request, amountOf(limit));
  const allowed = isOvercommitAllowed(name) ? 'less than or equal' : 'equal';
  if (order === 0 || (order < 0 && isOvercommitAllowed(name))) return;
  yield invalid(
    at,
    formatQuantity(request),
    `must be ${allowed} to ${name} limit of ${formatQuantity(amountOf(limit))}`,
  );
}

function* validateEntry(name: string, value: JsonValue, level: Level, at: FieldPath): Iterable<FieldError> {
  yield* level === 'pod' ? podResourceNameErrors(name, at) : containerResourceNameErrors(name, at);
  yield* resourceAmountErrors(name, value, at);
  if (!isHugePages(name) || isMultipleOfPage(name, value)) return;
  const amount = formatQuantity(amountOf(value));
  yield invalid(at, amount, `${amount} is not positive integer multiple of ${name}`);
}

/** Upstream: core validation.validatePodResourceName. */
function podResourceNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  const errors = resourceNameErrors(name, at);
  if (errors.length > 0 || name === 'cpu' || name === 'memory' || isHugePages(name)) return errors;
  return [notSupported(at, name, ['cpu', 'hugepages-', 'memory'])];
}

/** Upstream: helper.IsHugePageResourceValueDivisible. */
function isMultipleOfPage(name: string, value: JsonValue): boolean {
  const page = quantityOf(name.slice('hugepages-'.length));
  if (page === undefined || page.amount <= 0n || quantityMilliInt64(page) % 1000n !== 0n) return false;
  const size = quantityInt64(page);
  return size !== 0n && quantityInt64(amountOf(value)) % size === 0n;
}

/** Upstream: core validation.validateResourceClaimNames. */
function* validateClaims(resources: JsonObject, claims: NamedClaims, list: FieldPath): Iterable<FieldError> {
  const seen = new Set<string>();
  const requestsOf = new Map<string, number>();
  for (const [i, claim] of records(resources, 'claims').entries()) {
    const at = list.index(i);
    const name = text(claim, 'name');
    const request = text(claim, 'request');
    if (name === '') {
      yield required(at);
      continue;
    }
    if (seen.has(name)) yield duplicate(at, name);
    else {
      const key = request === '' ? name : `${name}/${request}`;
      if (request !== '') yield* label(request, at.child('request'));
      if (seen.has(key)) yield duplicate(at, key);
      else if (request === '') {
        // A whole claim conflicts with each of its requests that another entry refers to.
        for (let n = requestsOf.get(name) ?? 0; n > 0; n--) yield duplicate(at, name);
      }
      if (request !== '' && !seen.has(key)) requestsOf.set(name, (requestsOf.get(name) ?? 0) + 1);
      seen.add(key);
    }
    if (!claims.names.has(name)) yield { ...notFound(at, name), detail: claims.choices() };
  }
}
