import { describe, expect, test } from 'vitest';
import { countOf } from '../../server/src/analysis/diagnostics/listed';
import type { JsonObject } from '../../server/src/base/json';
import { firstIndexes, repeatedAt } from '../../server/src/base/repeated';
import { FieldPath } from '../../server/src/manifest/fieldPath';
import type { Warning } from '../../server/src/rules/apiserver/validate/errors';
import { portsOf, portWarnings } from '../../server/src/rules/apiserver/validate/podSpec/warnings/ports';
import { virtualPathWarnings } from '../../server/src/rules/apiserver/validate/podSpec/warnings/virtualPaths';
import { consequencesOf } from '../../server/src/rules/engine/consequences';
import { layersOf } from '../../server/src/rules/framework/layers';
import type { RuleFinding } from '../../server/src/rules/framework/rule';
import { analysisOf } from '../analysis/analyse';
import { definitionOf } from '../support/definition';
import { randomFrom } from '../support/random';

const uri = 'file:///pod.yaml';
const pod = (spec: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: b }\nspec:\n${spec}`;
const CONFIG_MAP_OF_LISTS = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a, namespace: b }\ndata:\n';
const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('');
const countOfWarnings = (warnings: readonly Warning[]): number =>
  warnings.reduce((sum, it) => sum + (typeof it === 'string' ? 1 : 1 + it.more), 0);

const portsIn = (ports: readonly JsonObject[]) =>
  portsOf({ containers: [{ name: 'c', ports: [...ports] }] }, FieldPath.of('spec'));
const pathsIn = (paths: readonly string[]): JsonObject => ({
  volumes: [{ name: 'v', configMap: { name: 'c', items: paths.map(path => ({ key: path, path })) } }],
});
/** The sum over all pairs of a list, each counted separately. */
const ofPairs = <T>(items: readonly T[], count: (pair: readonly [T, T]) => number): number =>
  items.reduce((sum, it, i) => items.slice(0, i).reduce((inner, before) => inner + count([before, it]), sum), 0);

describe('warnings of pairs', () => {
  const pick = randomFrom(15);
  const port = (): JsonObject => ({
    containerPort: 80 + pick(2),
    hostPort: pick(3),
    ...(pick(2) === 0 && { hostIP: ['', '10.0.0.1', '10.0.0.2'][pick(3)]! }),
    protocol: ['TCP', 'UDP'][pick(2)]!,
  });
  const path = (): string => Array.from({ length: 1 + pick(3) }, () => ['a', 'b', ''][pick(3)]).join('/');
  const collisions = (ports: readonly JsonObject[]): readonly Warning[] =>
    portWarnings(portsIn(ports)).filter(it => (typeof it === 'string' ? it : it.text).includes('port definition with'));

  test('of ports are counted pair by pair, and 1,000 are listed', () => {
    for (const length of [0, 1, 2, 10, 40, 90, 120]) {
      const ports = Array.from({ length }, port);
      const warnings = collisions(ports);
      expect(countOfWarnings(warnings)).toBe(ofPairs(ports, pair => collisions(pair).length));
      expect(warnings.length).toBeLessThanOrEqual(1_000);
    }
    expect(countOfWarnings(collisions(Array(2_000).fill({ containerPort: 80 })))).toBe((2_000 * 1_999) / 2);
  });

  test('of a volume’s files are counted pair by pair, and 1,000 are listed', () => {
    for (const length of [0, 1, 2, 10, 60, 120]) {
      const paths = Array.from({ length }, path);
      const warnings = virtualPathWarnings(pathsIn(paths));
      expect(countOfWarnings(warnings)).toBe(ofPairs(paths, pair => virtualPathWarnings(pathsIn(pair)).length));
      expect(warnings.length).toBeLessThanOrEqual(1_000);
    }
  });
});

describe('a file with many problems of one kind', () => {
  test.each([
    [
      'containers of one name',
      pod(`  containers:\n${lines(1_100, () => '    - { name: c, image: a, ports: [{ containerPort: 80 }] }\n')}`),
      { 'apiserver/refused': 1_099, 'warning/server': (1_100 * 1_099) / 2 },
    ],
    [
      'volumes of one name',
      pod(
        `  containers: [{ name: c, image: a }]\n  volumes:\n${lines(1_100, () => '    - { name: v, emptyDir: {} }\n')}`,
      ),
      { 'apiserver/refused': 1_099 },
    ],
    ['keys written twice', pod(lines(1_100, () => '  hostname: a\n')), { 'decode/duplicate-field': 1_099 }],
    [
      'unknown fields',
      pod(`  containers:\n    - name: c\n      image: a\n${lines(1_100, i => `      unknown${i}: 1\n`)}`),
      { 'decode/unknown-field': 1_100 },
    ],
  ])('lists some %s and counts all', (_, text, expected) => {
    const problems = analysisOf({ [uri]: text }).diagnostics(uri);
    for (const [code, count] of Object.entries(expected)) {
      const own = problems.filter(it => it.code === code);
      expect([code, countOf(own)]).toEqual([code, count]);
      expect(own.length).toBeLessThanOrEqual(1_000);
    }
  });

  test('is searched only a few times for each problem, whatever their number', () => {
    const reads = (count: number): number => {
      let read = 0;
      const found = Array.from({ length: count }, (_, i) => {
        const error = { type: 'FieldValueInvalid', at: FieldPath.of('spec', 'a', i), detail: '', value: `v${i}` };
        const finding = { at: error.at, part: 'value', errorType: error.type, facts: { error } };
        const meta = { code: 'apiserver/refused', category: 'apiserver', cost: 'typing' };
        const counted = new Proxy(finding, {
          get(of, key) {
            read += 1;
            return Reflect.get(of, key);
          },
        });
        return { rule: { meta }, finding: counted } as unknown as RuleFinding;
      });
      const object = { manifest: { has: () => false } };
      consequencesOf(found, { object, value: {}, kind: undefined } as never);
      return read;
    };
    expect(reads(400) / reads(200)).toBeLessThan(2.1);
  });
});

test('repeated values of a list are found by index', () => {
  expect([...repeatedAt(['a', 'b', 'a', '', 'a', ''])]).toEqual([2, 4, 5]);
  expect([...firstIndexes(['a', 'b', 'a'])]).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
});

test('each of many problems is suppressed by the comment on its line', () => {
  const fields = lines(900, i => `      unknown${i}: 1 # berth-ignore decode/unknown-field: ${i}\n`);
  const text = pod(`  containers:\n    - name: c\n      image: a\n${fields}      other: 1\n`);
  const problems = analysisOf({ [uri]: text }, { suppressed: 'report' }).diagnostics(uri);
  const told = problems.filter(it => it.code === 'decode/unknown-field');
  expect(told.filter(it => it.suppressed === undefined).map(it => it.fieldPath)).toEqual(['spec.containers[0].other']);
  expect(told.flatMap(it => it.suppressed?.reason ?? [])).toEqual(Array.from({ length: 900 }, (_, i) => `${i}`));
  expect(problems.filter(it => it.code === 'berth/unused-suppression')).toEqual([]);
});

