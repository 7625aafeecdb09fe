import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { type At, answer } from './answer';

const pod = { restartPolicy: 'Never', containers: [{ name: 'count', image: 'busybox' }] };
const template = { spec: pod };

const job = (spec: JsonObject, metadata: JsonObject = { name: 'count' }): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata,
  spec: { template, ...spec },
});

const cronJob = (
  spec: JsonObject,
  jobSpec: JsonObject = {},
  metadata: JsonObject = { name: 'nightly' },
): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata,
  spec: { schedule: '0 4 * * *', jobTemplate: { spec: { template, ...jobSpec } }, ...spec },
});

const indexed = { completionMode: 'Indexed', completions: 3 };
const failure = (...rules: JsonObject[]) => ({ podFailurePolicy: { rules } });
const success = (...rules: JsonObject[]) => ({ ...indexed, successPolicy: { rules } });
const exit = (requirement: JsonObject) => failure({ action: 'Count', onExitCodes: requirement });
const noUid = (key: string) =>
  `FieldValueInvalid spec.template.metadata.labels[${key}] must be '00000000-0000-4000-8000-000000000000'`;

describe('a Job', () => {
  test('is accepted as it is usually written', () => {
    expect(answer(job({}))).toEqual({ errors: [], dropped: [], warnings: [] });
    expect(
      answer(job({ ...success({ succeededIndexes: '0,2', succeededCount: 1 }), backoffLimitPerIndex: 1 })),
    ).toEqual({ errors: [], dropped: [], warnings: [] });
  });

  test.each<readonly [string, JsonObject, readonly string[]]>([
    [
      'must say how its Pods end',
      { template: { spec: { ...pod, restartPolicy: 'Always' } } },
      ['FieldValueRequired spec.template.spec.restartPolicy valid values: "OnFailure", "Never"'],
    ],
    [
      'restarts no Pod in place when a failure policy judges them',
      {
        template: { spec: { ...pod, restartPolicy: 'OnFailure' } },
        ...exit({ operator: 'In', values: [42] }),
      },
      [
        'FieldValueInvalid spec.template.spec.restartPolicy only "Never" is supported when podFailurePolicy is specified',
      ],
    ],
    [
      'counts failures by index only where it has indexes',
      { backoffLimitPerIndex: 1 },
      ['FieldValueInvalid spec.backoffLimitPerIndex requires indexed completion mode'],
    ],
    [
      'needs completions to have indexes',
      { completionMode: 'Indexed', parallelism: 2 },
      ['FieldValueRequired spec.completions when completion mode is Indexed'],
    ],
    [
      'needs a limit of failed indexes when it has very many',
      { completionMode: 'Indexed', completions: 100001, backoffLimitPerIndex: 0 },
      ['FieldValueRequired spec.maxFailedIndexes must be specified when completions is above 100000'],
    ],
    [
      'names a manager by a path with a domain',
      { managedBy: 'kueue' },
      ['FieldValueInvalid spec.managedBy must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      'keeps an empty completion mode, which is none',
      { completionMode: '' },
      ['FieldValueNotSupported spec.completionMode supported values: "NonIndexed", "Indexed"'],
    ],
    [
      'replaces only failed Pods when a failure policy judges them',
      { podReplacementPolicy: 'TerminatingOrFailed', ...exit({ operator: 'In', values: [42] }) },
      ['FieldValueNotSupported spec.podReplacementPolicy supported values: "Failed"'],
    ],
    [
      'reads exit codes in order, once each, and no success as a failure',
      exit({ operator: 'In', values: [3, 1, 1, 0], containerName: 'side' }),
      [
        'FieldValueInvalid spec.podFailurePolicy.rules[0].onExitCodes.containerName must be one of the container or initContainer names in the pod template',
        'FieldValueDuplicate spec.podFailurePolicy.rules[0].onExitCodes.values[2]',
        'FieldValueInvalid spec.podFailurePolicy.rules[0].onExitCodes.values[3] must not be 0 for the In operator',
        'FieldValueInvalid spec.podFailurePolicy.rules[0].onExitCodes.values must be ordered',
      ],
    ],
    [
      'has one requirement in each rule of failure',
      failure(
        { action: 'FailIndex', onPodConditions: [{ type: 'DisruptionTarget' }] },
        { onExitCodes: { operator: 'In', values: [1] }, onPodConditions: [{ type: 'A', status: 'Maybe' }] },
        { action: 'Ignore' },
      ),
      [
        'FieldValueInvalid spec.podFailurePolicy.rules[0].action requires the backoffLimitPerIndex to be set',
        'FieldValueRequired spec.podFailurePolicy.rules[1].action valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
        'FieldValueNotSupported spec.podFailurePolicy.rules[1].onPodConditions[0].status supported values: "False", "True", "Unknown"',
        'FieldValueInvalid spec.podFailurePolicy.rules[1] specifying both OnExitCodes and OnPodConditions is not supported',
        'FieldValueInvalid spec.podFailurePolicy.rules[2] specifying one of OnExitCodes and OnPodConditions is required',
      ],
    ],
    [
      'reads indexes of success',
      success({ succeededIndexes: '0-1,1' }, { succeededIndexes: '1-3' }, { succeededIndexes: 'a' }, {}),
      [
        'FieldValueInvalid spec.successPolicy.rules[0].succeededIndexes error parsing succeededIndexes: non-increasing order, previous: 1, current: 1',
        'FieldValueInvalid spec.successPolicy.rules[1].succeededIndexes error parsing succeededIndexes: too large index: "3"',
        'FieldValueInvalid spec.successPolicy.rules[2].succeededIndexes error parsing succeededIndexes: cannot convert string to integer for index: "a"',
        'FieldValueRequired spec.successPolicy.rules[3] at least one of succeededCount or succeededIndexes must be specified',
      ],
    ],
    [
      'counts no more successes than it has indexes for',
      success({ succeededIndexes: '0', succeededCount: 2 }, { succeededCount: 4 }),
      [
        'FieldValueInvalid spec.successPolicy.rules[0].succeededCount must be less than or equal to 1 (the number of indexes in the specified succeededIndexes field)',
        'FieldValueInvalid spec.successPolicy.rules[1].succeededCount must be less than or equal to 3 (the number of specified completions)',
      ],
    ],
    [
      'makes its selector itself',
      { selector: { matchLabels: { app: 'count' } } },
      [
        'FieldValueInvalid spec.selector `selector` not auto-generated',
        'FieldValueInvalid spec.template.metadata.labels `selector` does not match template `labels`',
      ],
    ],
    [
      'must not have the labels of another Job',
      {
        template: { ...template, metadata: { labels: { 'controller-uid': 'a1', 'job-name': 'old' } } },
      },
      ["FieldValueInvalid spec.template.metadata.labels[job-name] must be 'count'", noUid('controller-uid')],
    ],
    [
      'needs a selector that is managed by hand',
      { manualSelector: true },
      [
        'FieldValueRequired spec.selector',
        'FieldValueInvalid spec.template.metadata.labels `selector` does not match template `labels`',
      ],
    ],
  ])('%s', (_, spec, errors) => {
    const told = answer(job(spec)).errors;
    expect([...told].sort()).toEqual([...errors].sort());
  });

  test('needs a name from which host names can be made', () => {
    const { warnings } = answer(job({}, { name: 'count.old' }));
    expect(warnings).toEqual([
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ]);
    expect(answer(job(indexed, { name: 'count.old' })).errors).toEqual([
      'FieldValueInvalid metadata.name will not able to create pod with invalid DNS label: count.old-2',
    ]);
  });

  test('takes over the labels of its template and adds one with its long name', () => {
    const long = 'a'.repeat(64);
    const labelled = { template: { ...template, metadata: { labels: { app: 'count' } } } };
    const tooLong = (at: string) => `FieldValueInvalid ${at} must be no more than 63 bytes`;
    expect(answer(job(labelled, { name: long })).errors).toEqual([
      tooLong('metadata.labels'),
      tooLong('spec.template.labels'),
    ]);
    expect(answer(job({}, { name: long })).errors).toEqual([tooLong('spec.template.labels')]);
    expect(answer(job({}, { name: long }), { minor: '1.36' }).errors).toHaveLength(2);
  });

  test('warns of more indexes than can be tracked', () => {
    const huge = { completionMode: 'Indexed', completions: 100001, parallelism: 10001 };
    expect(answer(job(huge)).warnings).toEqual([expect.stringMatching(/^spec: In Indexed Jobs with a number/)]);
  });

  test('is scheduled as a gang if the gate is on', () => {
    const gang = { parallelism: 2, scheduling: { schedulingPolicy: { gang: { minCount: 3 } }, disruptionMode: {} } };
    const on: At = { gates: { GenericWorkload: true, WorkloadWithJob: true } };
    expect(answer(job(gang))).toEqual({ errors: [], dropped: ['spec.scheduling'], warnings: [] });
    expect(answer(job(gang), on).errors).toEqual([
      'FieldValueInvalid spec.scheduling.schedulingPolicy.gang.minCount must not be greater than parallelism (2)',
      'FieldValueInvalid spec.scheduling.disruptionMode must specify one of: `single`, `all`',
    ]);
    expect(answer(job({ scheduling: { disruptionMode: { all: {} } } }), on).errors).toEqual([
      'FieldValueInvalid spec.scheduling.disruptionMode the disruptionMode `all` is not supported with the Basic scheduling policy',
    ]);
  });
});

describe('a CronJob', () => {
  test('is accepted as it is usually written', () => {
    expect(answer(cronJob({ timeZone: 'Europe/Rome' }))).toEqual({ errors: [], dropped: [], warnings: [] });
  });

  test.each<readonly [string, JsonObject, readonly string[]]>([
    [
      'leaves room for the time in the names of its Jobs',
      cronJob({}, {}, { name: 'a'.repeat(53) }),
      ['FieldValueInvalid metadata.name must be no more than 52 characters'],
    ],
    ['needs a schedule', cronJob({ schedule: '' }), ['FieldValueRequired spec.schedule']],
    [
      'has its time zone in its own field',
      cronJob({ schedule: 'TZ=UTC 0 4 * * *' }),
      ['FieldValueInvalid spec.schedule cannot use TZ or CRON_TZ in schedule, use timeZone field instead'],
    ],
    [
      'keeps a number of Jobs, and one of three policies',
      cronJob({ failedJobsHistoryLimit: -1, concurrencyPolicy: 'Skip' }),
      [
        'FieldValueInvalid spec.failedJobsHistoryLimit must be greater than or equal to 0',
        'FieldValueNotSupported spec.concurrencyPolicy supported values: "Allow", "Forbid", "Replace"',
      ],
    ],
    [
      'lets its Jobs make their selectors',
      cronJob({}, { selector: { matchLabels: { app: 'a' } }, manualSelector: true }),
      [
        'FieldValueInvalid spec.jobTemplate.spec.selector `selector` will be auto-generated',
        'FieldValueNotSupported spec.jobTemplate.spec.manualSelector supported values: "nil", "false"',
      ],
    ],
    [
      'judges its Jobs before they get their defaults',
      cronJob({}, { completionMode: 'Indexed', podFailurePolicy: { rules: [] }, parallelism: -1 }),
      [
        'FieldValueInvalid spec.jobTemplate.spec.parallelism must be greater than or equal to 0',
        'FieldValueRequired spec.jobTemplate.spec.completions when completion mode is Indexed',
      ],
    ],
  ])('%s', (_, object, errors) => {
    expect(answer(object).errors).toEqual(errors);
  });

  test('warns at the path of its template', () => {
    const old = { template: { spec: { ...pod, nodeSelector: { 'beta.kubernetes.io/os': 'linux' } } } };
    expect(answer(cronJob({}, old)).warnings).toEqual([
      'spec.jobTemplate.spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    ]);
  });
});
