import type { JsonObject } from '../../../../../base/json';
import { has, record, records, text } from '../../../../../kube/goFields';
import {
  configMapKeyErrors,
  dns1123SubdomainErrors,
  envVarNameErrors,
  relaxedEnvVarNameErrors,
} from '../../../../../kube/names';
import { formatQuantity, isZeroQuantity } from '../../../../../kube/quantity';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { type FieldError, invalid, invalids, notSupported, required, type Validation } from '../../errors';
import { label, noBacksteps, qualifiedName } from '../../shared/checks';
import { amountOf } from '../../shared/resources';

const ENV_PATHS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'].flatMap(it => [`limits.${it}`, `requests.${it}`]);

/** Upstream: core validation.ValidateEnv. */
export function* validateEnv(container: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  for (const [i, variable] of records(container, 'env').entries()) {
    const item = at.index(i);
    const name = text(variable, 'name');
    if (name === '') yield required(item.child('name'));
    else yield* invalids(item.child('name'), name, nameErrors(name, validation));
    yield* validateValueFrom(variable, item.child('valueFrom'), validation);
  }
}

function nameErrors(name: string, { isOn }: Validation): readonly string[] {
  return isOn('RelaxedEnvironmentVariableValidation') ? relaxedEnvVarNameErrors(name) : envVarNameErrors(name);
}

const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

/** Upstream: core validation.validateEnvVarValueFrom. */
function* validateValueFrom(variable: JsonObject, at: FieldPath, { isOn }: Validation): Iterable<FieldError> {
  const from = record(variable, 'valueFrom');
  if (from === undefined) return;
  const sources = SOURCES.filter(it => has(from, it));
  for (const source of sources) {
    const value = record(from, source) ?? {};
    if (source === 'fieldRef') yield* validateFieldSelector(value, ENV_PATHS, at.child(source));
    else if (source === 'resourceFieldRef') yield* validateResourceSelector(value, 'env', at.child(source));
    else if (source === 'fileKeyRef') yield* validateFileKey(value, at.child(source));
    else yield* validateKeySelector(value, at.child(source));
  }
  if (sources.length === 0) {
    const choices = isOn('EnvFiles')
      ? '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
      : '`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    yield invalid(at, '', `must specify one of: ${choices}`);
  } else if (text(variable, 'value') !== '') yield invalid(at, '', 'may not be specified when `value` is not empty');
  else if (sources.length > 1) yield invalid(at, '', 'may not have more than one field specified at a time');
}

/** Upstream: core validation.validateObjectFieldSelector. */
export function* validateFieldSelector(
  selector: JsonObject,
  expressions: readonly string[],
  at: FieldPath,
): Iterable<FieldError> {
  const apiVersion = text(selector, 'apiVersion') || 'v1';
  const written = text(selector, 'fieldPath');
  if (written === '') {
    yield required(at.child('fieldPath'));
    return;
  }
  const problem = conversionProblem(apiVersion, written);
  if (problem !== undefined) {
    yield invalid(at.child('fieldPath'), written, `error converting fieldPath: ${problem}`);
    return;
  }
  const path = written === 'spec.host' ? 'spec.nodeName' : written;
  const subscript = subscriptOf(path);
  if (subscript === undefined) {
    if (!expressions.includes(path)) yield notSupported(at.child('fieldPath'), path, expressions);
    return;
  }
  const { map, key } = subscript;
  if (map === 'metadata.annotations') yield* qualifiedName(key.toLowerCase(), at);
  else if (map === 'metadata.labels') yield* qualifiedName(key, at);
  else yield invalid(at, map, 'does not support subscript');
}

/** Upstream: fieldpath.SplitMaybeSubscriptedPath. */
function subscriptOf(path: string): { readonly map: string; readonly key: string } | undefined {
  const start = path.indexOf("['");
  if (start <= 0 || !path.endsWith("']") || path.length < start + 4) return undefined;
  return { map: path.slice(0, start), key: path.slice(start + 2, -2) };
}

const CONVERTED = [
  ...ENV_PATHS,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
  'spec.host',
];

