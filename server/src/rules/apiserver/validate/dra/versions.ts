import { asList, asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import type { FieldError, Validation } from '../errors';
import { hasItems, isSet, structOf, textOf, without } from './declarative';

/**
 * The shapes of resource.k8s.io before v1beta2, in which a request has the fields of `exactly` itself and a device has
 * those of `basic`. The server validates all versions in one shape. Upstream: pkg/apis/resource/v1beta1, conversion.go
 * and defaults.go.
 */

/** Whether an object has the shape before v1beta2. */
export function isFlat({ apiVersion }: JsonObject): boolean {
  return apiVersion === 'resource.k8s.io/v1beta1' || apiVersion === 'resource.k8s.io/v1alpha3';
}

const exactFields = [
  'adminAccess',
  'allocationMode',
  'capacity',
  'count',
  'derivedAttributes',
  'deviceClassName',
  'selectors',
  'tolerations',
];

/** The claim's spec with `exactly` in its requests. */
export function nestedRequests(spec: JsonObject, { kube }: Validation): JsonObject {
  return withRequests(spec, request => {
    const exactly = exactFields.filter(it => isGiven(request[it]));
    const isAlways = !applies(minorChanges.requestsNested, kube);
    const rest = exactFields.reduce(without, request);
    if (exactly.length === 0 && !isAlways && request.allocationMode !== '') return rest;
    return { ...rest, exactly: Object.fromEntries(exactly.map(it => [it, request[it] ?? null])) };
  });
}

/** Go's zero value of a field that is no pointer counts as not given. */
function isGiven(value: JsonValue | undefined): boolean {
  return isSet(value) && value !== '' && value !== 0;
}

/**
 * The defaults of a request that has the fields of `exactly` itself. The server converts it before it drops what gates drop: a
 * request of such fields alone keeps an empty `exactly`, which an empty mode stands for. Upstream: SetDefaults_DeviceRequest,
 * hasAnyMainRequestFieldsSet.
 */
export function flatDefaults(
  spec: JsonObject,
  count: (item: JsonValue) => JsonObject,
  { kube }: Validation,
): JsonObject {
  const isAlways = !applies(minorChanges.requestsNested, kube);
  const withMode = (request: JsonObject): JsonObject => {
    const mode = textOf(request.allocationMode);
    const isExact = exactFields.some(it => isGiven(request[it]));
    return { ...without(request, 'allocationMode'), ...(isExact && { allocationMode: mode }) };
  };
  return withRequests(spec, request => ({
    ...(isAlways || textOf(request.deviceClassName) !== '' ? count(request) : withMode(request)),
    ...(isSet(request.firstAvailable) ? { firstAvailable: asList(request.firstAvailable).map(count) } : {}),
  }));
}

function withRequests(spec: JsonObject, change: (request: JsonObject) => JsonObject): JsonObject {
  const devices = structOf(spec.devices);
  if (!hasItems(devices.requests)) return spec;
  return { ...spec, devices: { ...devices, requests: asList(devices.requests).map(it => change(structOf(it))) } };
}

/** The slice's spec with the fields of `basic` in its devices. */
export function plainDevices(spec: JsonObject): JsonObject {
  const nodes = {
    ...(textOf(spec.nodeName) === '' ? {} : { nodeName: spec.nodeName ?? null }),
    ...(spec.allNodes === true ? { allNodes: true } : {}),
  };
  const rest = without(without(spec, 'nodeName'), 'allNodes');
  if (!isSet(spec.devices)) return { ...rest, ...nodes };
  const devices = asList(spec.devices).map(it => {
    const { name, basic } = structOf(it);
    return { ...(isSet(name) ? { name } : {}), ...asObject(basic) };
  });
  return { ...rest, ...nodes, devices };
}

/** Devices without `basic`, which was required as long as it was the only sort of device. */
export function missingBasics(spec: JsonObject): readonly number[] {
  return asList(spec.devices).flatMap((it, i) => (isSet(structOf(it).basic) ? [] : [i]));
}

/** The errors with the paths of a minor that validated the older shape. */
export function flatPaths(errors: readonly FieldError[], { kube }: Validation): readonly FieldError[] {
  if (applies(minorChanges.requestsNested, kube)) return errors;
  return errors.map(it => ({ ...it, at: flatPath(it) }));
}

function flatPath({ at, detail }: FieldError): FieldPath {
  const { segments } = at;
  if (detail.startsWith('the total number of attributes and capacities')) return at.child('basic');
  const device = segments[1] === 'devices' && typeof segments[2] === 'number' && segments.length > 3;
  if (device && segments[3] !== 'name') return FieldPath.of(...segments.slice(0, 3), 'basic', ...segments.slice(3));
  return FieldPath.of(...segments.filter(it => it !== 'exactly'));
}
