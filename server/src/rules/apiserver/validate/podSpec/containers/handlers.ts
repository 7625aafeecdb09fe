import type { JsonObject, JsonValue } from '../../../../../base/json';
import { numeric } from '../../../../../base/printed';
import { get, has, int, items, optionalInt, record, records, text } from '../../../../../kube/goFields';
import { portNameErrors, portNumberErrors } from '../../../../../kube/names';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { applies } from '../../../../minors/minorChange';
import { minorChanges } from '../../../../minors/minorChanges';
import { type FieldError, forbidden, invalid, invalids, notSupported, required, type Validation } from '../../errors';
import { nonNegative, oneOfIfSet } from '../../shared/checks';

export const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/** The fields of a Pod that the handlers of its containers depend on. */
export interface HandlerFacts {
  /** Seconds until the Pod is killed. */
  readonly gracePeriod: number | undefined;
  readonly os: string | undefined;
  readonly validation: Validation;
}

/** Upstream: core validation.validateHandler. */
function* validateHandler(handler: JsonObject, facts: HandlerFacts, at: FieldPath): Iterable<FieldError> {
  const written = HANDLERS.filter(it => has(handler, it));
  for (const [i, type] of written.entries()) {
    const value = record(handler, type) ?? {};
    if (i > 0) yield forbidden(at.child(type), 'may not specify more than 1 handler type');
    else yield* validateAction(type, value, facts, at.child(type));
  }
  if (written.length === 0) yield required(at, 'must specify a handler type');
}

function* validateAction(
  type: (typeof HANDLERS)[number],
  action: JsonObject,
  facts: HandlerFacts,
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
      yield* validateSleep(int(action, 'seconds'), facts, at);
  }
}

/** Upstream: core validation.validateSleepAction. */
function* validateSleep(seconds: number, facts: HandlerFacts, at: FieldPath): Iterable<FieldError> {
  const { gracePeriod, validation } = facts;
  const isZeroKnown =
    applies(minorChanges.zeroSleep, validation.kube) || validation.isOn('PodLifecycleSleepActionAllowZero');
  const canEnable = validation.kube.gate('PodLifecycleSleepActionAllowZero') !== undefined;
  const advice = canEnable ? '. Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep.' : '';
  const least = isZeroKnown ? 0 : 1;
  if (gracePeriod === undefined || (seconds >= least && seconds <= gracePeriod)) return;
  const detail = isZeroKnown
    ? `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`
    : `must be greater than 0 and less than terminationGracePeriodSeconds (${gracePeriod})${advice}`;
  yield invalid(at, seconds, detail);
}

const HEADER_RULE =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', " +
  "regex used for validation is '[-A-Za-z0-9]+')";

/** Upstream: core validation.validateHTTPGetAction. */
function* validateHttpGet(http: JsonObject, at: FieldPath): Iterable<FieldError> {
  const scheme = text(http, 'scheme');
  if (text(http, 'path') === '') yield required(at.child('path'));
  yield* validatePort(get(http, 'port'), at.child('port'));
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') yield notSupported(at.child('scheme'), scheme, ['HTTP', 'HTTPS']);
  for (const header of records(http, 'httpHeaders')) {
    const name = text(header, 'name');
    if (!/^[-A-Za-z0-9]+$/.test(name)) yield invalid(at.child('httpHeaders'), name, HEADER_RULE);
  }
  yield* oneOfIfSet(http, 'protocol', at.child('protocol'), ['HTTP1', 'HTTP2']);
  if (text(http, 'protocol') !== 'HTTP2') return;
  if (scheme !== 'HTTP') yield invalid(at.child('protocol'), 'HTTP2', 'is only supported with HTTP (H2C)');
  else if (text(http, 'host') !== '') {
    yield invalid(at.child('host'), text(http, 'host'), 'must be empty when `protocol` is "HTTP2"');
  }
}

/** Upstream: core validation.ValidatePortNumOrName. */
export function* validatePort(port: JsonValue | undefined, at: FieldPath): Iterable<FieldError> {
  if (typeof port === 'string') yield* invalids(at, port, portNameErrors(port));
  else yield* invalids(at, port ?? 0, portNumberErrors(numeric(port ?? 0)));
}

const COUNTS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** Upstream: core validation.validateLivenessProbe, validateReadinessProbe, validateStartupProbe. */
export function* validateProbe(
  container: JsonObject,
  type: (typeof PROBES)[number],
  facts: HandlerFacts,
  containerPath: FieldPath,
): Iterable<FieldError> {
  const probe = record(container, type);
  if (probe === undefined) return;
  const at = containerPath.child(type);
  const grace = optionalInt(probe, 'terminationGracePeriodSeconds');
  const gracePath = at.child('terminationGracePeriodSeconds');
  yield* validateHandler(probe, facts, at);
  for (const field of COUNTS) yield* nonNegative(probe, field, at);
  if (grace !== undefined && grace <= 0) yield invalid(gracePath, grace, 'must be greater than 0');
  if (type === 'readinessProbe') {
    if (grace !== undefined) yield invalid(gracePath, grace, 'must not be set for readinessProbes');
  } else if (int(probe, 'successThreshold') !== 1) {
    yield invalid(at.child('successThreshold'), int(probe, 'successThreshold'), 'must be 1');
  }
}

/** Upstream: core validation.validateLifecycle. */
export function* validateLifecycle(container: JsonObject, facts: HandlerFacts, at: FieldPath): Iterable<FieldError> {
  const lifecycle = record(container, 'lifecycle');
  for (const hook of ['postStart', 'preStop']) {
    const handler = record(lifecycle, hook);
    if (handler !== undefined) yield* validateHandler(handler, facts, at.child(hook));
  }
  const path = at.child('stopSignal');
  if (!has(lifecycle, 'stopSignal')) return;
  if (facts.os === undefined) yield forbidden(path, 'may not be set for containers with empty `spec.os.name`');
  else if (facts.os === 'windows') yield* oneOfIfSet(lifecycle, 'stopSignal', path, ['SIGKILL', 'SIGTERM']);
  else if (facts.os === 'linux') yield* oneOfIfSet(lifecycle, 'stopSignal', path, LINUX_SIGNALS);
}

const LINUX_SIGNALS = [
  ...['ABRT', 'ALRM', 'BUS', 'CHLD', 'CLD', 'CONT', 'FPE', 'HUP', 'ILL', 'INT', 'IO', 'IOT', 'KILL', 'PIPE', 'POLL'],
  ...['PROF', 'PWR', 'QUIT', 'SEGV', 'STKFLT', 'STOP', 'SYS', 'TERM', 'TRAP', 'TSTP', 'TTIN', 'TTOU', 'URG', 'USR1'],
  ...['USR2', 'VTALRM', 'WINCH', 'XCPU', 'XFSZ', 'RTMIN', 'RTMAX'],
  ...Array.from({ length: 15 }, (_, i) => `RTMIN+${i + 1}`),
  ...Array.from({ length: 14 }, (_, i) => `RTMAX-${i + 1}`),
].map(it => `SIG${it}`);
