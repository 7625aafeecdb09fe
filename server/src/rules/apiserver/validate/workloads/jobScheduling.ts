import type { JsonObject } from '../../../../base/json';
import { get, has, optionalInt, record } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { all, fields, isSet, numberOf, pointer, union, type Value } from '../dra/declarative';
import { disruptionMode, resourceClaims, topology } from '../dra/scheduling';
import { type FieldError, invalid } from '../errors';

/** `spec.scheduling` of a Job: how the Workload that the Job controller creates is scheduled. */

const minCount = (value: Value, at: FieldPath): readonly FieldError[] =>
  isSet(value) && numberOf(value) < 1 ? [invalid(at, numberOf(value), 'must be greater than or equal to 1')] : [];

/** Upstream: Validate_JobSchedulingConfiguration, generated from the tags of the fields. */
const schedulingConfiguration = fields({
  schedulingPolicy: pointer(all(union(['basic', 'gang']), fields({ gang: pointer(fields({ minCount })) }))),
  schedulingConstraints: topology,
  disruptionMode,
  resourceClaims,
});

/** Upstream: validateGangMinCount, validateJobScheduling and the generated checks. */
export function* validateScheduling(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const scheduling = record(spec, 'scheduling');
  if (scheduling === undefined) return;
  const policy = record(scheduling, 'schedulingPolicy');
  const gang = record(policy, 'gang');
  const parallelism = optionalInt(spec, 'parallelism') ?? 1;
  const count = optionalInt(gang, 'minCount');
  if (count !== undefined && count > parallelism) {
    const detail = `must not be greater than parallelism (${parallelism})`;
    yield invalid(at.child('schedulingPolicy', 'gang', 'minCount'), count, detail);
  }
  const mode = record(scheduling, 'disruptionMode');
  const isBasic = has(policy, 'basic') || gang === undefined;
  if (isBasic && has(mode, 'all') && !has(mode, 'single')) {
    const detail = 'the disruptionMode `all` is not supported with the Basic scheduling policy';
    yield invalid(at.child('disruptionMode'), '', detail);
  }
  yield* schedulingConfiguration(get(spec, 'scheduling'), at);
}
