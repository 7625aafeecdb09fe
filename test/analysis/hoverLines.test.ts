import { describe, expect, test } from 'vitest';
import { fewLines, linesOf } from '../../server/src/analysis/features/hover/fewLines';
import type { Schema } from '../../server/src/kube/kube';
import { kubeFacts } from '../support/packs';
import { sampled } from '../support/thorough';
import { analysisOf } from './analyse';

const KINDS = ['Pod', 'Deployment', 'StatefulSet', 'Job', 'CronJob', 'Service', 'Ingress', 'PersistentVolumeClaim'];
const VERSIONS: Readonly<Record<string, string>> = {
  Pod: 'v1',
  Service: 'v1',
  PersistentVolumeClaim: 'v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Ingress: 'networking.k8s.io/v1',
};

/** JSON of a schema with each field once, lists with one item; recursive types end. */
function sample(schema: Schema, depth = 0): string {
  if (schema.type === 'object' && depth < 6) {
    const fields = [...schema.fields].map(([name, { schema: inner }]) => `"${name}": ${sample(inner, depth + 1)}`);
    return `{\n${fields.join(',\n')}\n}`;
  }
  if (schema.type === 'list') return `[${sample(schema.items, depth)}]`;
  return SCALARS[schema.type] ?? '{}';
}

const SCALARS: Readonly<Record<string, string>> = {
  string: '"a"',
  integer: '1',
  number: '1',
  boolean: 'false',
  quantity: '"1"',
  intOrString: '1',
  bytes: '"YQ=="',
  time: '"2026-01-01T00:00:00Z"',
  microTime: '"2026-01-01T00:00:00.000000Z"',
};

describe('a hover', () => {
  test.each(KINDS)('over any field of a %s has at most 15 lines and a pointer to more', kind => {
    const apiVersion = VERSIONS[kind] ?? 'apps/v1';
    const schema = kubeFacts().kindOf(apiVersion, kind)!.schema as Extract<Schema, { type: 'object' }>;
    const spec = sample(schema.fields.get('spec')!.schema);
    const text = `{ "apiVersion": "${apiVersion}", "kind": "${kind}", "metadata": { "name": "a" },\n"spec": ${spec} }`;
    const analysis = analysisOf({ 'a.json': text });
    // Of the fields of a Pod's template most are seen in a Pod.
    const all = [...text.matchAll(/"(\w+)": /g)];
    const keys = ['Deployment', 'StatefulSet', 'Job', 'CronJob'].includes(kind) ? sampled(all, 4) : all;
    const long = keys.flatMap(it => {
      const markdown = analysis.hover('a.json', it.index + 1)?.markdown ?? '';
      return linesOf(markdown) > 15 ? [`${it[1]}: ${linesOf(markdown)}`] : [];
    });
    expect(keys.length).toBeGreaterThan(20);
    expect(long).toEqual([]);
  });
});

describe('fewLines', () => {
  const sentence = 'A sentence that says what the field is for, at some length.';

  test('leaves what is short', () => {
    expect(fewLines('One.\n\nTwo.', 5, 'more')).toBe('One.\n\nTwo.');
  });

  test('keeps whole paragraphs and whole sentences, then points to the rest', () => {
    const text = `First.\n\n${Array.from({ length: 20 }, () => sentence).join(' ')}`;
    const shown = fewLines(text, 5, 'more');
    expect(linesOf(shown)).toBeLessThanOrEqual(5);
    expect(shown).toMatch(/^First\.\n\n(?:A sentence [^.]*\.\s?)+\n\nmore$/);
  });

  test('never cuts a code span', () => {
    expect(fewLines(`\`${'x '.repeat(400)}\``, 4, 'more')).toBe('more');
  });
});
