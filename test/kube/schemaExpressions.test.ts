import { describe, expect, test } from 'vitest';
import { createPartMemo } from '../../server/src/base/partMemo';
import type { DeclType } from '../../server/src/kube/cel/declType';
import { schemaExpressions, storedExpressions } from '../../server/src/kube/cel/schemaExpressions';
import type { StructuralSchema } from '../../server/src/kube/kube';
import { schemaDeclType } from '../../server/src/kube/schemaType';

const text = { type: 'string' };
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    name: text,
    short: { ...text, maxLength: 10 },
    parts: { type: 'array', items: { type: 'object', required: ['name'], properties: { name: text } } },
    few: { type: 'array', maxItems: 5, items: { ...text, maxLength: 8 } },
    words: { type: 'array', maxItems: 20, items: text },
    labels: { type: 'object', additionalProperties: { ...text, maxLength: 20 } },
    when: { ...text, format: 'date-time' },
    data: { ...text, format: 'byte' },
    port: { 'x-kubernetes-int-or-string': true },
    count: { type: 'integer' },
    'my-field': { type: 'integer' },
  },
};
const self: DeclType = schemaDeclType(schema, 'root', createPartMemo()) ?? { name: 'dyn', maxElements: 0, minSize: 0 };
const expressions = schemaExpressions('1.37');
const check = (rule: string, of: DeclType, oldSelf: 'same' | 'optional') => expressions(of)(rule, oldSelf);

describe('the estimated cost of a rule is that of k8s.io/apiextensions-apiserver 1.37', () => {
  test.each<[string, number]>([
    ['self.name.size() > 3', 4],
    ["self.name == 'abc'", 3],
    ["self.name.matches('^[a-z]+$')", 629148],
    ["self.short.contains('a')", 6],
    ["self.parts.all(p, p.name != '')", 1209893],
    ['self.parts.all(a, self.parts.exists_one(b, a.name == b.name))', 1.8419655072758084e16],
    ['self.few.all(p, p.size() < 3)', 33],
    ['self.few.exists(p, p == self.short)', 58],
    ['self.labels.all(k, self.labels[k].size() < 10)', 3538938],
    ["'a' in self.labels", 3],
    ["self.words.join(',').size() < 100", 6291458],
    ['self.few.isSorted()', 27],
    ["self.words.indexOf('a') < 3", 6291483],
    ["self.few.map(p, p + 'x').size() > 0", 100],
    ["has(self.name) ? self.short == 'a' : self.name == 'b'", 4],
    ["self.when > timestamp('2020-01-01T00:00:00Z')", 4],
    ['self.data.size() > 3', 4],
    ["self.kind == 'A' || self.port == 3", 6],
    ["self.short.replace('a', 'bb').size() < 10", 12],
    ["[self.short].all(x, x != '')", 17],
    ['self == oldSelf', 2],
    ['self.count + 1 > 2', 4],
    ["quantity(self.short).isGreaterThan(quantity('1'))", 8],
    ["self.metadata.name.startsWith('a')", 4],
    ['self.few.all(i, x, x.size() < 3)', 33],
    ['self.few.exists(i, x, x == self.short)', 58],
    ["self.few.existsOne(i, x, x == 'a')", 24],
    ["self.few.exists_one(i, x, x == 'a')", 24],
    ['self.labels.exists(k, v, k == v)', 2359293],
    ['self.words.all(i, x, i < 3)', 103],
    ["self.few.transformList(i, x, x + 'a').size() > 0", 100],
    ["self.few.transformList(i, x, i > 1, x + 'a').size() > 0", 110],
    ["self.few.transformList(i, x, x).all(y, y == 'a')", 99],
    ["self.labels.transformMap(k, v, k == 'a', v).size() > 0", 1966110],
    ['self.few.transformMapEntry(i, x, {x: i}).size() > 0', 205],
    ['self.few.transformMapEntry(i, x, i > 1, {x: i}).size() > 0', 215],
    ['self.few.sortBy(x, x.size()) == self.few', 159],
    ["self.few.sortBy(x, x)[0] == 'a'", 155],
    ["self.parts.all(i, p, p.name == 'a')", 1451871],
    ['self.few.sort() == self.few', 69],
    ["self.labels.transformMap(k, v, v + 'a').size() > 0", 5111830],
    ['self.labels.all(k, v, v.size() < 10)', 2359293],
    ['type(self.when) == google.protobuf.Timestamp', 4],
  ])('%s', (rule, cost) => {
    expect(check(rule, self, 'same')).toMatchObject({ type: 'bool', maxCost: cost });
  });
});

test('two fields of one variable share the memory of its path, as the slices of upstream do', () => {
  const item: StructuralSchema = {
    type: 'object',
    properties: {
      name: { ...text, maxLength: 7 },
      tags: { type: 'array', maxItems: 11, items: { ...text, maxLength: 5 } },
    },
  };
  const of: StructuralSchema = { type: 'object', properties: { parts: { type: 'array', maxItems: 19, items: item } } };
  const type = schemaDeclType(of, 'inner', createPartMemo());
  expect(type && check('self.parts.all(p, p.tags.all(t, t == p.name))', type, 'same')).toMatchObject({ maxCost: 4373 });
});

test.each([
  ['1.32', 'self.few.all(i, x, i < 3)', 'problem'],
  ['1.33', 'self.few.all(i, x, i < 3)', 'maxCost'],
  ['1.33', 'semver(self.name).major() > 1', 'problem'],
  ['1.34', 'semver(self.name).major() > 1', 'maxCost'],
  ['1.34', 'self.few.sort() == self.few', 'problem'],
  ['1.35', 'self.few.sort() == self.few', 'maxCost'],
  ['1.31', 'format.uuid().validate(self.name).hasValue()', 'problem'],
  ['1.32', 'format.uuid().validate(self.name).hasValue()', 'maxCost'],
  ['1.31', 'isIP(self.name)', 'maxCost'],
])('at %s, %s has a %s', (minor, rule, answer) => {
  expect(schemaExpressions(minor)(self)(rule, 'same')).toHaveProperty(answer);
});

