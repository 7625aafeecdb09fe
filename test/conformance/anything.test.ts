import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../server/src/base/json';
import { loadKube } from '../../server/src/kube/load';
import { answerOf } from '../../server/src/rules/apiserver/validate/engine';
import { readPack } from '../support/packs';
import { sizedFor } from '../support/thorough';
import { changed, placesOf, pointer } from './mutate';

const folder = join(import.meta.dirname, 'validation/bases');
const kubes = ['1.31', '1.34', '1.37'].map(minor => loadKube(minor, {}, readPack));

const anything = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;

describe('validation never throws, whatever an object contains', () => {
  it.each(readdirSync(folder))('%s', name => {
    const base = parse(readFileSync(join(folder, name), 'utf8')) as JsonObject;
    const newest = kubes.at(-1)?.kindOf(String(base.apiVersion), String(base.kind));
    const places = newest === undefined ? [] : placesOf(base, newest.schema).slice(1);
    expect(places.length).toBeGreaterThan(0);
    fc.assert(
      fc.property(fc.constantFrom(...places), anything, fc.constantFrom(...kubes), (place, put, kube) => {
        const object = changed(base, [{ at: pointer(place.at), put }]);
        answerOf(object, kube.kindOf(String(base.apiVersion), String(base.kind)), kube);
      }),
      { numRuns: sizedFor({ thorough: 150, quick: 35 }), seed: 7 },
    );
  });
});
