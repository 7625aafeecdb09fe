import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type GoShape, syntaxError, unmarshal } from '../../server/src/kube/goJson';

/** Printed by Go's encoding/json itself. */
const upstream = JSON.parse(
  readFileSync(new URL('fixtures/goJson.json', import.meta.url), 'utf8'),
) as readonly (readonly [text: string, error?: string])[];

describe('texts as Go reads them', () => {
  it.each(upstream.map(([text, error]) => ({ text, error })))('$text', ({ text, error }) => {
    expect(syntaxError(text)).toBe(error);
  });

  it('refuses a nesting that Go refuses, and does not overflow', () => {
    expect(syntaxError('['.repeat(200_000))).toBe('exceeded max depth');
  });
});

describe('types', () => {
  const taint: GoShape = { kind: 'struct', go: 'core.Taint', fields: { key: { kind: 'string' } } };
  const shape: GoShape = { kind: 'list', go: '[]core.Taint', items: taint };

  it('renames fields to the case of the shape and drops unknown ones', () => {
    expect(unmarshal('[{"Key":"a","other":1},{"KEY":null}]', shape)).toEqual({ value: [{ key: 'a' }, { key: null }] });
  });

  it('reports the mismatched type', () => {
    expect(unmarshal('{}', shape)).toEqual({
      error: 'json: cannot unmarshal object into Go value of type []core.Taint',
    });
    expect(unmarshal('[{"key":true}]', shape)).toEqual({
      error: 'json: cannot unmarshal bool into Go struct field Taint.key of type string',
    });
  });

  it('accepts a quantity as text or number, and nothing else', () => {
    const quantity: GoShape = { kind: 'quantity' };
    expect(unmarshal('"100m"', quantity)).toEqual({ value: '100m' });
    expect(unmarshal('2', quantity)).toEqual({ value: 2 });
    expect(unmarshal('"many"', quantity)).toHaveProperty('error');
  });

  it('checks maps and times', () => {
    const labels: GoShape = { kind: 'map', go: 'map[string]string', values: { kind: 'string' } };
    expect(unmarshal('{"a":"b"}', labels)).toEqual({ value: { a: 'b' } });
    expect(unmarshal('{"a":1}', labels)).toEqual({
      error: 'json: cannot unmarshal number into Go value of type string',
    });
    expect(unmarshal('"2026-01-02T03:04:05Z"', { kind: 'time' })).toEqual({ value: '2026-01-02T03:04:05Z' });
    expect(unmarshal('"soon"', { kind: 'time' })).toHaveProperty('error');
  });
});