test('a long text that is not base64 has a fix', () => {
  const text = `apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: b }\ndata: { a: "${'YWFh'.repeat(250_000)}!" }\n`;
  const [problem] = analysisOf({ [uri]: text }).diagnostics(uri);
  expect([problem?.code, problem?.fixes.some(it => it.title === 'Encode it in base64')]).toEqual([
    'decode/type-mismatch',
    true,
  ]);
});

test('suppressions beyond those that are listed are counted without a suggestion', () => {
  const comments = lines(1_100, i => `# berth-ignore decode/unknown-fild: ${i}\n`);
  const problems = analysisOf({ [uri]: `${comments}a: 1\n` }).diagnostics(uri);
  const unused = problems.filter(it => it.code === 'berth/unused-suppression');
  expect(unused.length).toBe(1_100);
  expect(unused.filter(it => it.message.includes('did you mean "decode/unknown-field"?')).length).toBe(1_000);
});

test.each([
  [
    'name',
    `apiVersion: v1\nkind: Pod\nmetadata: { name: ${'a'.repeat(50_000)} }\nspec: { a: 1, b: 2, containers: [{}] }\n`,
  ],
  ['key', `${CONFIG_MAP_OF_LISTS}  ${'a'.repeat(50_000)}: [1]\n  ${'a'.repeat(50_001)}: [1]\n`],
  [
    'key above wrong values',
    `${definitionOf('          properties: { spec: { type: object, additionalProperties: { type: integer, minimum: 5 } } }\n', { group: 'b.example', kind: 'A' })}---\napiVersion: b.example/v1\nkind: A\nmetadata: { name: a, namespace: b }\nspec: { ${'a'.repeat(50_000)}: 1, ${'b'.repeat(50_000)}: 1 }\n`,
  ],
])('a very long %s is cut in each problem that repeats it', (_, text) => {
  const problems = analysisOf({ [uri]: text }).diagnostics(uri);
  expect(problems.length).toBeGreaterThan(1);
  for (const it of problems) {
    const { object, fieldPath, message } = it;
    expect(JSON.stringify({ object, fieldPath, message, ...layersOf(it) }).length).toBeLessThan(20_000);
  }
});

test('the choices of a long list are cut for each wrong value', () => {
  const choices = lines(1_000, i => `                      - choice-${i}\n`);
  const definition = definitionOf(
    `          properties:
            words:
              type: array
              items:
                type: string
                enum:
${choices}`,
    { group: 'b.example', kind: 'A' },
  );
  const object = `apiVersion: b.example/v1\nkind: A\nmetadata: { name: a, namespace: b }\nwords: [${lines(400, i => `wrong-${i}, `)}choice-999]\n`;
  const problems = analysisOf({ 'file:///crd.yaml': definition, [uri]: object }).diagnostics(uri);
  const wrong = problems.filter(it => it.errorType === 'FieldValueNotSupported');
  expect(wrong.reduce((sum, it) => sum + 1 + (it.more ?? 0), 0)).toBe(400);
  expect(Math.max(...wrong.map(it => it.message.length))).toBeLessThan(11_000);
  expect(wrong[0]?.message).toContain('"choice-10", ');
});

test('a problem tells at most twenty other locations', () => {
  const classes = lines(
    50,
    i =>
      `---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: p${i} }\nvalue: 1\nglobalDefault: true\n`,
  );
  const problems = analysisOf({ [uri]: classes }).diagnostics(uri);
  const told = problems.filter(it => it.code === 'references/two-global-defaults');
  expect(told.map(it => it.related.length)).toEqual(Array(50).fill(20));
});
