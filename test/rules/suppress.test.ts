import { describe, expect, test } from 'vitest';
import { diagnose, fixed } from '../support/check';

const pod = (metadata: string, above: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n${metadata}spec:\n${above}  hostNetwrk: true\n  containers: [{ name: web, image: nginx }]\n`;
const codes = (text: string) => diagnose(text).map(it => it.code);

describe('suppressions', () => {
  test.each([
    ['a comment above', pod('', '  # berth-ignore decode/unknown-field: the plugin reads it\n'), []],
    [
      'another code',
      pod('', '  # berth-ignore apiserver/enum: why\n'),
      ['berth/unused-suppression', 'decode/unknown-field'],
    ],
    [
      'no reason',
      pod('', '  # berth-ignore decode/unknown-field\n'),
      ['berth/suppression-without-reason', 'decode/unknown-field'],
    ],
    ['an annotation', pod("  annotations: { berth.dev/ignore: 'decode/unknown-field: why, and so' }\n", ''), []],
    [
      'an annotation of two codes, one unused',
      pod("  annotations: { berth.dev/ignore: 'decode/unknown-field: why, apiserver/enum: so' }\n", ''),
      ['berth/unused-suppression'],
    ],
  ])('%s', (_name, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test('an unused comment is removed with its line', () => {
    const text = pod('', '').replace('hostNetwrk', 'hostNetwork');
    const before = text.replace('  hostNetwork', '  # berth-ignore apiserver/enum: why\n  hostNetwork');
    expect(fixed(before, 'Remove this suppression')).toBe(text);
  });

  test('a severity replaces that of the rule, and off disables it', () => {
    const world = (severity: 'hint' | 'off') => ({ severity: { 'decode/unknown-field': severity } });
    expect(diagnose(pod('', ''), world('hint')).map(it => it.severity)).toEqual(['hint']);
    expect(diagnose(pod('', ''), world('off'))).toEqual([]);
  });
});
