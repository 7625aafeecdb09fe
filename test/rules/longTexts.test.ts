import { describe, expect, test } from 'vitest';
import { systemNamesAt } from '../../server/src/analysis/features/systemNames';
import { secondsOf } from '../../server/src/descheduler/duration';
import { nodeSelectorOf } from '../../server/src/descheduler/labelText';
import { hasTextFormat } from '../../server/src/kube/textFormats';
import { parseManifests } from '../../server/src/manifest/parse';
import { parseDuration, parseFloat64 } from '../../server/src/policy/kyverno/go/goValues';
import { pemBlocks } from '../../server/src/rules/apiserver/validate/certificates/pem';
import { quantitySpellings } from '../../server/src/rules/decode/quantitySpelling';
import { layersOf } from '../../server/src/rules/framework/layers';
import { nanoseconds } from '../../server/src/rules/scheduler/validate/duration';
import { extenderOf } from '../../server/src/scheduler/extenders/extender';
import { cellText } from '../../server/src/text/markdown';
import { obstacleInPlugin } from '../../server/src/workspace/rendered/jobs';
import { diagnose } from '../support/check';

/**
 * Where a pattern may divide a text in more than one way, it tries all of them before it fails: these would take minutes, or
 * years.
 */
const MANY = 400_000;

const pod = (spec: string): string => `apiVersion: v1\nkind: Pod\nmetadata: { name: a, namespace: b }\nspec: ${spec}\n`;
const container = (more: string): string => pod(`{ containers: [{ name: c, image: "a:1", ${more} }] }`);
const volume = (source: string): string =>
  pod(`{ containers: [{ name: c, image: "a:1" }], volumes: [{ name: v, ${source} }] }`);
const blanks = ' '.repeat(MANY);
const digits = '1'.repeat(MANY);
const slashes = '/'.repeat(MANY);

describe('a long text is read once', () => {
  test.each([
    ['a comment with a line separator', `# berth-ignore a/b${blanks}x\u2028y\n${pod('{}')}`],
    ['a string of JSON behind JSON', `{} {"a": "${'\\"'.repeat(MANY)}`],
    ['a quantity', container(`resources: { requests: { cpu: "1${blanks}!" } }`)],
    ['the path of a file', volume(`configMap: { name: m, items: [{ key: k, path: "${slashes}a" }] }`)],
    ['a path of the node', volume(`hostPath: { path: "${slashes}a" }`)],
    ['a path to a runtime', volume(`hostPath: { path: "${'/docker'.repeat(MANY)}/!.sock" }`)],
  ])('%s', (_, text) => {
    expect(diagnose(text, { presets: ['best-practice'] }).length).toBeGreaterThanOrEqual(0);
  });

  test('blanks in messages', () => {
    expect(layersOf({ message: `a${blanks}b` }).headline).toBe('a…');
    expect(cellText(`a${blanks}b \n c`)).toBe(`a${blanks}b c`);
  });

  test('durations and numbers', () => {
    expect(hasTextFormat(digits, 'duration')).toBe(false);
    expect(hasTextFormat(`${digits} ms`, 'duration')).toBe(true);
    expect([secondsOf(digits), secondsOf('1.5h30m')]).toEqual([Number.NaN, 7_200]);
    expect([nanoseconds(digits), nanoseconds('-1.5s')]).toEqual([0, -1.5e9]);
    expect([parseDuration(digits), parseDuration('1.5s')]).toEqual([undefined, 1_500_000_000n]);
    expect([parseFloat64(`${digits}!`), parseFloat64('1.')]).toEqual([undefined, 1]);
    expect([extenderOf({ httpTimeout: digits }).timeout, extenderOf({ httpTimeout: '2s' }).timeout]).toEqual([
      5_000, 2_000,
    ]);
  });

  test('a spelling of a quantity', () => {
    expect(quantitySpellings(`1${blanks}!`, 'memory')).toEqual([]);
    expect(quantitySpellings(' 1 Gi ', 'memory')).toEqual(['1Gi']);
  });

  test('a selector of the descheduler', () => {
    expect(nodeSelectorOf('a=b,'.repeat(MANY / 4)).matches({ a: 'b' })).toBe(true);
    const selector = nodeSelectorOf('a=b, c in (d,e),f notin (g, h),!i');
    expect(selector.matches({ a: 'b', c: 'e', f: 'x' })).toBe(true);
    expect(selector.matches({ a: 'b', c: 'e', f: 'h' })).toBe(false);
  });

  test('the configuration of a plugin of kustomize', () => {
    expect(obstacleInPlugin('a'.repeat(MANY))).toBeUndefined();
    expect(obstacleInPlugin(`x: 1-https://a.b/c${'c'.repeat(MANY)}`)).toMatch(/that names https:\/\/a\.b\/c+$/);
  });

  test('blocks of PEM that begin and do not end, or end once', () => {
    const begins = '-----BEGIN A-----\n'.repeat(MANY / 10);
    const headers = '-----BEGIN A:-----\n'.repeat(MANY / 10);
    const block = '-----BEGIN A-----\nb: c\nQQ==\n-----END A-----\n';
    expect(pemBlocks(begins)).toEqual([]);
    expect(pemBlocks(`${headers}-----END B-----\n`)).toEqual([]);
    const found = pemBlocks(`${begins}${block}x\n${block.replace('b: c\n', '')}`);
    expect(found.map(it => [it.type, it.hasHeaders, [...it.bytes]])).toEqual([
      ['A', true, [65]],
      ['A', false, [65]],
    ]);
  });

  test('the line in which a name of a system is typed', () => {
    const start =
      'apiVersion: berth.dev/v1alpha1\nkind: System\nmetadata: { name: a }\nspec:\n  variables: { v: 0 }\n  # ';
    for (const line of ['a'.repeat(MANY), `at(a${blanks}`, `, ${blanks}`].map(it => `${it}!`)) {
      const text = `${start}${line}`;
      const at = 'spec.properties[0].never';
      expect(systemNamesAt(parseManifests('a.yaml', text), text.length, at).map(it => it.label)).toEqual(['v', 'at']);
    }
  });
});
