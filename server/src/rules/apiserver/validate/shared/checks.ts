import type { JsonObject } from '../../../../base/json';
import { get, optionalInt, text } from '../../../../kube/goFields';
import { dns1123LabelErrors, dns1123SubdomainErrors, qualifiedNameErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, invalids, notAmong, notSupported, required } from '../errors';

/** Small checks for many fields of a PodSpec. */

export function* label(value: string, at: FieldPath): Iterable<FieldError> {
  for (const it of dns1123LabelErrors(value)) yield invalid(at, value, it);
}

export function* subdomain(value: string, at: FieldPath): Iterable<FieldError> {
  for (const it of dns1123SubdomainErrors(value)) yield invalid(at, value, it);
}

export function* qualifiedName(value: string, at: FieldPath): Iterable<FieldError> {
  for (const it of qualifiedNameErrors(value)) yield invalid(at, value, it);
}

/** Required for an empty text, not supported for one that is not among the choices, which are in upstream's order. */
export function* oneOf(of: JsonObject, field: string, at: FieldPath, choices: readonly string[]): Iterable<FieldError> {
  const value = text(of, field);
  if (value === '') yield required(at);
  else if (!choices.includes(value)) yield notAmong(at, value, choices);
}

/** Not supported for a text that is not among the choices; no error for an absent field. */
export function* oneOfIfSet(
  of: JsonObject | undefined,
  field: string,
  at: FieldPath,
  choices: readonly string[],
): Iterable<FieldError> {
  const value = get(of, field);
  if (typeof value === 'string' && !choices.includes(value)) yield notSupported(at, value, choices);
}

/** Upstream: core validation.ValidateNonnegativeField. */
export function* nonNegative(of: JsonObject | undefined, field: string, at: FieldPath): Iterable<FieldError> {
  const value = optionalInt(of, field) ?? 0;
  if (value < 0) yield invalid(at.child(field), value, 'must be greater than or equal to 0');
}

export function* needs(of: JsonObject, fields: readonly string[], at: FieldPath): Iterable<FieldError> {
  for (const field of fields) if (text(of, field) === '') yield required(at.child(field));
}

/** Upstream: core validation.validatePathNoBacksteps. */
export function* noBacksteps(path: string, at: FieldPath): Iterable<FieldError> {
  if (path.split('/').includes('..')) yield invalid(at, path, "must not contain '..'");
}

/** Upstream: core validation.validateLocalDescendingPath. */
export function* descendingPath(path: string, at: FieldPath): Iterable<FieldError> {
  if (path.startsWith('/')) yield invalid(at, path, 'must be a relative path');
  yield* noBacksteps(path, at);
}

/** Upstream: core validation.ValidateLocalNonReservedPath. */
export function* nonReservedPath(path: string, at: FieldPath): Iterable<FieldError> {
  yield* descendingPath(path, at);
  if (path.startsWith('..') && !path.startsWith('../')) yield invalid(at, path, "must not start with '..'");
}

/** Upstream: apimachinery validation.IsDomainPrefixedPath. */
export function* domainPrefixedPath(value: string, at: FieldPath): Iterable<FieldError> {
  const slash = value.indexOf('/');
  const [host, path] = [value.slice(0, Math.max(slash, 0)), value.slice(slash + 1)];
  if (value === '') yield required(at);
  else if (host === '' || path === '') {
    yield invalid(at, value, 'must be a domain-prefixed path (such as "acme.io/foo")');
  } else {
    yield* invalids(at, host, dns1123SubdomainErrors(host));
    if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) {
      yield invalid(at, path, "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
    }
  }
}

/** Go's unicode.IsSpace, which differs from JavaScript's white space. */
const SPACE = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const PADDED = new RegExp(`^${SPACE}|${SPACE}$`);

/** Whether it begins or ends with white space. Upstream compares with strings.TrimSpace. */
export function isPadded(value: string): boolean {
  return PADDED.test(value);
}

const SPACES = new RegExp(SPACE);

/** Upstream: Go's strings.TrimSpace. */
export function trimSpace(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && SPACES.test(value.charAt(start))) start++;
  while (end > start && SPACES.test(value.charAt(end - 1))) end--;
  return value.slice(start, end);
}
