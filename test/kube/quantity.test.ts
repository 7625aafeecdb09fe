import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  canonicalText,
  compareQuantities,
  explainQuantity,
  formatQuantity,
  isPlainQuantity,
  isPrintedInMilli,
  isQuantity,
  parseQuantity,
  quantityError,
  quantityInt64,
  quantityMilliInt64,
  quantityMilliValue,
  quantityOf,
  quantityValue,
  roundUpToMilli,
  subtractQuantities,
  zeroQuantity,
} from '../../server/src/kube/quantity';

type Row = readonly [
  text: string,
  printed: string,
  canonical?: string,
  format?: string,
  value?: string,
  milli?: string,
];
type Sum = readonly [a: string, b: string, sum: string, diff: string, cmp: number, value: string, milli: string];

/** Printed by k8s.io/apimachinery v0.37.1 itself. */
const upstream = JSON.parse(readFileSync(new URL('fixtures/quantities.json', import.meta.url), 'utf8')) as {
  readonly quantities: readonly Row[];
  readonly sums: readonly Sum[];
};

describe('quantities as upstream reads, counts and prints them', () => {
  it.each(upstream.quantities)('%j', (...row) => {
    const [text, printed, canonical, format, value, milli] = row as unknown as Row;
    if (canonical === undefined) {
      expect(quantityError(text)).toBe(printed);
      expect(parseQuantity(text)).toBeUndefined();
      return;
    }
    const q = parseQuantity(text)!;
    expect({
      printed: formatQuantity(q),
      canonical: canonicalText(q),
      format: q.format,
      value: String(quantityInt64(q)),
      milli: String(quantityMilliInt64(q)),
    }).toEqual({ printed, canonical, format, value, milli });
  });

  it.each(upstream.sums)('%j and %j', (a, b, sum, diff, cmp, value, milli) => {
    const [left, right] = [parseQuantity(a)!, parseQuantity(b)!];
    const total = addQuantities(left, right);
    expect(formatQuantity(total)).toBe(sum);
    expect(formatQuantity(subtractQuantities(left, right))).toBe(diff);
    expect(compareQuantities(left, right)).toBe(cmp);
    expect(String(quantityInt64(total))).toBe(value);
    expect(String(quantityMilliInt64(total))).toBe(milli);
  });
});

describe('quantities of decoded values', () => {
  it.each([
    ['500m', 1, 500],
    [2, 2, 2000],
    [0.1, 1, 100],
    [' 1Gi ', 1_073_741_824, 1_073_741_824_000],
    [null, 0, 0],
    [10n, 10, 10_000],
  ])('%o', (value, whole, milli) => {
    const q = quantityOf(value)!;
    expect([quantityValue(q), quantityMilliValue(q)]).toEqual([whole, milli]);
  });

  it.each([true, {}, [], 'much', undefined])('%j is none', value => {
    expect(quantityOf(value)).toBeUndefined();
  });
});

describe('quantities in plain words', () => {
  it.each([
    ['512Mi', undefined, '536,870,912 bytes (512 × 1,048,576)'],
    ['1.5Gi', 'memory', '1,610,612,736 bytes (1.5 × 1,073,741,824)'],
    ['500m', 'cpu', '0.5 CPU (500 ÷ 1,000)'],
    ['2', 'cpu', '2 CPU'],
    ['0.0001', 'cpu', '0.0001 CPU (counted as 1m)'],
    ['128m', 'memory', '0.128 bytes (128 ÷ 1,000; counted as 1 byte)'],
    ['5G', 'requests.storage', '5,000,000,000 bytes (5 × 1,000,000,000)'],
    ['1e3', undefined, '1,000 (1 × 10^3)'],
    ['3', 'nvidia.com/gpu', '3'],
    ['-5k', undefined, '-5,000 (-5 × 1,000)'],
  ])('%s of %s', (text, resource, words) => {
    expect(explainQuantity(text, resource)).toBe(words);
  });

  it('explains no invalid quantity', () => {
    expect(explainQuantity('lots')).toBeUndefined();
  });
});

