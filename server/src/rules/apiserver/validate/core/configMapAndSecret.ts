import { byteLength } from '../../../../base/byteLength';
import type { JsonObject, JsonValue } from '../../../../base/json';
import { entries, get, record, text } from '../../../../kube/goFields';
import { unmarshal } from '../../../../kube/goJson';
import { configMapKeyErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, invalids, type KindStrategy, required, tooLong } from '../errors';
import { validateNameFn, validateObjectMeta } from '../metadata';
import { annotationsOf } from '../shared/labels';
import { keyPairProblems } from './tls';

const mostBytes = 1024 * 1024;

/** The number of bytes of a base64 text. */
function bytesOf(value: JsonValue): number {
  if (typeof value !== 'string') return 0;
  const bare = value.replace(/[\r\n=]/g, '');
  return Math.floor((bare.length * 3) / 4);
}

function sizeOf(list: readonly (readonly [string, JsonValue])[], measure: (value: JsonValue) => number): number {
  return list.reduce((sum, [, it]) => sum + measure(it), 0);
}

function keyErrors(object: JsonObject, field: string): readonly FieldError[] {
  return entries(object, field).flatMap(([key]) =>
    invalids(FieldPath.of(field).key(key), key, configMapKeyErrors(key)),
  );
}

/** Upstream's path for the whole object has one empty name, which prints as `[]`. */
const WHOLE = FieldPath.root.key('');

/** Upstream: ValidateConfigMap. */
export const configMapStrategy: KindStrategy = {
  validate: object => {
    const data = entries(object, 'data');
    const binary = record(object, 'binaryData');
    const twice = data.filter(([key]) => binary !== undefined && Object.hasOwn(binary, key));
    const size =
      sizeOf(data, it => byteLength(typeof it === 'string' ? it : '')) + sizeOf(entries(object, 'binaryData'), bytesOf);
    return [
      ...validateObjectMeta(object, 'namespaced', validateNameFn.subdomain),
      ...keyErrors(object, 'data'),
      ...twice.map(([key]) => invalid(FieldPath.of('data').key(key), key, 'duplicate of key present in binaryData')),
      ...keyErrors(object, 'binaryData'),
      ...(size > mostBytes ? [tooLong(WHOLE, mostBytes)] : []),
    ];
  },
};

const dataOfType: ReadonlyMap<string, readonly string[]> = new Map([
  ['kubernetes.io/dockercfg', ['.dockercfg']],
  ['kubernetes.io/dockerconfigjson', ['.dockerconfigjson']],
  ['kubernetes.io/tls', ['tls.crt', 'tls.key']],
]);

/** The data that a Secret's type requires. */
function typeErrors(object: JsonObject): readonly FieldError[] {
  const type = text(object, 'type');
  const data = record(object, 'data') ?? {};
  const at = FieldPath.of('data');
  if (type === 'kubernetes.io/service-account-token') {
    const key = 'kubernetes.io/service-account.name';
    if (get(annotationsOf(object), key)) return [];
    return [required(FieldPath.of('metadata', 'annotations').key(key))];
  }
  if (type === 'kubernetes.io/basic-auth') {
    if (Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password')) return [];
    return [required(at.key('username')), required(at.key('password'))];
  }
  if (type === 'kubernetes.io/ssh-auth') {
    return bytesOf(data['ssh-privatekey'] ?? null) === 0 ? [required(at.key('ssh-privatekey'))] : [];
  }
  const needed = dataOfType.get(type) ?? [];
  const missing = needed.filter(it => !Object.hasOwn(data, it)).map(it => required(at.key(it)));
  if (missing.length > 0 || !type.startsWith('kubernetes.io/dockerc')) return missing;
  return needed.flatMap(it => jsonErrors(data[it] ?? '', at.key(it)));
}

/** The file must contain a JSON object; its content is never printed. */
function jsonErrors(value: JsonValue, at: FieldPath): readonly FieldError[] {
  const read = unmarshal(decodeBase64(typeof value === 'string' ? value : ''), {
    kind: 'map',
    go: 'map[string]interface {}',
  });
  return 'error' in read ? [invalid(at, '<secret contents redacted>', read.error)] : [];
}

function decodeBase64(value: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(value), it => it.charCodeAt(0)));
  } catch {
    return '';
  }
}

/** Upstream: ValidateSecret; stringData has been merged into data before. */
export const secretStrategy: KindStrategy = {
  defaults: object => {
    const plain = entries(object, 'stringData');
    if (plain.length === 0) return object;
    const encoded = plain.map(([key, it]) => [key, encodeBase64(typeof it === 'string' ? it : '')] as const);
    return { ...object, data: { ...record(object, 'data'), ...Object.fromEntries(encoded) } };
  },
  validate: object => [
    ...validateObjectMeta(object, 'namespaced', validateNameFn.subdomain),
    ...keyErrors(object, 'data'),
    ...(sizeOf(entries(object, 'data'), bytesOf) > mostBytes ? [tooLong(FieldPath.of('data'), mostBytes)] : []),
    ...typeErrors(object),
  ],
  warn: object => {
    if (text(object, 'type') !== 'kubernetes.io/tls') return [];
    const data = record(object, 'data');
    return keyPairProblems(decodeBase64(text(data, 'tls.crt')), decodeBase64(text(data, 'tls.key')));
  },
};

function encodeBase64(value: string): string {
  return btoa([...new TextEncoder().encode(value)].map(it => String.fromCharCode(it)).join(''));
}
