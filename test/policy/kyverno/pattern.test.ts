import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../server/src/base/json';
import { matchPattern } from '../../../server/src/policy/kyverno/pattern/matchPattern';
import { matchesScalar } from '../../../server/src/policy/kyverno/pattern/scalar';
import { randomFrom } from '../../support/random';

describe('patterns of one value', () => {
  const cases: readonly (readonly [value: JsonValue, pattern: JsonValue, matches: boolean])[] = [
    ['nginx:1.27', '*:*', true],
    ['nginx', '*:*', false],
    ['nginx:latest', '!*:latest', false],
    ['nginx:1.27', '!*:latest & *:*', true],
    ['a', 'b | a', true],
    ['512Mi', '<=1Gi', true],
    ['2Gi', '<= 1Gi', false],
    ['1024Mi', '1Gi', true],
    ['90s', '>1m', true],
    ['30s', '>1m', false],
    [5, '1-10', true],
    [11, '1-10', false],
    [11, '1!-10', true],
    ['500m', '100m-1', true],
    [8080, '8080', true],
    ['8080', 8080, true],
    [8080, 8081, false],
    [true, 'true', true],
    [true, true, true],
    ['true', true, false],
    [null, '?*', false],
    ['', null, true],
    [0, null, true],
    ['x', null, false],
    [undefined as unknown as JsonValue, '*', false],
    [{ a: 1 }, 'x', false],
  ];
  it.each(cases)('%j against %j is %s', (value, pattern, matches) => {
    expect(matchesScalar(value, pattern)).toBe(matches);
  });

  it('a range contains exactly the values between its ends, and its negation all others', () => {
    const random = randomFrom(11);
    for (let i = 0; i < 2000; i++) {
      const [low, high, value] = [random(100), random(100), random(100)];
      const isWithin = low <= value && value <= high;
      expect(matchesScalar(`${value}Mi`, `${low}Mi-${high}Mi`)).toBe(isWithin);
      expect(matchesScalar(value, `${low}!-${high}`)).toBe(!isWithin);
    }
  });

  it('the order operators agree with each other', () => {
    const random = randomFrom(13);
    const alike: unknown[] = [];
    for (let i = 0; i < 2000; i++) {
      const [value, limit] = [`${random(50) * 100}m`, `${random(5)}`];
      const pairs = [
        [`>${limit}`, `<=${limit}`],
        [`<${limit}`, `>=${limit}`],
        [`!${limit}`, limit],
      ] as const;
      for (const [one, other] of pairs)
        if (matchesScalar(value, one) === matchesScalar(value, other)) alike.push([value, one, other]);
    }
    expect(alike).toEqual([]);
  });
});

describe('patterns of objects', () => {
  const pod = (...containers: JsonValue[]): JsonValue => ({
    metadata: { labels: { 'app.io/name': 'web' } },
    spec: { containers },
  });
  const cases: readonly (readonly [name: string, value: JsonValue, pattern: JsonValue, verdict: string])[] = [
    [
      'a list pattern is about every item',
      pod({ image: 'a:1' }, { image: 'b' }),
      { spec: { containers: [{ image: '*:*' }] } },
      'fail /spec/containers/1/image/',
    ],
    [
      'a condition leaves out the items it does not hold for',
      pod({ name: 'a', tty: true }, { name: 'b' }),
      { spec: { containers: [{ '(name)': 'b', 'X(tty)': 'null' }] } },
      'pass',
    ],
    [
      'a condition that holds for no item skips the rule',
      pod({ name: 'a' }),
      { spec: { containers: [{ '(name)': 'z', image: '?*' }] } },
      'skip ',
    ],
    [
      'a negation forbids the key',
      pod({ tty: true }),
      { spec: { containers: [{ 'X(tty)': 'null' }] } },
      'fail /spec/containers/0/tty/',
    ],
    [
      'an equality is only about what is there',
      pod({}),
      { spec: { '=(hostNetwork)': false, containers: [{ '=(securityContext)': { '=(privileged)': 'false' } }] } },
      'pass',
    ],
    [
      'an equality fails where it is not equal',
      pod({ securityContext: { privileged: true } }),
      { spec: { containers: [{ '=(securityContext)': { '=(privileged)': 'false' } }] } },
      'fail /spec/containers/0/securityContext/privileged/',
    ],
    [
      'an existence asks for one item',
      pod({ name: 'a' }, { name: 'b' }),
      { spec: { '^(containers)': [{ name: 'b' }] } },
      'pass',
    ],
    [
      'an existence fails without one',
      pod({ name: 'a' }),
      { spec: { '^(containers)': [{ name: 'b' }] } },
      'fail /spec/containers/',
    ],
    [
      'a global condition skips the whole rule',
      pod({ image: 'corp/a' }),
      { spec: { containers: [{ '<(image)': 'other/*' }], 'X(hostNetwork)': 'null' } },
      'skip ',
    ],
    ['a key of a label may hold wildcards', pod(), { metadata: { labels: { '*/name': 'w?b' } } }, 'pass'],
    ['a field that is missing fails', pod(), { spec: { priorityClassName: '?*' } }, 'fail /spec/priorityClassName/'],
    ['a star asks only that there is something', pod(), { spec: { priorityClassName: '*' } }, 'fail /spec/'],
    ['two structures never match', { spec: 'text' }, { spec: { a: 1 } }, 'fail /spec/'],
  ];
  it.each(cases)('%s', (_, value, pattern, verdict) => {
    const miss = matchPattern(value, pattern);
    expect(miss === undefined ? 'pass' : `${miss.kind} ${miss.path}`).toBe(verdict);
  });
});
