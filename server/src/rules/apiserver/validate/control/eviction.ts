import type { JsonObject } from '../../../../base/json';
import { get, record, text, without } from '../../../../kube/goFields';
import { longNameErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, invalids, type KindStrategy, notSupported, required } from '../errors';
import { type Dropped, hasContent } from '../gatedFields';
import { nameOf, validateNameFn, validateObjectMeta } from '../metadata';
import { prefixedKeyErrors, reservedErrors } from '../shared/prefixedKeys';

/** Kinds of lifecycle.k8s.io. Upstream: pkg/apis/lifecycle/validation and the declarative validation of v1alpha1. */

const TARGET = FieldPath.of('spec', 'target');

/** The status, whose numbers are pointers: a written zero is dropped as well. */
function dropWrittenStatus(object: JsonObject): Dropped {
  const dropped = hasContent(get(object, 'status')) ? [FieldPath.of('status')] : [];
  return { object: without(object, 'status'), dropped };
}

/** Upstream: ValidateEviction and Validate_EvictionSpec. */
export const evictionStrategy: KindStrategy = {
  drop: dropWrittenStatus,
  validate: validateEviction,
};

/** Upstream: ValidateEvictionRequest and Validate_EvictionRequestSpec. */
export const evictionRequestStrategy: KindStrategy = {
  drop: dropWrittenStatus,
  *validate(object) {
    yield* validateEviction(object);
    const spec = record(object, 'spec');
    const requester = text(spec, 'requester');
    const requesterAt = FieldPath.of('spec', 'requester');
    if (requester === '') yield required(requesterAt);
    else yield* invalids(requesterAt, requester, [...reservedErrors(requester), ...prefixedKeyErrors(requester)]);
    const intent = text(spec, 'intent');
    const intents = ['Eviction', 'Withdrawn'];
    const intentAt = FieldPath.of('spec', 'intent');
    if (intent === '') yield required(intentAt);
    else if (!intents.includes(intent)) yield notSupported(intentAt, intent, intents);
  },
};

/** The metadata, and the Pod that the object is about. */
function* validateEviction(object: JsonObject): Iterable<FieldError> {
  yield* validateObjectMeta(object, 'namespaced', validateNameFn.longName);
  // Declarative validation checks an empty name, too.
  const name = nameOf(record(object, 'metadata'));
  if (name === '') yield* invalids(FieldPath.of('metadata', 'name'), name, longNameErrors(name));
  const target = record(record(object, 'spec'), 'target');
  const pod = record(target, 'pod');
  if (pod === undefined) {
    yield invalid(TARGET, '', 'must specify one of: `pod`');
    return;
  }
  const [podName, uid] = [text(pod, 'name'), text(pod, 'uid')];
  const [nameAt, uidAt] = [TARGET.child('pod', 'name'), TARGET.child('pod', 'uid')];
  if (podName === '') yield required(nameAt);
  else yield* invalids(nameAt, podName, longNameErrors(podName));
  if (uid === '') yield required(uidAt);
  else if (!/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(uid)) {
    yield invalid(uidAt, uid, 'must be a lowercase UUID in 8-4-4-4-12 format');
  }
}
