import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import {
  has,
  mapField,
  mapItems,
  optionalInt,
  optionalText,
  record,
  text,
  withDefaults,
} from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, notAmong, notSupported, required, tooLong, type Validation } from '../errors';
import { domainPrefixedPath } from '../shared/checks';
import { validatePodFailurePolicy, validateSuccessPolicy } from './jobPolicies';
import { validateScheduling } from './jobScheduling';
import { nonNegative, templateOf } from './parts';
import { validatePodTemplateSpec } from './podTemplate';

/** Jobs with more completions have tighter limits. */
export const completionsSoftLimit = 100_000;
const mostParallelOrFailed = 100_000;
const mostWithManyCompletions = 10_000;
const longestManagedBy = 63;

const AMOUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
];

/** Upstream: SetDefaults_PodFailurePolicyOnPodConditionsPattern. */
export function podFailureDefaults(spec: JsonObject): JsonObject {
  return mapField(spec, 'podFailurePolicy', policy =>
    mapItems(policy, 'rules', rule => mapItems(rule, 'onPodConditions', it => withDefaults(it, { status: 'True' }))),
  );
}

/** A Job's spec, or that of a CronJob's template, without the selector. Upstream: batch validation.validateJobSpec. */
export function* validateJobSpec(spec: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  yield* nonNegative(spec, AMOUNTS, at);
  if (has(spec, 'maxFailedIndexes') && !has(spec, 'backoffLimitPerIndex')) {
    yield required(at.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified');
  }
  const managedBy = optionalText(spec, 'managedBy');
  if (managedBy !== undefined) {
    yield* domainPrefixedPath(managedBy, at.child('managedBy'));
    if (byteLength(managedBy) > longestManagedBy) yield tooLong(at.child('managedBy'), longestManagedBy);
  }
  yield* validateCompletionMode(spec, at);
  if (has(spec, 'podFailurePolicy')) yield* validatePodFailurePolicy(spec, at.child('podFailurePolicy'));
  const successPolicy = record(spec, 'successPolicy');
  if (successPolicy !== undefined) {
    const atPolicy = at.child('successPolicy');
    if (text(spec, 'completionMode') === 'Indexed') yield* validateSuccessPolicy(spec, atPolicy);
    else yield invalid(atPolicy, successPolicy, 'requires indexed completion mode');
  }
  yield* validateReplacement(spec, at.child('podReplacementPolicy'));
  yield* validateScheduling(spec, at.child('scheduling'));
  yield* validatePodTemplateSpec(templateOf(spec), at.child('template'), validation);
  yield* validateRestart(spec, at.child('template', 'spec', 'restartPolicy'));
}

function* validateCompletionMode(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const mode = optionalText(spec, 'completionMode') ?? 'NonIndexed';
  if (mode === 'Indexed') yield* validateIndexed(spec, at);
  else if (mode !== 'NonIndexed') yield notAmong(at.child('completionMode'), mode, ['NonIndexed', 'Indexed']);
  else {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
      const value = optionalInt(spec, field);
      if (value !== undefined) yield invalid(at.child(field), value, 'requires indexed completion mode');
    }
  }
}

function* validateIndexed(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const completions = optionalInt(spec, 'completions');
  const parallelism = optionalInt(spec, 'parallelism') ?? 0;
  const failed = optionalInt(spec, 'maxFailedIndexes');
  const atFailed = at.child('maxFailedIndexes');
  if (completions === undefined) yield required(at.child('completions'), 'when completion mode is Indexed');
  if (parallelism > mostParallelOrFailed) {
    const detail = `must be less than or equal to ${mostParallelOrFailed} when completion mode is Indexed`;
    yield invalid(at.child('parallelism'), parallelism, detail);
  }
  if (completions !== undefined && failed !== undefined && failed > completions) {
    yield invalid(atFailed, failed, 'must be less than or equal to completions');
  }
  if (failed !== undefined && failed > mostParallelOrFailed) {
    yield invalid(atFailed, failed, `must be less than or equal to ${mostParallelOrFailed}`);
  }
  if ((completions ?? 0) <= completionsSoftLimit || !has(spec, 'backoffLimitPerIndex')) return;
  const limit =
    `must be less than or equal to ${mostWithManyCompletions} when completions are above ${completionsSoftLimit} ` +
    'and used with backoff limit per index';
  if (failed === undefined) {
    yield required(atFailed, `must be specified when completions is above ${completionsSoftLimit}`);
  }
  if (parallelism > mostWithManyCompletions) yield invalid(at.child('parallelism'), parallelism, limit);
  if (failed !== undefined && failed > mostWithManyCompletions) yield invalid(atFailed, failed, limit);
}

/** Upstream: batch validation.validatePodReplacementPolicy. */
function* validateReplacement(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const policy = optionalText(spec, 'podReplacementPolicy');
  const choices = has(spec, 'podFailurePolicy') ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  if (policy !== undefined && !choices.includes(policy)) yield notSupported(at, policy, choices);
}

/** A Job's Pods end, so the policy may not be `Always`, which is also the default of an absent policy. */
function* validateRestart(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const policy = text(record(templateOf(spec), 'spec'), 'restartPolicy');
  if (policy === '' || policy === 'Always') yield required(at, 'valid values: "OnFailure", "Never"');
  else if (policy !== 'OnFailure' && policy !== 'Never') yield notAmong(at, policy, ['OnFailure', 'Never']);
  else if (policy === 'OnFailure' && has(spec, 'podFailurePolicy')) {
    yield invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}
