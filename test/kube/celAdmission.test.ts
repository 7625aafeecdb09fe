import { describe, expect, test } from 'vitest';
import { admissionCompiler, type ExpressionResult, type ExpressionUse } from '../../server/src/kube/cel/admission';
import { typeText } from '../../server/src/kube/cel/checker/types';

const plain: ExpressionUse = { params: 'none', authorizer: 'declared', patches: 'none' };
const patches: ExpressionUse = { ...plain, patches: 'declared' };

/** The type of an expression, or upstream's error without the line and the caret. */
function compiled(expression: string, use = plain, result: ExpressionResult = 'any', minor = '1.37'): string {
  const made = admissionCompiler(minor)(expression, use, result);
  if ('type' in made) return typeText(made.type);
  return 'problem' in made
    ? made.problem.replace(/^compilation failed: /, '').replace(/\n \| [^\n]*/g, '')
    : made.undecided;
}

describe('an expression of a policy', () => {
  test.each([
    ['object.spec.replicas', 'dyn'],
    ['object.spec.replicas + 1', 'int'],
    ['1 + 1.0', "ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, double)'"],
    ['1 < 1.5', 'bool'],
    ["'a'.size('b')", "ERROR: <input>:1:9: found no matching overload for 'size' applied to 'string.(string)'"],
    ['request.userInfo.groups', 'list(string)'],
    ['request.users', "ERROR: <input>:1:8: undefined field 'users'"],
    [
      'a && b',
      "ERROR: <input>:1:1: undeclared reference to 'a' (in container '')\nERROR: <input>:1:6: undeclared reference to 'b' (in container '')",
    ],
    ['1 && true', "ERROR: <input>:1:1: expected type 'bool' but found 'int'"],
    [
      "object.x ? 'a' : null",
      "ERROR: <input>:1:10: found no matching overload for '_?_:_' applied to '(dyn, string, null)'",
    ],
    ["[1, 'a']", "ERROR: <input>:1:5: expected type 'int' but found 'string'"],
    ['[1, object.x]', "ERROR: <input>:1:11: expected type 'int' but found 'dyn'"],
    ["'%s %d'.format(['a', 1])", 'string'],
    [
      "'%d'.format(['a'])",
      'ERROR: <input>:1:14: error during formatting: decimal clause can only be used on integers, was given string',
    ],
    ['object.items.map(x, x > 1, x.name)', 'list(dyn)'],
    ["{'a': 1}.transformList(k, v, k + string(v))", 'list(string)'],
    ['[1].all(i, 1)', "ERROR: <input>:1:12: expected type 'bool' but found 'int'"],
    ['object.?a.orValue(1)', 'dyn'],
    ['optional.of(1).optMap(x, string(x))', 'optional_type(string)'],
    ["authorizer.group('').resource('pods').check('get').allowed()", 'bool'],
    ["format.dns1123Label().validate('a').hasValue()", 'bool'],
    ["type(object.x) == string && 'a' in ['a']", 'bool'],
    ["'a'.matches('[')", 'ERROR: <input>:1:13: invalid matches argument'],
    ["duration('1x')", 'ERROR: <input>:1:10: invalid duration argument'],
    ["timestamp('2026-02-30T00:00:00Z')", 'ERROR: <input>:1:11: invalid timestamp argument'],
    ['has(object)', 'ERROR: <input>:1:5: invalid argument to has() macro'],
    ['for.a', 'ERROR: <input>:1:1: reserved identifier: for'],
    ['Object{}', "ERROR: <input>:1:7: undeclared reference to 'Object' (in container '')"],
    ['params.a', "ERROR: <input>:1:1: undeclared reference to 'params' (in container '')"],
    ['9223372036854775808', 'ERROR: <input>:1:1: invalid int literal'],
    ["'日本' + 1", "ERROR: <input>:1:6: found no matching overload for '_+_' applied to '(string, int)'"],
    [
      '1 +',
      "ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
    ],
    [`${'['.repeat(300)}${']'.repeat(300)}`, 'ERROR: <input>:-1:0: expression recursion limit exceeded: 250'],
    ['a'.repeat(100_001), 'ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000'],
  ])('%s', (expression, expected) => {
    expect(compiled(expression)).toBe(expected);
  });

  test.each<readonly [string, ExpressionResult, string]>([
    ['object.x', 'bool', 'must evaluate to bool but got dyn'],
    ['1', 'string or null', 'must evaluate to one of [string null_type] but got int'],
    ['[]', 'list of JSONPatch', 'must evaluate to list(JSONPatch) but got list(dyn)'],
    ["[JSONPatch{op: 'add', path: '/a', value: 1}]", 'list of JSONPatch', 'list(JSONPatch)'],
    [
      '[JSONPatch{op: 1}]',
      'list of JSONPatch',
      "ERROR: <input>:1:14: expected type of field 'op' is 'string' but provided type is 'int'",
    ],
    ['Object{spec: Object.spec{?replicas: object.?x}}', 'Object', 'Object'],
    ["jsonpatch.escapeKey('a/b')", 'string', 'string'],
  ])('%s must give %s', (expression, result, expected) => {
    expect(compiled(expression, patches, result)).toBe(expected);
  });

  test('has the functions of the minor before its own', () => {
    expect(compiled("semver('1.2.3').major()", plain, 'any', '1.34')).toBe('int');
    expect(compiled("isSemver('1.2.3')", plain, 'any', '1.33')).toContain('undeclared reference');
  });
});