describe('laws of quantities', () => {
  const seed = 1_373;
  const suffixes = ['', 'n', 'u', 'm', 'k', 'M', 'G', 'T', 'Ki', 'Mi', 'Gi', 'Ti', 'e3', 'E-3', 'e0'] as const;
  const written = fc.record({
    sign: fc.constantFrom('', '-', '+'),
    whole: fc.nat(999_999),
    fraction: fc.option(fc.nat(999), { nil: undefined }),
    suffix: fc.constantFrom(...suffixes),
  });
  const textOf = (it: { sign: string; whole: number; fraction: number | undefined; suffix: string }) =>
    `${it.sign}${it.whole}${it.fraction === undefined ? '' : `.${it.fraction}`}${it.suffix}`;
  const texts = written.map(textOf);

  /** The exact value times 10^15, from the text alone. */
  function reference(text: string): bigint {
    const [, sign, whole = '', fraction = '', suffix = ''] = /^([+-]?)(\d+)(?:\.(\d+))?(.*)$/.exec(text)!;
    const binary = ['Ki', 'Mi', 'Gi', 'Ti'].indexOf(suffix);
    const decimal = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, e3: 3, 'E-3': -3, e0: 0 }[suffix] ?? 0;
    const scaled = BigInt(whole + fraction) * 10n ** BigInt(15 + decimal - fraction.length);
    const value = binary < 0 ? scaled : scaled * 1024n ** BigInt(binary + 1);
    return sign === '-' ? -value : value;
  }

  /** The value that upstream keeps: rounded away from zero to a billionth. */
  function kept(text: string): bigint {
    const exact = reference(text);
    const unit = 1_000_000n;
    const rest = exact % unit;
    if (rest === 0n) return exact;
    return exact - rest + (exact > 0n ? unit : -unit);
  }

  it('compares like rational numbers', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const difference = kept(a) - kept(b);
        const sign = difference > 0n ? 1 : difference < 0n ? -1 : 0;
        expect(compareQuantities(parseQuantity(a)!, parseQuantity(b)!)).toBe(sign);
      }),
      { seed },
    );
  });

  it('rounds values up to whole units', () => {
    fc.assert(
      fc.property(texts, text => {
        fc.pre(!text.startsWith('-'));
        const one = 10n ** 15n;
        expect(quantityInt64(parseQuantity(text)!)).toBe((kept(text) + one - 1n) / one);
      }),
      { seed },
    );
  });

  it('parses what it prints', () => {
    fc.assert(
      fc.property(texts, text => {
        const q = parseQuantity(text)!;
        for (const printed of [formatQuantity(q), canonicalText(q)]) {
          expect(compareQuantities(parseQuantity(printed)!, q)).toBe(0);
        }
        expect(canonicalText(parseQuantity(canonicalText(q))!)).toBe(canonicalText(q));
      }),
      { seed },
    );
  });

  it('adds like rational numbers, in any order, and subtracts back', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const [left, right] = [parseQuantity(a)!, parseQuantity(b)!];
        const sum = addQuantities(left, right);
        expect(compareQuantities(sum, addQuantities(right, left))).toBe(0);
        expect(compareQuantities(subtractQuantities(sum, right), left)).toBe(0);
      }),
      { seed },
    );
  });

  it('are printed as written where the text says so, however long', () => {
    const digits = fc.stringMatching(/^[+-]?0?[0-9]{0,24}(0{1,7})?(\.[0-9]{0,2})?$/);
    const units = fc.constantFrom(...suffixes, 'P', 'E', 'e6');
    fc.assert(
      fc.property(digits, units, (number, unit) => {
        const q = parseQuantity(number + unit) ?? zeroQuantity;
        if (isPrintedInMilli(number + unit)) expect(formatQuantity(roundUpToMilli(q))).toBe(number + unit);
      }),
      { seed, numRuns: 1_000 },
    );
    expect(['9'.repeat(30), '12300k', '1000', '01', '1n', '1Ki', '1.5'].filter(isPrintedInMilli)).toEqual([
      '9'.repeat(30),
      '12300k',
    ]);
  });

  it('never throws and never hangs, whatever is typed', () => {
    const anything = fc.oneof(fc.string(), fc.stringMatching(/^[+-]?[0-9.]{0,25}[eEinumkKMGTP]{0,3}[-+]?[0-9]{0,12}$/));
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        const [left, right] = [parseQuantity(a), parseQuantity(b)];
        expect(left === undefined).toBe(quantityError(a) !== undefined);
        expect(isQuantity(b)).toBe(quantityOf(b) !== undefined);
        if (!left || !right) return;
        expect(formatQuantity(addQuantities(left, right))).toMatch(/^[-+]?\d*\.?\d*/);
        expect(Math.abs(compareQuantities(left, right))).toBeLessThanOrEqual(1);
        expect(Number.isSafeInteger(Number(quantityInt64(left) >> 12n))).toBe(true);
        expect(explainQuantity(a)).toBeTypeOf('string');
      }),
      { seed, numRuns: 500 },
    );
  });
});

// Upstream has no suffix for a power of ten beyond 18, and prints none.
describe('quantities of a hundred thousand digits', () => {
  it.each([
    [`1${'0'.repeat(100_000)}`, '10'],
    [`1${'0'.repeat(100_000)}Ki`, '9223372036854775807'],
    [`0.${'0'.repeat(100_000)}1`, '1n'],
  ])('are printed in their canonical form', (text, canonical) => {
    const quantity = parseQuantity(text);
    expect(quantity && canonicalText(quantity)).toBe(canonical);
  });
});

describe('whether a value is a quantity', () => {
  it.each([null, 1, 0.5, ' 1 ', '.', '+', 'm', 'e5', '1e', `${'9'.repeat(20)}.`, `${'0'.repeat(20)}`])(
    'is told of %j',
    it => {
      expect(isQuantity(it)).toBe(quantityOf(it) !== undefined);
    },
  );

  it.each([undefined, true, {}, [], '', '.e-15', '1x', '1e99999999999999999999'])('is denied of %j', it => {
    expect(isQuantity(it)).toBe(false);
    expect(quantityOf(it)).toBeUndefined();
  });
});

describe('quantities by the quick test', () => {
  it('are valid for the parser, too', () => {
    const part = fc.constantFrom('0', '1', '12', '007', '999999999999999', '1000000000000000', '', '.', '-', '+');
    const suffix = fc.constantFrom(
      '',
      'm',
      'k',
      'ki',
      'K',
      'Ki',
      'M',
      'Mi',
      'G',
      'Gi',
      'E',
      'Ei',
      'P',
      'n',
      'u',
      'i',
      'e3',
    );
    fc.assert(
      fc.property(part, part, suffix, (a, b, end) => {
        const text = `${a}${b}${end}`;
        if (isPlainQuantity(text)) expect(parseQuantity(text), text).toBeDefined();
      }),
    );
    expect(['1', '100m', '64Mi', '3k'].every(isPlainQuantity)).toBe(true);
    expect(['1ki', '1.5', '1n', '', 'x'].some(isPlainQuantity)).toBe(false);
  });
});
