import { describe, expect, it } from 'vitest';
import { expressionCompiler } from '../../server/src/kube/cel/compilers';
import { failureOf } from '../../server/src/kube/cel/environment';
import { celValue } from '../../server/src/kube/cel/values';

const self = celValue({
  text: 'a,b,,c',
  count: 5,
  share: 2.5,
  numbers: [1, 2, 3, 4],
  words: ['x', 'y', 'x'],
  parts: [{ a: 1, b: 'x' }, { a: 2 }],
  map: { a: 1, b: 2 },
  nothing: null,
});
const rule = expressionCompiler(['self']);

/** true or false; `fails` if upstream fails, too; `silent` if this engine cannot evaluate it. */
function answer(expression: string): unknown {
  const checked = rule(expression);
  if ('undecided' in checked) return 'silent';
  if ('problem' in checked) return 'no rule';
  try {
    return checked.run({ self });
  } catch (error) {
    return 'undecided' in failureOf(error) ? 'silent' : 'fails';
  }
}

/** The answers of k8s.io/apiserver's own environment of 1.37, which can evaluate the silent ones, too. */
const ANSWERS: readonly (readonly [string, readonly (readonly [string, unknown])[]])[] = [
  [
    'URLs',
    [
      ['isURL("http://")', true],
      ['isURL("http://h/a b")', true],
      ['isURL("a/b")', false],
      ['isURL("http://h#f")', false],
      ['isURL("https://h:x/")', false],
      ['url("https://example.com:443/").getPort() == "443"', true],
      ['url("https://example.com:443/") == url("https://example.com/")', false],
      ['url("HTTP://Ex.COM/A").getHost() == "Ex.COM"', true],
      ['url("HTTP://Ex.COM/A").getScheme() == "http"', true],
      ['url("mailto:x").getEscapedPath() == ""', true],
      ['url("http://h?x=%zz&y=1").getQuery() == {"y": ["1"]}', true],
      ['url("http://[::1]:8080/").getHostname() == "::1"', true],
      ['url("https://a.b/p?x=1&x=2#f").getQuery() == {"x": ["1", "2"]}', true],
      ['url("/a/b").getHost() == ""', true],
    ],
  ],
  [
    'regular expressions',
    [
      ['"a]".matches("^a]$")', true],
      ['"]".matches("^[]a]$")', true],
      ['"b".matches("[^]a]")', true],
      ['"a{".matches("^a{$")', true],
      ['"a{,2}".matches("a{,2}")', true],
      ['"a-b".matches("a\\\\-b")', true],
      ['"ω".matches("^\\\\p{Greek}$")', true],
      ['"b".matches("^\\\\p{^Lu}$")', true],
      ['"aa".matches("^a{1001}")', 'no rule'],
      ['"A".matches("\\\\u0041")', 'no rule'],
      ['"a".matches("(?=a)")', 'no rule'],
      ['"a".matches("[\\\\b]")', 'no rule'],
      ['"ab c".findAll("[a-z]*") == ["ab", "c"]', true],
    ],
  ],
  [
    'quantities',
    [
      ['quantity("1.0").isInteger()', false],
      ['quantity("1000m").isInteger()', false],
      ['quantity("2Ki").isInteger()', true],
      ['quantity("9999999999999999999").isInteger()', false],
      ['quantity("1000m") == quantity("1")', true],
    ],
  ],
  [
    'presence',
    [
      ['has(self.count.x)', false],
      ['has(self.nothing.x)', false],
      ['has(self.words.x)', 'fails'],
      ['self.numbers.all(x, !has(x.a))', true],
      ['has(self.missing)', false],
      ['self.missing == 1', 'fails'],
      ['self.missing == 1 || true', true],
    ],
  ],
  [
    'addresses',
    [
      ['isIP("10.0.0.01")', false],
      ['isIP("::ffff:1.2.3.4")', false],
      ['ip("2001:DB8::1") == ip("2001:db8::1")', true],
      ['ip.isCanonical("2001:DB8::1")', false],
      ['cidr("10.0.0.0/8").containsIP("10.9.9.9")', true],
      ['cidr("10.0.0.1/8").masked() == cidr("10.0.0.0/8")', true],
      ['isCIDR("10.0.0.0/08")', false],
    ],
  ],
  [
    'times',
    [
      ['duration("1h30m").getMinutes() == 90', true],
      ['timestamp("2024-02-29T00:00:00Z").getDayOfMonth() == 28', true],
      ['timestamp("2024-02-30T00:00:00Z").getDayOfMonth() == 0', 'no rule'],
      ['duration("1d") > duration("1h")', 'no rule'],
    ],
  ],
  [
    'loops with two variables',
    [
      ['self.numbers.all(i, v, v > i)', true],
      ['self.numbers.all(i, v, 10 / (v - 1) > 0 && v < 4)', false],
      ['self.numbers.all(i, v, 10 / (v - 1) > 0)', 'fails'],
      ['self.words.exists(i, v, i == 2 && v == "x")', true],
      ['self.words.existsOne(i, v, v == "x")', false],
      ['self.map.exists_one(k, v, v == 2)', true],
      ['self.map.all(k, v, self.map[k] == v)', true],
      ['self.numbers.transformList(i, v, v) == self.numbers', true],
      ['self.words.transformList(i, v, v == "x", i) == [0, 2]', true],
      ['self.map.transformMap(k, v, k + string(v)) == {"a": "a1", "b": "b2"}', true],
      ['self.words.transformMapEntry(i, v, i < 2, {v: i}) == {"x": 0, "y": 1}', true],
      ['self.words.transformMapEntry(i, v, {v: i}).size() == 2', 'fails'],
      ['self.words.all(i, v, self.numbers.exists(j, w, j == i && w == j + 1))', true],
      ['self.count.all(i, v, true)', 'fails'],
    ],
  ],
  [
    'order',
    [
      ['self.parts.sortBy(p, -p.a).map(p, p.a) == [2, 1]', true],
      ['self.words.sortBy(w, w) == ["x", "x", "y"]', true],
      ['self.words.sortBy(w, self.map).size() == 3', 'fails'],
      ['[1, "a"].sortBy(v, v).size() == 2', 'fails'],
      ['[self.count, self.text].isSorted()', true],
      ['self.numbers.max() > 3 && self.numbers.min() < 2', true],
      ['self.words.first().value() == self.words.last().value()', true],
      ['["a", self.text].all(x, x != "b")', true],
    ],
  ],
  [
    'what this engine does not have',
    [
      ['format.named("uuid").hasValue()', 'silent'],
      ['!format.dns1123Label().validate("A").hasValue()', 'silent'],
      ['"%s".format(["a"]) == "a"', 'silent'],
      ['[?optional.of(1)].size() == 1', 'silent'],
      ['string(duration("1h")) == "3600s"', 'silent'],
      ['int(timestamp("2024-01-02T03:04:05Z")) > 0', 'silent'],
      ['"".indexOf("b", 3) == -1', 'silent'],
      ['self.words.indexOf(2) == -1', 'silent'],
      ['sets.contains(self.words, [1])', 'silent'],
      ['duration("0") < duration("1s")', 'silent'],
    ],
  ],
];

describe.each(ANSWERS)('The answers of upstream about %s', (_, cases) => {
  it.each(cases)('%s: %s', (expression, expected) => {
    expect(answer(expression)).toBe(expected);
  });
});