test('a stored rule may call what came with the minor', () => {
  const rule = 'self.few.sort() == self.few';
  expect(storedExpressions('1.34')(self)(rule, 'same')).toHaveProperty('type', 'bool');
  expect(storedExpressions('1.33')(self)(rule, 'same')).toHaveProperty('problem');
});

describe('a rule that does not fit the schema', () => {
  test.each<[string, RegExp]>([
    ['self.nam.size() > 3', /undefined field 'nam'/],
    ['self.metadata.labels.size() > 0', /undefined field 'labels'/],
    ['self.my-field > 1', /undefined field 'my'/],
    ['self.count.size() > 1', /size/],
    ["self.count == 'a'", /==/],
    ['self.name.all(x, x > 1)', /all|comprehension/],
    ['self.all(k, k > 1)', /cannot be range of a comprehension/],
    ["self.?nam.orValue('') == ''", /undefined field 'nam'/],
    ['self.parts.isSorted()', /isSorted/],
    ['self.words.sum() > 1', /sum/],
    ["self.parts.indexOf('a') < 1", /indexOf/],
    ["string(self.parts) == ''", /string/],
    ["'a' + self.labels == ''", /\+/],
    ['cel.bind(n, self.name, n.size() > 1)', /undeclared reference to 'cel'/],
    ['self.name == undefinedName', /undeclared reference to 'undefinedName'/],
    ['self.name ==', /Syntax error/],
    ['self.few.all(i, i, true)', /^compilation failed: ERROR: <input>:1:17: duplicate variable name: i\n/],
    ['self.few.all(i, x, x)', /<input>:1:20: expected type 'bool' but found 'string'/],
    ['self.few.sortBy(x, self.parts) == []', /'@sortByAssociatedKeys' applied to 'list\(string\)\.\(list\(list\(/],
    ['self.few.transformMapEntry(i, x, 3) == {}', /'cel.@mapInsert' applied to '\(map\(dyn, dyn\), int\)'/],
    ["b'\\u00e9' == self.data", /unable to unescape string/],
  ])('%s', (rule, problem) => {
    expect(check(rule, self, 'same')).toMatchObject({ problem: expect.stringMatching(problem) });
  });

  test.each([
    ["int('x') == self.count", "type conversion error from 'string' to 'int'"],
    ["self.few.all(x, x == string(b'\\xff'))", 'invalid UTF-8 in bytes, cannot convert to string'],
    ["self.name.find('[a') == ''", 'error parsing regexp: missing closing ]: `[a`'],
  ])('%s compiles, and cannot be run', (rule, instantiation) => {
    expect(check(rule, self, 'same')).toMatchObject({ type: 'bool', instantiation });
  });

  test('oldSelf is optional only where the rule says so', () => {
    expect(check('self == oldSelf', self, 'optional')).toHaveProperty('problem');
    expect(check('!oldSelf.hasValue() || self == oldSelf.value()', self, 'optional')).toMatchObject({
      type: 'bool',
      usesOldSelf: true,
    });
  });

  test('a field is named as CEL can spell it', () => {
    expect(check('self.my__dash__field > 1', self, 'same')).toMatchObject({ type: 'bool' });
  });
});

test('the answers for 5,500 rules of one schema are all kept', () => {
  const rules = Array.from({ length: 5_500 }, (_, i) => `self.count > ${i}`);
  const each = schemaExpressions('1.37')(self);
  const answers = rules.map(it => each(it, 'same'));
  const again = rules.map(it => each(it, 'same'));
  expect(again.filter((it, i) => it !== answers[i])).toHaveLength(0);
});

test('the oldest answers are dropped when the rules are large', () => {
  const rules = Array.from({ length: 20 }, (_, i) => `self.name != '${i}${'x'.repeat(1_000_000)}'`);
  const each = schemaExpressions('1.37')(self);
  const answers = rules.map(it => each(it, 'same'));
  const isKept = (i: number) => each(rules[i]!, 'same') === answers[i];
  expect([isKept(19), isKept(0)]).toEqual([true, false]);
});

test.each([
  ['1.32', ['first', 'last', 'unwrapOpt']],
  ['1.33', []],
])('functions that cel-go added to optionals are known to the server that is built with them: %s', (minor, missing) => {
  const rule = 'self.few.first() == self.few.last() && [optional.of(1)].unwrapOpt() == [1]';
  const problem = JSON.stringify(schemaExpressions(minor)(self)(rule, 'same'));
  expect([...problem.matchAll(/undeclared reference to '(\w+)'/g)].map(it => it[1])).toEqual(missing);
});

test('a field may be called by a word that CEL reserves from 1.32 on, as in the environment of the minor before', () => {
  const properties = { namespace: text, package: text };
  const type = schemaDeclType({ type: 'object', properties }, 'root', createPartMemo())!;
  const checkIn = (minor: string, rule: string) => schemaExpressions(minor)(type)(rule, 'same');
  const rule = '!has(self.namespace) || self.namespace != self.__package__';
  expect(checkIn('1.37', rule)).toMatchObject({ type: 'bool' });
  expect(checkIn('1.32', rule)).toMatchObject({ type: 'bool' });
  expect(checkIn('1.31', rule)).toMatchObject({ problem: expect.stringContaining("undefined field 'namespace'") });
  expect(checkIn('1.37', 'self.return')).toMatchObject({
    problem: expect.stringContaining("undefined field 'return'"),
  });
});
