import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../server/src/base/json';
import type { ObjectSchema, StructuralSchema } from '../../server/src/kube/kube';
import { unknownInResource } from '../../server/src/rules/decode/customFields';

const text: StructuralSchema = { type: 'string' };
const open = { 'x-kubernetes-preserve-unknown-fields': true };
const metadata: ObjectSchema = {
  type: 'object',
  definition: 'ObjectMeta',
  fields: new Map([['name', { name: 'name', schema: { type: 'string' }, required: false }]]),
};
const kind: ObjectSchema = {
  type: 'object',
  definition: '',
  fields: new Map([['metadata', { name: 'metadata', schema: metadata, required: false }]]),
};

const unknown = (spec: StructuralSchema, value: JsonObject): readonly string[] =>
  [...unknownInResource(value, { type: 'object', properties: { spec } }, kind)].map(it => it.at.toString());

describe('the fields that the server drops from a custom resource', () => {
  test.each<[string, StructuralSchema, JsonObject, readonly string[]]>([
    ['a field that is not there', { type: 'object', properties: { a: text } }, { a: 'x', b: 1 }, ['spec.b']],
    ['all fields where a text belongs', text, { a: 1, b: [{ c: 1 }] }, ['spec.a', 'spec.b']],
    [
      'those of items where a text belongs',
      { type: 'array', items: text },
      { a: [{ b: 1 }] } as JsonObject,
      ['spec.a'],
    ],
    [
      'those below additionalProperties: true',
      { type: 'object', additionalProperties: true },
      { a: 'x', b: { c: 1 } },
      ['spec.b.c'],
    ],
    [
      'those of values of a map',
      { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
      { k: { a: 'x', b: 1 } },
      ['spec.k.b'],
    ],
    ['none that an open schema keeps', { type: 'object', ...open }, { a: { b: 1 } }, []],
    [
      'those of known fields in an open schema',
      { type: 'object', ...open, properties: { a: { type: 'object', properties: { b: text } } } },
      { a: { c: 1 }, d: { e: 1 } },
      ['spec.a.c'],
    ],
    ['none of an open list', { type: 'array', ...open }, { a: 1 }, []],
    [
      'those of the metadata of an embedded resource',
      { type: 'object', 'x-kubernetes-embedded-resource': true, ...open },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', nme: 'b' } },
      ['spec.metadata.nme'],
    ],
  ])('%s', (_, spec, value, paths) => {
    expect(unknown(spec, { apiVersion: 'a/v1', kind: 'Thing', metadata: { name: 'x' }, spec: value })).toEqual(paths);
  });

  test('are told of the metadata and of the resource itself', () => {
    const value = { apiVersion: 'a/v1', kind: 'Thing', metadata: { nme: 'x' }, spek: {} };
    expect(unknown(text, value)).toEqual(['metadata.nme', 'spek']);
  });
});
