import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../server/src/base/json';
import { diagnose } from '../../../support/check';
import { answer } from './answer';

const metadata = { name: 'web' };
const selector = { matchLabels: { app: 'web' } };
const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
};
const apps = (kind: string, spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata,
  spec: { selector, template, ...spec },
  ...more,
});
const claim = (storage: string) => ({
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
});
const controller = (spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata,
  spec,
});

describe('errors of workloads', () => {
  test.each<readonly [string, JsonObject, readonly string[]]>([
    [
      'a Deployment of an unknown strategy',
      apps('Deployment', { strategy: { type: 'Canary' } }),
      ['FieldValueNotSupported spec.strategy supported values: "Recreate", "RollingUpdate"'],
    ],
    [
      'a Deployment that rolls by nothing, even when that is an empty text',
      apps('Deployment', { strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: '' } } }),
      [
        "FieldValueInvalid spec.strategy.rollingUpdate.maxSurge a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
        'FieldValueInvalid spec.strategy.rollingUpdate.maxUnavailable may not be 0 when `maxSurge` is 0',
      ],
    ],
    [
      'a Deployment to be rolled back to before its first revision',
      apps('Deployment', {}, { metadata: { ...metadata, annotations: { 'deprecated.deployment.rollback.to': '-1' } } }),
      ['FieldValueInvalid spec.rollback.version must be greater than or equal to 0'],
    ],
    [
      'a ReplicaSet whose selector misses its template',
      apps('ReplicaSet', { selector: { matchLabels: { app: 'api' } } }),
      ['FieldValueInvalid spec.template.metadata.labels `selector` does not match template `labels`'],
    ],
    [
      'a DaemonSet that surges and is unavailable at once',
      apps('DaemonSet', { updateStrategy: { rollingUpdate: { maxSurge: 1 } } }),
      ['FieldValueInvalid spec.updateStrategy.rollingUpdate.maxSurge may not be set when maxUnavailable is non-zero'],
    ],
    [
      'a StatefulSet of another kind of update',
      apps('StatefulSet', { updateStrategy: { type: 'Recreate' }, ordinals: { start: -1 }, serviceName: 'Web' }),
      [
        "FieldValueInvalid spec.updateStrategy must be 'RollingUpdate' or 'OnDelete'",
        'FieldValueInvalid spec.ordinals.start must be greater than or equal to 0',
        "FieldValueInvalid spec.serviceName a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      'a ReplicationController of nothing',
      controller({}),
      ['FieldValueRequired spec.selector', 'FieldValueRequired spec.template'],
    ],
  ])('%s', (_, object, errors) => {
    expect(answer(object).errors).toEqual(errors);
  });

  test('a ReplicationController gets selector and labels from its template', () => {
    expect(answer(controller({ template })).errors).toEqual([]);
    const odd = { ...template, metadata: { labels: { app: 'web site' } } };
    expect(answer(controller({ template: odd })).errors.map(it => it.split(' ')[1])).toEqual([
      'metadata.labels',
      'spec.template.labels',
    ]);
  });

  test('Recreate and maxUnavailable of a StatefulSet depend on gates', () => {
    const recreate = apps('StatefulSet', { updateStrategy: { type: 'Recreate' } });
    expect(answer(recreate, { gates: { StatefulSetRecreateStrategy: true } }).errors).toEqual([]);
    const rolling = apps('StatefulSet', { updateStrategy: { rollingUpdate: { maxUnavailable: 0 } } });
    const at = 'spec.updateStrategy.rollingUpdate.maxUnavailable';
    expect(answer(rolling)).toMatchObject({ errors: [`FieldValueInvalid ${at} cannot be 0`], dropped: [] });
    expect(answer(rolling, { minor: '1.36' })).toMatchObject({ errors: [], dropped: [at] });
  });
});

describe('annotations that the server converts to numbers', () => {
  const problems = (kind: string, annotation: string, value: string | null) =>
    diagnose(JSON.stringify(apps(kind, {}, { metadata: { ...metadata, annotations: { [annotation]: value } } })))
      .filter(it => it.code === 'decode/type-mismatch')
      .map(it => it.message);

  test.each([
    ['Deployment', 'deprecated.deployment.rollback.to'],
    ['DaemonSet', 'deprecated.daemonset.template.generation'],
  ])('of a %s', (kind, annotation) => {
    expect(problems(kind, annotation, '12')).toEqual([]);
    const detail = 'must be a 64-bit integer, not text ("last")';
    expect(problems(kind, annotation, 'last')).toEqual([`metadata.annotations[${annotation}] ${detail}`]);
  });

  test('null is an empty text, which is an integer for Deployments alone', () => {
    expect(problems('Deployment', 'deprecated.deployment.rollback.to', null)).toEqual([]);
    expect(problems('DaemonSet', 'deprecated.daemonset.template.generation', null)).toEqual([
      'metadata.annotations[deprecated.daemonset.template.generation] must be a 64-bit integer, not text ("")',
    ]);
  });
});

describe('warnings and dropped fields of workloads', () => {
  test('names that are not labels, in kinds that create Pods with them', () => {
    const dotted = { metadata: { name: 'web.v1' } };
    const said = (kind: string) => answer(apps(kind, {}, dotted)).warnings;
    expect(said('Deployment')).toEqual([expect.stringMatching(/^metadata\.name: .*\[must not contain dots\]$/)]);
    expect(said('ReplicaSet')).toEqual(said('Deployment'));
    expect(said('DaemonSet')).toEqual([]);
  });

  test('claims of fractions of bytes and endless histories of a StatefulSet', () => {
    const odd = apps('StatefulSet', { revisionHistoryLimit: -1, volumeClaimTemplates: [claim('1500m')] });
    expect(answer(odd).warnings).toEqual([
      'spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
      'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    ]);
  });

  test('status, and gated fields in the template', () => {
    const grouped = { ...template, spec: { ...template.spec, schedulingGroup: { podGroupName: 'a' } } };
    const written = apps('Deployment', { template: grouped }, { status: { replicas: 3 } });
    expect([...answer(written).dropped].sort()).toEqual(['spec.template.spec.schedulingGroup', 'status']);
    expect(answer(apps('Deployment', {}, { status: {} })).dropped).toEqual([]);
  });
});
