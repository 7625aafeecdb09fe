import type { JsonObject } from '../../../../base/json';
import { flag, get, has, optionalInt, record, text } from '../../../../kube/goFields';
import { dns1123LabelErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, type KindStrategy, required, type Validation, type Warning } from '../errors';
import { nameOf, selectsLabels, validateLabelSelector, validateNameFn, validateObjectMeta } from '../metadata';
import { podWarnings } from '../podSpec/warnings';
import { completionsSoftLimit, podFailureDefaults, validateJobSpec } from './jobSpec';
import {
  dropOfWorkload,
  isBrokenSelector,
  labelsOf,
  nameWarnings,
  SPEC,
  selectorMatches,
  specOf,
  TEMPLATE,
  templateOf,
  withMissing,
  withSpec,
  withTemplateLabels,
} from './parts';

const CONTROLLER_UID = 'batch.kubernetes.io/controller-uid';
const JOB_NAME = 'batch.kubernetes.io/job-name';

/** A placeholder for the UID that the server generates, which no author can know. */
const NEW_UID = '00000000-0000-4000-8000-000000000000';

const MAX_INT32 = 2147483647;
const MANY_PODS = 10_000;

/** Upstream: pkg/registry/batch/job.jobStrategy. */
export const jobStrategy: KindStrategy = {
  defaults: it => withTemplateLabels(withSpec(it, spec => jobDefaults(podFailureDefaults(spec)))),
  drop: (job, validation) => dropOfWorkload(generateSelector(job), validation),
  validate: (it, validation) => [...validateJob(it, validation)],
  warn: (it, validation) => [...nameWarnings(it), ...jobSpecWarnings(specOf(it), SPEC, validation)],
};

/** Upstream: SetDefaults_Job. */
function jobDefaults(spec: JsonObject): JsonObject {
  const isSingle = !has(spec, 'completions') && !has(spec, 'parallelism');
  return withMissing(spec, {
    ...(isSingle && { completions: 1 }),
    parallelism: 1,
    backoffLimit: has(spec, 'backoffLimitPerIndex') ? MAX_INT32 : 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: has(spec, 'podFailurePolicy') ? 'Failed' : 'TerminatingOrFailed',
    manualSelector: false,
  });
}

/** The labels that identify a Job's Pods, under their old and their present names. */
function generatedLabels(job: JsonObject): Readonly<Record<string, string>> {
  const name = nameOf(record(job, 'metadata'));
  return { 'job-name': name, [JOB_NAME]: name, 'controller-uid': NEW_UID, [CONTROLLER_UID]: NEW_UID };
}

/**
 * The Job with its generated selector and labels, unless the author manages them. Labels that the Job took over from
 * its template are the same map upstream, and receive them, too. Upstream: generateSelectorIfNeeded.
 */
function generateSelector(job: JsonObject): JsonObject {
  const spec = specOf(job);
  if (flag(spec, 'manualSelector') === true) return job;
  const template = templateOf(spec);
  const labels = labelsOf(template);
  const grown = { ...generatedLabels(job), ...labels };
  const selector = record(spec, 'selector');
  const matchLabels = { [CONTROLLER_UID]: NEW_UID, ...record(selector, 'matchLabels') };
  const isShared = labels !== undefined && labelsOf(job) === labels;
  return {
    ...job,
    ...(isShared && { metadata: { ...record(job, 'metadata'), labels: grown } }),
    spec: {
      ...spec,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...record(template, 'metadata'), labels: grown } },
    },
  };
}

/** Upstream: batch validation.ValidateJobCreate and ValidateJobSpec. */
function* validateJob(job: JsonObject, validation: Validation): Iterable<FieldError> {
  const spec = specOf(job);
  const selector = record(spec, 'selector');
  yield* validateObjectMeta(job, 'namespaced', validateNameFn.subdomain);
  yield* validateGeneratedSelector(job);
  yield* validateJobSpec(spec, SPEC, validation);
  if (selector === undefined) yield required(SPEC.child('selector'));
  yield* validateLabelSelector(selector, SPEC.child('selector'));
  if (!isBrokenSelector(spec)) yield* selectorMatches(spec);
  yield* nameAllowsCompletions(job);
}

/** Upstream: batch validation.validateGeneratedSelector. */
function* validateGeneratedSelector(job: JsonObject): Iterable<FieldError> {
  const spec = specOf(job);
  if (flag(spec, 'manualSelector') === true) return;
  const labels = labelsOf(templateOf(spec));
  const expected = generatedLabels(job);
  for (const [key, value] of Object.entries(expected)) {
    if (get(labels, key) === value) continue;
    yield invalid(TEMPLATE.child('metadata', 'labels').key(key), labels ?? null, `must be '${value}'`);
  }
  const selector = record(spec, 'selector');
  if (!isBrokenSelector(spec) && !selectsLabels(selector, expected)) {
    yield invalid(SPEC.child('selector'), selector ?? null, '`selector` not auto-generated');
  }
}

/** The host name of an indexed Job's Pod is the Job's name and an index. Upstream: validateNameAllowsCompletions. */
function* nameAllowsCompletions(job: JsonObject): Iterable<FieldError> {
  const spec = specOf(job);
  const completions = optionalInt(spec, 'completions') ?? 0;
  if (text(spec, 'completionMode') !== 'Indexed' || completions <= 0) return;
  const name = nameOf(record(job, 'metadata'));
  const hostname = `${name}-${completions - 1}`;
  if (dns1123LabelErrors(hostname).length === 0) return;
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
  yield invalid(FieldPath.of('metadata', 'name'), name, detail);
}

/** Upstream: pkg/api/job.WarningsForJobSpec. */
export function jobSpecWarnings(spec: JsonObject, at: FieldPath, validation: Validation): readonly Warning[] {
  const [completions, parallelism] = [optionalInt(spec, 'completions') ?? 0, optionalInt(spec, 'parallelism') ?? 0];
  const isIndexed = text(spec, 'completionMode') === 'Indexed';
  const isHuge = isIndexed && completions > completionsSoftLimit && parallelism > MANY_PODS;
  const huge =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ' +
    'Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [
    ...(isHuge ? [`${at}: ${huge}`] : []),
    ...podWarnings(templateOf(spec), at.child('template'), 'template', validation),
  ];
}
