import { describe, expect, it } from 'vitest';
import type { DocumentSymbol } from '../../server/src/analysis/features/outline/symbols';
import { analysisOf } from './analyse';

const uri = 'file:///ws/all.yaml';
const times = (count: number, make: (i: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(separator);

describe('the symbols of a file with very many', () => {
  const configMap = (i: number): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${i} }\ndata: { ${times(10, it => `k${it}: v`, ', ')} }\n`;
  const levels = (symbols: readonly DocumentSymbol[]): readonly number[] =>
    symbols.length === 0 ? [] : [symbols.length, ...levels(symbols.flatMap(it => it.children))];

  it.each([
    [10, [10, 20, 110]],
    [2_000, [2_000, 4_000]],
  ])('of %i objects are those of the outer levels', (count, expected) => {
    const text = times(count, configMap, '---\n');
    expect(levels(analysisOf({ [uri]: text }).documentSymbols(uri))).toEqual(expected);
  });
});

describe('the quick fixes of a selection', () => {
  const fixesOf = (text: string) => analysisOf({ [uri]: text }).fixes(uri, { start: 0, end: text.length });

  it('are those of its first problems', () => {
    const misspelt = (i: number): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${i} }\ndatta: {}\n`;
    const found = fixesOf(times(300, misspelt, '---\n'));
    const { size } = new Set(found.map(it => it.problem));
    expect(size).toBe(100);
  });

  it('write no more than some megabytes, where each writes a long text anew', () => {
    const codes = times(3_000, i => `rules/none-${i}: r`, ', ');
    const text = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c, annotations: { berth.dev/ignore: "${codes}, ${'x'.repeat(900_000)}" } }\n`;
    const written = fixesOf(text).reduce((sum, { fix }) => sum + JSON.stringify(fix.edits).length, 0);
    expect(written).toBeGreaterThan(900_000);
    expect(written).toBeLessThan(5_000_000);
  });
});
