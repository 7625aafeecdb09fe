import { portNameErrors, portNumberErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject, JsonValue } from '../../../../manifest/manifest';
import { type FieldError, forbidden, invalid, notSupported, required } from '../errors';
import { get, has, items, optionalInt, record, records, text } from '../read';
import { nonNegative, oneOfIfSet } from './checks';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/** Upstream: core validation.validateHandler. */
export function* validateHandler(
  handler: JsonObject,
  gracePeriod: number | undefined,
  at: FieldPath,
): Iterable<FieldError> {
  const written = HANDLERS.filter(it => has(handler, it));
  for (const [i, type] of written.entries()) {
    const value = record(handler, type) ?? {};
    if (i > 0) yield forbidden(at.child(type), 'may not specify more than 1 handler type');
    else yield* validateAction(type, value, gracePeriod, at.child(type));
  }
  if (written.length === 0) yield required(at, 'must specify a handler type');
}

function* validateAction(
  type: (typeof HANDLERS)[number],
  action: JsonObject,
  gracePeriod: number | undefined,
  at: FieldPath,
): Iterable<FieldError> {
  switch (type) {
    case 'exec':
      if (items(action, 'command').length === 0) yield required(at.child('command'));
      return;
    case 'httpGet':
      yield* validateHttpGet(action, at);
      return;
    case 'tcpSocket':
      yield* validatePort(get(action, 'port'), at.child('port'));
      return;
    case 'grpc':
      yield* validatePort(get(action, 'port'), at.child('port'));
      yield* oneOfIfSet(action, 'mode', at.child('mode'), ['Plaintext', 'TLS']);
      return;
    case 'sleep':
      yield* validateSleep(action, gracePeriod, at);
  }
}

/** Upstream: core validation.validateSleepAction. */
function* validateSleep(action: JsonObject, gracePeriod: number | undefined, at: FieldPath): Iterable<FieldError> {
  const seconds = optionalInt(action, 'seconds') ?? 0;
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return;
  const detail = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  yield invalid(at.child('seconds'), seconds, detail);
}

/** Upstream: core validation.validateHTTPGetAction. */
function* validateHttpGet(http: JsonObject, at: FieldPath): Iterable<FieldError> {
  const scheme = text(http, 'scheme');
  if (text(http, 'path') === '') yield required(at.child('path'));
  yield* validatePort(get(http, 'port'), at.child('port'));
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') yield notSupported(at.child('scheme'), scheme, ['HTTP', 'HTTPS']);
  for (const header of records(http, 'httpHeaders')) {
    const name = text(header, 'name');
    if (/^[-A-Za-z0-9]+$/.test(name)) continue;
    const rule =
      "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
    yield invalid(at.child('httpHeaders'), name, rule);
  }
  const protocol = get(http, 'protocol');
  if (protocol === undefined) return;
  if (protocol !== 'HTTP1' && protocol !== 'HTTP2') {
    yield notSupported(at.child('protocol'), protocol, ['HTTP1', 'HTTP2']);
  } else if (protocol === 'HTTP2' && scheme !== 'HTTP') {
    yield invalid(at.child('protocol'), protocol, 'is only supported with HTTP (H2C)');
  } else if (protocol === 'HTTP2' && text(http, 'host') !== '') {
    yield invalid(at.child('host'), text(http, 'host'), 'must be empty when `protocol` is "HTTP2"');
  }
}

/** Upstream: core validation.ValidatePortNumOrName. */
function* validatePort(port: JsonValue | undefined, at: FieldPath): Iterable<FieldError> {
  if (typeof port === 'string') for (const it of portNameErrors(port)) yield invalid(at, port, it);
  else for (const it of portNumberErrors(Number(port ?? 0))) yield invalid(at, port ?? 0, it);
}

/** Upstream: core validation.validateProbe. */
export function* validateProbe(
  container: JsonObject,
  type: 'livenessProbe' | 'readinessProbe' | 'startupProbe',
  gracePeriod: number | undefined,
  containerPath: FieldPath,
): Iterable<FieldError> {
  const probe = record(container, type);
  if (probe === undefined) return;
  const at = containerPath.child(type);
  yield* validateHandler(probe, gracePeriod, at);
  const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];
  for (const field of counts) yield* nonNegative(probe, field, at);
  const grace = optionalInt(probe, 'terminationGracePeriodSeconds');
  if (grace !== undefined && grace <= 0) {
    yield invalid(at.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0');
  }
  if (type === 'readinessProbe') {
    if (grace !== undefined) {
      yield invalid(at.child('terminationGracePeriodSeconds'), grace, 'must not be set for readinessProbes');
    }
    return;
  }
  const success = optionalInt(probe, 'successThreshold') ?? 0;
  if (success !== 1) yield invalid(at.child('successThreshold'), success, 'must be 1');
}

/** Upstream: core validation.validateLifecycle. Stop signals: alpha, so dropped before this by default. */
export function* validateLifecycle(
  lifecycle: JsonObject,
  gracePeriod: number | undefined,
  at: FieldPath,
  os: string | undefined,
): Iterable<FieldError> {
  for (const hook of ['postStart', 'preStop']) {
    const handler = record(lifecycle, hook);
    if (handler !== undefined) yield* validateHandler(handler, gracePeriod, at.child(hook));
  }
  if (!has(lifecycle, 'stopSignal')) return;
  if (os === undefined) {
    yield forbidden(at.child('stopSignal'), 'may not be set for containers with empty `spec.os.name`');
  } else if (os === 'windows')
    yield* oneOfIfSet(lifecycle, 'stopSignal', at.child('stopSignal'), ['SIGKILL', 'SIGTERM']);
}
