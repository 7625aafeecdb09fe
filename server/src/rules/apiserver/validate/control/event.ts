import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { has, int, record, text } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid, type KindStrategy, required, type Validation } from '../errors';
import { validateNameFn, validateObjectMeta } from '../metadata';
import { qualifiedName, subdomain } from '../shared/checks';

/** Upstream: pkg/apis/core/validation/events.go, which checks the core form of an Event. */

/** Where the core form has another name, by the field of events.k8s.io/v1. */
const CORE_NAMES: readonly (readonly [string, string])[] = [
  ['deprecatedCount', 'count'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedSource', 'source'],
  ['note', 'message'],
  ['regarding', 'involvedObject'],
];

/** An Event of group `events.k8s.io`. Upstream: ValidateEventCreate for its versions. */
export const eventStrategy: KindStrategy = {
  *validate(object, validation) {
    const event = coreForm(object);
    yield* validateEvent(event, 'reportingController');
    yield* validateOldNamespace(event, validation);
    yield* validateObjectMeta(object, 'namespaced', validateNameFn.subdomain);
    yield* validateSeries(event);
    if (!has(event, 'eventTime')) yield required(FieldPath.of('eventTime'));
    const type = text(event, 'type');
    if (type !== 'Normal' && type !== 'Warning') yield invalid(FieldPath.of('type'), '', `has invalid value: ${type}`);
    const source = record(event, 'source');
    const unset = [
      ...['firstTimestamp', 'lastTimestamp'].filter(it => has(event, it)),
      ...(int(event, 'count') === 0 ? [] : ['count']),
      ...(text(source, 'component') === '' && text(source, 'host') === '' ? [] : ['source']),
    ];
    for (const field of unset) yield invalid(FieldPath.of(field), '', 'needs to be unset');
  },
};

/** An Event of version v1. Upstream: legacyValidateEvent. */
export const coreEventStrategy: KindStrategy = {
  *validate(object, validation) {
    const event = { ...object, reportingController: object.reportingComponent ?? null };
    yield* validateEvent(event, 'reportingComponent');
    yield* validateOldNamespace(event, validation);
  },
};

function* validateOldNamespace(event: JsonObject, { kube }: Validation): Iterable<FieldError> {
  if (applies(minorChanges.eventNamespaceTwice, kube)) {
    yield* subdomain(namespaceOf(event), FieldPath.of('namespace'));
  }
}

function coreForm(object: JsonObject): JsonObject {
  const renamed = CORE_NAMES.map(([name, core]): [string, JsonObject[string]] => [core, object[name] ?? null]);
  return { ...object, ...Object.fromEntries(renamed) };
}

/** The namespace of the request is `default` where none is written. */
const namespaceOf = (event: JsonObject): string => text(record(event, 'metadata'), 'namespace') || 'default';

function* validateEvent(event: JsonObject, controllerField: string): Iterable<FieldError> {
  const namespace = namespaceOf(event);
  const involved = text(record(event, 'involvedObject'), 'namespace');
  if (!isNamespaceRight(namespace, involved, has(event, 'eventTime'))) {
    yield invalid(FieldPath.of('involvedObject', 'namespace'), involved, 'does not match event.namespace');
  }
  if (!has(event, 'eventTime')) return;
  const controller = text(event, 'reportingController');
  const at = FieldPath.of(controllerField);
  if (controller === '') yield required(at);
  yield* qualifiedName(controller, at);
  yield* validateText(event, 'reportingInstance');
  yield* validateText(event, 'action');
  yield* validateText(event, 'reason');
  if (byteLength(text(event, 'message')) > 1024) yield tooManyCharacters('message', 1024);
}

/** Whether an Event in a namespace may be about an object in another. */
function isNamespaceRight(namespace: string, involved: string, isTimed: boolean): boolean {
  if (isTimed) return involved !== '' || ['default', 'kube-system'].includes(namespace);
  return (involved || 'default') === namespace;
}

function* validateText(event: JsonObject, field: string): Iterable<FieldError> {
  const value = text(event, field);
  if (value === '') yield required(FieldPath.of(field));
  if (byteLength(value) > 128) yield tooManyCharacters(field, 128);
}

function tooManyCharacters(field: string, most: number): FieldError {
  return invalid(FieldPath.of(field), '', `can have at most ${most} characters`);
}

/** Upstream: validateV1EventSeries. */
function* validateSeries(event: JsonObject): Iterable<FieldError> {
  const series = record(event, 'series');
  if (series === undefined) return;
  if (int(series, 'count') < 2) yield invalid(FieldPath.of('series', 'count'), '', 'should be at least 2');
  if (!has(series, 'lastObservedTime')) yield required(FieldPath.of('series', 'lastObservedTime'));
}
