import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import type { OnRuleProblem } from './onRuleProblem';
import type { PropertyTest } from './property';

const FIELDS = ['name', 'object', 'expect', 'message'];
const OUTCOMES = ['holds', 'fails', 'skips'] as const;

/** JSON schema of the tests of a rule. */
export const TESTS_SCHEMA: JsonObject = {
  type: 'array',
  description: 'What the rule must say of some objects; run by `berth policy test`.',
  items: {
    type: 'object',
    required: ['object', 'expect'],
    additionalProperties: false,
    properties: {
      name: { type: 'string' },
      object: { type: 'object', description: 'A manifest, as far as the rule looks at it.' },
      expect: { enum: OUTCOMES, description: '`skips`: the rule does not speak of the object.' },
      message: { type: 'string', description: 'Part of what a rule that fails says.' },
    },
  },
};

/** Reads `tests:` of a rule; undefined when there are none. Tests with mistakes are reported and left out. */
export function readTests(value: JsonValue | undefined, onProblem: OnRuleProblem): readonly PropertyTest[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) {
    onProblem('must be a list of tests', []);
    return undefined;
  }
  return (value as readonly JsonValue[]).flatMap(
    (it, i) => readTest(it, (clause, at) => onProblem(clause, [i, ...at])) ?? [],
  );
}

function readTest(value: JsonValue, onProblem: OnRuleProblem): PropertyTest | undefined {
  if (!isObject(value)) {
    onProblem('must be a mapping with object and expect', []);
    return undefined;
  }
  for (const field of Object.keys(value)) {
    if (!FIELDS.includes(field)) onProblem(`is not one of: ${FIELDS.join(', ')}`, [field]);
  }
  for (const field of ['name', 'message']) {
    if (value[field] !== undefined && typeof value[field] !== 'string') onProblem('must be text', [field]);
  }
  const { name, object, message } = value;
  const expect = OUTCOMES.find(it => it === value.expect);
  if (expect === undefined)
    onProblem(`must be one of: ${OUTCOMES.join(', ')}`, value.expect === undefined ? [] : ['expect']);
  if (!isObject(object)) onProblem('needs an object: a manifest', object === undefined ? [] : ['object']);
  if (expect === undefined || !isObject(object)) return undefined;
  return {
    object,
    expect,
    ...(typeof name === 'string' && { name }),
    ...(typeof message === 'string' && { message }),
  };
}
