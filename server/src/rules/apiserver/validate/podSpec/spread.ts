import type { JsonObject } from '../../../../base/json';
import { int, optionalInt, record, records, text } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalid, notSupported, required, type Validation } from '../errors';
import { validateLabelSelector } from '../metadata';
import { oneOfIfSet } from '../shared/checks';
import { validateMergedLabelKeys, validateUnmergedLabelKeys } from './labelKeys';

const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];

/** Upstream: core validation.validateTopologySpreadConstraints. */
export function* validateSpreadConstraints(
  spec: JsonObject,
  list: FieldPath,
  validation: Validation,
): Iterable<FieldError> {
  const constraints = records(spec, 'topologySpreadConstraints');
  const lastOf = new Map(constraints.map((it, i) => [keyOf(it), i]));
  for (const [i, constraint] of constraints.entries()) {
    const at = list.index(i);
    const key = text(constraint, 'topologyKey');
    const when = text(constraint, 'whenUnsatisfiable');
    yield* positive(int(constraint, 'maxSkew'), at.child('maxSkew'));
    if (key === '') yield required(at.child('topologyKey'), 'can not be empty');
    if (!ACTIONS.includes(when)) yield notSupported(at.child('whenUnsatisfiable'), when, ACTIONS);
    if (lastOf.get(keyOf(constraint)) !== i) {
      yield duplicate(at.child('{topologyKey, whenUnsatisfiable}'), `{${key}, ${when}}`);
    }
    yield* validateMinDomains(constraint, at.child('minDomains'));
    for (const policy of ['nodeAffinityPolicy', 'nodeTaintsPolicy']) {
      yield* oneOfIfSet(constraint, policy, at.child(policy), ['Honor', 'Ignore']);
    }
    if (mergesSpreadKeys(validation)) yield* validateMergedLabelKeys(constraint, at);
    else yield* validateUnmergedLabelKeys(constraint, at.child('matchLabelKeys'));
    yield* validateLabelSelector(record(constraint, 'labelSelector'), at.child('labelSelector'));
  }
}

/** Whether the API server merges `matchLabelKeys` of spread constraints into the label selector. */
export function mergesSpreadKeys({ isOn }: Pick<Validation, 'isOn'>): boolean {
  return isOn('MatchLabelKeysInPodTopologySpread') && isOn('MatchLabelKeysInPodTopologySpreadSelectorMerge');
}

const keyOf = (constraint: JsonObject): string =>
  JSON.stringify(['topologyKey', 'whenUnsatisfiable'].map(it => text(constraint, it)));

/** Upstream: core validation.validateMinDomains. */
function* validateMinDomains(constraint: JsonObject, at: FieldPath): Iterable<FieldError> {
  const minDomains = optionalInt(constraint, 'minDomains');
  if (minDomains === undefined) return;
  yield* positive(minDomains, at);
  const when = text(constraint, 'whenUnsatisfiable');
  if (when === 'DoNotSchedule') return;
  yield invalid(at, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`);
}

/** Upstream: core validation.ValidatePositiveField. */
function* positive(value: number, at: FieldPath): Iterable<FieldError> {
  if (value <= 0) yield invalid(at, value, 'must be greater than zero');
}
