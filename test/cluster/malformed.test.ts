import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue, UnknownObject } from '../../server/src/base/json';
import { jsonText } from '../../server/src/base/printed';
import { requestPlugins } from '../../server/src/cluster/admission/requestPlugins';
import { scenarioFromObjects } from '../../server/src/cluster/scenario';
import { simulate } from '../../server/src/scheduler/scenario';
import { PUT, pathsIn, withinDocument, withValue } from '../fuzz/inputs/structure';
import { isGateOn } from '../scheduler/support';
import { sizedFor } from '../support/thorough';
import { EVERYTHING, GOOD } from './everything';

const run = (objects: readonly UnknownObject[]) => simulate(objects, { kubernetesVersion: '1.37', isGateOn });

describe('malformed objects do not affect the others', () => {
  test('with one value of any type at any path of one object', () => {
    const places = EVERYTHING.flatMap((it, i) => pathsIn(it as JsonValue).map(path => ({ i, path })));
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.oneof(fc.constantFrom(...PUT), fc.jsonValue({ maxDepth: 2 })),
        ({ i, path }, by) => {
          const objects = EVERYTHING.map((it, at) =>
            at === i ? (withValue(it as JsonValue, path, by as JsonValue) as UnknownObject) : it,
          );
          const { result } = run([...GOOD, ...objects]);
          expect(result.attempts.map(it => it.pod)).toContain('good/good');
        },
      ),
      { numRuns: sizedFor({ thorough: 120, quick: 30 }), seed: 7 },
    );
  });

  test('with objects of known kinds and arbitrary content', () => {
    const kinds = [...new Set(EVERYTHING.map(it => `${it.apiVersion} ${it.kind}`))];
    const object = fc
      .tuple(
        fc.constantFrom(...kinds),
        fc.dictionary(fc.constantFrom('metadata', 'spec', 'status', 'items'), fc.jsonValue()),
      )
      .map(([kind, rest]): UnknownObject => ({ ...rest, apiVersion: kind.split(' ')[0], kind: kind.split(' ')[1] }));
    fc.assert(
      fc.property(fc.array(object, { maxLength: 5 }), objects => {
        expect(run([...GOOD, ...objects]).result.attempts.map(it => it.pod)).toContain('good/good');
      }),
      { numRuns: sizedFor({ thorough: 60, quick: 15 }), seed: 7 },
    );
  });
});

test('an amount of a Node that is an object with a large integer', () => {
  const status = { allocatable: { cpu: { count: 9_223_372_036_854_775_807n } } };
  const { result } = run([...GOOD, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'odd' }, status }]);
  expect(result.attempts.map(it => it.pod)).toEqual(['good/good']);
});

test.each(PUT.map(it => [jsonText(it), it] as const))(
  'the plugins of the server leave an object alone whose kind is %s',
  (_text, value) => {
    const plugins = requestPlugins(new Map());
    for (const object of [
      { apiVersion: value, kind: 'Pod' },
      { apiVersion: 'v1', kind: value },
    ]) {
      expect(plugins.change(object)).toEqual({ object });
      expect(plugins.refusalOf(object)).toBe(undefined);
    }
  },
);

describe('malformed results of policies do not affect other objects', () => {
  const changedBy = [{ kind: 'ClusterPolicy', policy: 'p', changes: [] }];
  const puts: readonly JsonValue[] = [null, 'text', 1, [], ['text'], { kinds: { a: 1 } }];
  const admission = EVERYTHING.filter(it => ADMISSION.has(String(it.kind)));

  test.each(['Pod', 'Deployment', 'Job', 'PersistentVolumeClaim'])('values of each kind in places of a %s', kind => {
    // A bound claim was admitted before.
    const [pending] = withoutBinding(EVERYTHING.filter(it => it.kind === kind));
    const objects = [...GOOD, ...admission, pending!];
    let asks = 0;
    const mutatedBy = (change: (object: JsonValue) => JsonValue) =>
      simulate(objects, {
        kubernetesVersion: '1.37',
        isGateOn,
        expandWorkloads: true,
        askPolicies(it) {
          if (it.kind !== kind || namespaceOf(it) === 'good') return undefined;
          asks += 1;
          return { object: change(it as JsonValue) as UnknownObject, by: changedBy };
        },
      }).result;

    // Each value is at many places; at each place are some, or all in a thorough run.
    const some = (place: number): readonly JsonValue[] => [
      puts[place % puts.length]!,
      puts[(place + 2) % puts.length]!,
    ];
    const places = [...withinDocument(pending as JsonValue, sizedFor({ thorough: () => puts, quick: some }))];
    for (const { path, by } of places) {
      const { attempts } = mutatedBy(it => withValue(it, path, by));
      const mutation = `${path.join('.')}: ${JSON.stringify(by)}`;
      expect(
        attempts.map(it => it.pod),
        mutation,
      ).toContain('good/good');
    }
    expect(asks).toBe(places.length);
  });

  test('the server refuses what it cannot decode, with the path', () => {
    const { rejected } = scenarioFromObjects(GOOD, {
      askPolicies: it => ({
        object: withValue(it as JsonValue, ['spec', 'containers'], {}) as UnknownObject,
        by: changedBy,
      }),
    });
    expect(rejected.map(it => it.message)).toEqual([
      'what mutating policies make of it cannot be decoded: spec.containers is not a list',
    ]);
  });
});

const ADMISSION: ReadonlySet<string> = new Set(['Namespace', 'PriorityClass', 'RuntimeClass', 'LimitRange']);

const namespaceOf = ({ metadata }: UnknownObject): unknown => (metadata as UnknownObject | undefined)?.namespace;

const withoutBinding = (objects: readonly UnknownObject[]): readonly UnknownObject[] =>
  objects.map(it => {
    if (it.kind !== 'PersistentVolumeClaim') return it;
    const { volumeName: _, ...spec } = it.spec as UnknownObject;
    return { ...it, spec, status: {} };
  });

test.each([
  ['a text', 'text'],
  ['more than any number', Number.POSITIVE_INFINITY],
])('a Pod is placed where the score of a shape is %s', (_what, score) => {
  const nodes = ['a', 'b', 'c'].map(name => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } },
  }));
  const shape = [
    { utilization: 0, score },
    { utilization: 100, score },
  ];
  const resources = [{ name: 'cpu', weight: 1 }];
  const scoringStrategy = { type: 'RequestedToCapacityRatio', resources, requestedToCapacityRatio: { shape } };
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ pluginConfig: [{ name: 'NodeResourcesFit', args: { scoringStrategy } }] }],
  };
  const containers = [{ name: 'a', image: 'b', resources: { requests: { cpu: '1' } } }];
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } };
  expect(run([configuration, ...nodes, pod]).result.placements).toEqual({ 'default/p': 'a' });
});
