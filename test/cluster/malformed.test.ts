import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/src/cluster/model';
import type { JsonValue } from '../../server/src/manifest/manifest';
import { simulate } from '../../server/src/scheduler/scenario';
import { PUT, pathsIn, withValue } from '../fuzz/inputs/structure';
import { isGateOn } from '../scheduler/support';
import { EVERYTHING, GOOD } from './everything';

const run = (objects: readonly JsonObject[]) => simulate(objects, { kubernetesVersion: '1.37', isGateOn });

describe('whatever the objects hold, the others are placed', () => {
  test('one value of any kind in any place of one object', () => {
    const places = EVERYTHING.flatMap((it, i) => pathsIn(it as JsonValue).map(path => ({ i, path })));
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.oneof(fc.constantFrom(...PUT), fc.jsonValue({ maxDepth: 2 })),
        ({ i, path }, by) => {
          const objects = EVERYTHING.map((it, at) =>
            at === i ? (withValue(it as JsonValue, path, by as JsonValue) as JsonObject) : it,
          );
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