/** Upstream: pkg/apis/core/pods.ConvertDownwardAPIFieldLabel. */
function conversionProblem(apiVersion: string, path: string): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  const subscript = subscriptOf(path);
  if (subscript !== undefined) {
    if (subscript.map === 'metadata.annotations' || subscript.map === 'metadata.labels') return undefined;
    return `field label does not support subscript: ${path}`;
  }
  return CONVERTED.includes(path) ? undefined : `field label not supported: ${path}`;
}

const DIVISORS = ['1', ...['k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map(it => `1${it}`)];

/** Upstream: core validation.validateContainerResourceFieldSelector. */
export function* validateResourceSelector(
  selector: JsonObject,
  place: 'env' | 'volume',
  at: FieldPath,
): Iterable<FieldError> {
  const resource = text(selector, 'resource');
  if (place === 'volume' && text(selector, 'containerName') === '') yield required(at.child('containerName'));
  else if (resource === '') yield required(at.child('resource'));
  else if (!RESOURCES.includes(resource) && !/^(requests|limits)\.hugepages-/.test(resource)) {
    yield notSupported(at.child('resource'), resource, RESOURCES);
  }
  yield* validateDivisor(resource, selector, at.child('divisor'));
}

const SIZES = [
  { of: /^(limits|requests)\.memory$/, called: 'memory' },
  { of: /^(limits|requests)\.ephemeral-storage$/, called: 'local ephemeral storage' },
  { of: /^(limits|requests)\.hugepages-/, called: 'hugepages' },
];

/** Upstream: core validation.validateContainerResourceDivisor. */
function* validateDivisor(resource: string, selector: JsonObject, at: FieldPath): Iterable<FieldError> {
  const amount = amountOf(selector.divisor);
  const divisor = formatQuantity(amount);
  if (isZeroQuantity(amount)) return;
  if (resource === 'limits.cpu' || resource === 'requests.cpu') {
    if (divisor === '1' || divisor === '1m') return;
    yield invalid(at, resource, "only divisor's values 1m and 1 are supported with the cpu resource");
    return;
  }
  const size = SIZES.find(it => it.of.test(resource));
  if (size === undefined || DIVISORS.includes(divisor)) return;
  const detail = `only divisor's values ${DIVISORS.join(', ')} are supported with the ${size.called} resource`;
  yield invalid(at, resource, detail);
}

/** Upstream: core validation.validateConfigMapKeySelector, validateSecretKeySelector. */
function* validateKeySelector(selector: JsonObject, at: FieldPath): Iterable<FieldError> {
  const name = text(selector, 'name');
  const key = text(selector, 'key');
  for (const it of dns1123SubdomainErrors(name)) yield invalid(at.child('name'), name, it);
  if (key === '') yield required(at.child('key'));
  else for (const it of configMapKeyErrors(key)) yield invalid(at.child('key'), key, it);
}

/** Upstream: core validation.validateFileKeySelector. */
function* validateFileKey(selector: JsonObject, at: FieldPath): Iterable<FieldError> {
  const key = text(selector, 'key');
  const volumeName = text(selector, 'volumeName');
  const path = text(selector, 'path');
  if (key === '') yield required(at.child('key'));
  else for (const it of relaxedEnvVarNameErrors(key)) yield invalid(at.child('key'), key, it);
  if (volumeName === '') yield required(at.child('volumeName'));
  else yield* label(volumeName, at.child('volumeName'));
  if (path === '') yield required(at.child('path'));
  else yield* noBacksteps(path, at.child('path'));
}

/** Upstream: core validation.ValidateEnvFrom. Errors of the sources have the path of the list, not of its item. */
export function* validateEnvFrom(container: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  for (const [i, from] of records(container, 'envFrom').entries()) {
    const prefix = text(from, 'prefix');
    if (prefix !== '') yield* invalids(at.index(i).child('prefix'), prefix, nameErrors(prefix, validation));
    const sources = ['configMapRef', 'secretRef'].filter(it => has(from, it));
    for (const source of sources) {
      const name = text(record(from, source), 'name');
      const path = at.index(i).child(source, 'name');
      if (name === '') yield required(path);
      else {
        const masked = name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
        for (const it of dns1123SubdomainErrors(masked)) yield invalid(path, name, it);
      }
    }
    if (sources.length === 0) yield invalid(at, '', 'must specify one of: `configMapRef` or `secretRef`');
    else if (sources.length > 1) yield invalid(at, '', 'may not have more than one field specified at a time');
  }
}
