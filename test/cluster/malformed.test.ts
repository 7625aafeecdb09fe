import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/src/cluster/model';
import { simulate } from '../../server/src/scheduler/scenario';
import { PUT } from '../fuzz/inputs/structure';
import { isGateOn, objectsIn } from '../scheduler/support';
import { EVERYTHING } from './everything';

const GOOD = objectsIn(`
apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { capacity: { cpu: "4", memory: 8Gi, pods: "10" } }
---
apiVersion: v1
kind: Pod
metadata: { name: good, namespace: good }
spec: { nodeSelector: {}, containers: [{ name: main, resources: { requests: { cpu: 100m } } }] }
`);

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  if (value === null || typeof value !== 'object') return [path];
  return [path, ...Object.keys(value).flatMap(key => pathsOf((value as JsonObject)[key], [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((it, i) => (i === Number(key) ? replaced(it, rest, by) : it));
  const object = value as JsonObject;
  return { ...object, [key]: replaced(object[key], rest, by) };
}

const run = (objects: readonly JsonObject[]) => simulate(objects, { kubernetesVersion: '1.37', isGateOn });

describe('whatever the objects hold, the others are placed', () => {
  test('one value of any kind in any place of one object', () => {
    const places = EVERYTHING.flatMap((it, i) => pathsOf(it).map(path => ({ i, path })));
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.oneof(fc.constantFrom(...PUT), fc.jsonValue({ maxDepth: 2 })),
        ({ i, path }, by) => {
          const objects = EVERYTHING.map((it, at) => (at === i ? (replaced(it, path, by) as JsonObject) : it));
          const { result } = run([...GOOD, ...objects]);
          expect(result.attempts.map(it => it.pod)).toContain('good/good');
        },
      ),
      { numRuns: 120, seed: 7 },
    );
  });

  test('objects of known kinds that hold anything', () => {
    const kinds = [...new Set(EVERYTHING.map(it => `${it.apiVersion} ${it.kind}`))];
    const object = fc
      .tuple(
        fc.constantFrom(...kinds),
        fc.dictionary(fc.constantFrom('metadata', 'spec', 'status', 'items'), fc.jsonValue()),
      )
      .map(([kind, rest]): JsonObject => ({ ...rest, apiVersion: kind.split(' ')[0], kind: kind.split(' ')[1] }));
    fc.assert(
      fc.property(fc.array(object, { maxLength: 5 }), objects => {
        expect(run([...GOOD, ...objects]).result.attempts.map(it => it.pod)).toContain('good/good');
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});
