import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { flag, optionalText, record, text, withDefaults } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid, type KindStrategy, notAmong, required, type Validation } from '../errors';
import { nameOf, validateNameFn, validateObjectMeta } from '../metadata';
import { defaultTemplate } from '../podSpec/defaults';
import { dropStatus } from '../shared/drops';
import { scheduleError } from './cronSchedule';
import { jobSpecWarnings } from './job';
import { podFailureDefaults, validateJobSpec } from './jobSpec';
import { dropInTurn, dropOfTemplate, nameWarnings, nonNegative, SPEC, specOf } from './parts';
import { timeZoneErrors } from './timeZone';

const JOB_SPEC = SPEC.child('jobTemplate', 'spec');

/** A Job's name is the CronJob's with a dash and ten digits, and may have 63 characters. */
const longestName = 52;

const jobSpecOf = (it: JsonObject): JsonObject => specOf(record(specOf(it), 'jobTemplate') ?? {});

/** Upstream: pkg/registry/batch/cronjob.cronJobStrategy. */
export const cronJobStrategy: KindStrategy = {
  defaults: (it, validation) => ({
    ...it,
    spec: withDefaults(
      {
        ...specOf(it),
        jobTemplate: { ...record(specOf(it), 'jobTemplate'), spec: jobDefaults(jobSpecOf(it), validation) },
      },
      { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
    ),
  }),
  drop: (object, validation) =>
    dropInTurn(object, dropStatus, it => dropOfTemplate(it, ['spec', 'jobTemplate', 'spec', 'template'], validation)),
  validate: (it, validation) => [...validateCronJob(it, validation)],
  warn: (it, validation) => [...nameWarnings(it), ...jobSpecWarnings(jobSpecOf(it), JOB_SPEC, validation)],
};

/**
 * Within a CronJob only the Pod template and the failure policy get defaults; the Jobs created from it get the others.
 */
function jobDefaults(spec: JsonObject, { kube }: Validation): JsonObject {
  const withTemplate = { ...spec, template: defaultTemplate(record(spec, 'template') ?? {}) };
  return applies(minorChanges.cronJobFailureStatus, kube) ? podFailureDefaults(withTemplate) : withTemplate;
}

/** Upstream: batch validation.ValidateCronJobCreate. */
function* validateCronJob(cronJob: JsonObject, validation: Validation): Iterable<FieldError> {
  yield* validateObjectMeta(cronJob, 'namespaced', validateNameFn.subdomain);
  yield* validateCronJobSpec(specOf(cronJob));
  yield* validateJobTemplate(jobSpecOf(cronJob), validation);
  const name = nameOf(record(cronJob, 'metadata'));
  if (byteLength(name) > longestName) {
    yield invalid(FieldPath.of('metadata', 'name'), name, `must be no more than ${longestName} characters`);
  }
}

const CONCURRENCY = ['Allow', 'Forbid', 'Replace'];

/** Upstream: batch validation.validateCronJobSpec, validateScheduleFormat and validateConcurrencyPolicy. */
function* validateCronJobSpec(spec: JsonObject): Iterable<FieldError> {
  const schedule = text(spec, 'schedule');
  const atSchedule = SPEC.child('schedule');
  if (schedule === '') yield required(atSchedule);
  else {
    const problem = scheduleError(schedule);
    if (problem !== undefined) yield invalid(atSchedule, schedule, problem);
    if (schedule.includes('TZ')) {
      yield invalid(atSchedule, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
    }
  }
  yield* nonNegative(spec, ['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'], SPEC);
  const zone = optionalText(spec, 'timeZone');
  if (zone !== undefined) for (const it of timeZoneErrors(zone)) yield invalid(SPEC.child('timeZone'), zone, it);
  const policy = text(spec, 'concurrencyPolicy');
  if (!CONCURRENCY.includes(policy)) yield notAmong(SPEC.child('concurrencyPolicy'), policy, CONCURRENCY);
}

/** Upstream: batch validation.ValidateJobTemplateSpec. */
function* validateJobTemplate(spec: JsonObject, validation: Validation): Iterable<FieldError> {
  yield* validateJobSpec(spec, JOB_SPEC, validation);
  const selector = record(spec, 'selector');
  if (selector !== undefined) yield invalid(JOB_SPEC.child('selector'), selector, '`selector` will be auto-generated');
  if (flag(spec, 'manualSelector') === true) {
    yield notAmong(JOB_SPEC.child('manualSelector'), true, ['nil', 'false']);
  }
}
