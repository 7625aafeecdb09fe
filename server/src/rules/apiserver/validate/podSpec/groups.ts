import type { JsonObject } from '../../../../base/json';
import { has, int, optionalText, record, records, text } from '../../../../kube/goFields';
import { dns1123SubdomainErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, forbidden, invalid, invalids, required, tooMany } from '../errors';
import { prefixedKeyErrors, reservedErrors } from '../shared/prefixedKeys';

/** The fields exist only with their gates, GenericWorkload and EvictionRequestAPI. */
export function* validateGroups(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const group = record(spec, 'schedulingGroup');
  const groupPath = at.child('schedulingGroup');
  if (group !== undefined) {
    yield* validateSchedulingGroup(group, groupPath.child('podGroupName'));
    if (records(spec, 'evictionResponders').length > 0) {
      yield forbidden(groupPath, 'may not be set when evictionResponders is set');
    }
  }
  yield* validateEvictionResponders(records(spec, 'evictionResponders'), at.child('evictionResponders'));
}

/** Upstream: core validation.validateSchedulingGroup. */
function validateSchedulingGroup(group: JsonObject, at: FieldPath): readonly FieldError[] {
  const name = optionalText(group, 'podGroupName');
  if (name === undefined) return [invalid(at, null, 'must specify one of: `podGroupName`')];
  return invalids(at, name, dns1123SubdomainErrors(name));
}

const MOST_RESPONDERS = 10;

/** Upstream: the declarative validation of core v1 PodSpec.evictionResponders. */
function* validateEvictionResponders(responders: readonly JsonObject[], list: FieldPath): Iterable<FieldError> {
  if (responders.length > MOST_RESPONDERS) {
    yield tooMany(list, responders.length, MOST_RESPONDERS);
    return;
  }
  const names = responders.map(it => text(it, 'name'));
  for (const [i, responder] of responders.entries()) {
    const at = list.index(i);
    const name = text(responder, 'name');
    if (names.indexOf(name) < i) yield duplicate(at, responder);
    if (name === '') yield required(at.child('name'));
    else yield* invalids(at.child('name'), name, [...reservedErrors(name), ...prefixedKeyErrors(name)]);
    if (!has(responder, 'priority')) yield required(at.child('priority'));
    else yield* invalids(at.child('priority'), int(responder, 'priority'), priorityErrors(int(responder, 'priority')));
  }
}

/** Upstream: core v1 ValidateCustom_EvictionResponder_Priority and the limits of the field. */
function priorityErrors(priority: number): readonly string[] {
  if (priority < 0) return ['must be greater than or equal to 0'];
  if (priority < 1000) return ['priorities 0-999 are reserved for responders with *.k8s.io suffix'];
  return priority > 100_000 ? ['must be less than or equal to 100000'] : [];
}
