import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { assertionCompiler } from '../../kube/cel/compilers';
import type { Severity } from '../../rules/framework/problem';
import { SEVERITIES } from '../../rules/framework/severities';
import type { OnRuleProblem } from './onRuleProblem';
import { expressionProblem, type PropertyRule, type PropertySelector } from './property';
import { readTests, TESTS_SCHEMA } from './readTests';

type Compile = ReturnType<typeof assertionCompiler>;

const NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
const FIELDS = ['name', 'expression', 'message', 'messageExpression', 'severity', 'why', 'at', 'select', 'tests'];
const SELECTORS = ['kinds', 'namespaces', 'names', 'labels'];

/** JSON schema of `rules:`. */
export const RULES_SCHEMA: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name', 'expression'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', description: 'Its code is property/NAME.' },
      expression: { type: 'string', description: 'CEL that must be true of `object`, or of its PodSpec `pod`.' },
      message: { type: 'string' },
      messageExpression: { type: 'string', description: 'CEL that makes the message.' },
      severity: { enum: SEVERITIES },
      why: { type: 'string' },
      at: { type: 'string', description: 'The field to underline: `metadata.labels`, `pod.containers`.' },
      select: {
        type: 'object',
        additionalProperties: false,
        properties: {
          kinds: { type: 'array', items: { type: 'string' } },
          namespaces: { type: 'array', items: { type: 'string' } },
          names: { type: 'array', items: { type: 'string' } },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      tests: TESTS_SCHEMA,
    },
  },
};

/** A limit on rules, because each is evaluated on each object. */
export const MOST_RULES = 1_000;

/** Reads `rules:` of berth.yaml. Rules with mistakes are reported and left out. */
export function readRules(value: JsonValue, onProblem: OnRuleProblem): readonly PropertyRule[] {
  if (!Array.isArray(value)) {
    onProblem(t('must be a list of rules'), []);
    return [];
  }
  const names = new Set<string>();
  const compile = assertionCompiler();
  if (value.length > MOST_RULES) {
    const [count, most] = [value.length, MOST_RULES].map(it => it.toLocaleString('en'));
    onProblem(t`: of ${count} rules the first ${most} are read, those from here on are not`, [MOST_RULES]);
  }
  return (value as readonly JsonValue[]).slice(0, MOST_RULES).flatMap((it, i) => {
    const rule = readRule(it, compile, (clause, at) => onProblem(clause, [i, ...at]));
    if (rule === undefined) return [];
    if (names.has(rule.name)) {
      onProblem(t('is the name of another rule too'), [i, 'name']);
      return [];
    }
    names.add(rule.name);
    return [rule];
  });
}

function readRule(value: JsonValue, compile: Compile, onProblem: OnRuleProblem): PropertyRule | undefined {
  if (!isObject(value)) {
    onProblem(t('must be a mapping with name and expression'), []);
    return undefined;
  }
  for (const field of Object.keys(value)) {
    if (!FIELDS.includes(field)) onProblem(t`is not one of: ${FIELDS.join(', ')}`, [field]);
  }
  const text = (field: string): string | undefined => {
    const given = value[field];
    if (given === undefined || (typeof given === 'string' && given.trim() !== '')) return given;
    onProblem(t('must be text'), [field]);
    return undefined;
  };
  const [name, expression] = [text('name'), text('expression')];
  if (name !== undefined && !NAME.test(name))
    onProblem(t('must be of lower-case letters, digits, "-" and "."'), ['name']);
  if (value.name === undefined || value.expression === undefined) onProblem(t('needs a name and an expression'), []);
  const severity = SEVERITIES.find(it => it === value.severity);
  if (value.severity !== undefined && severity === undefined)
    onProblem(t`must be one of: ${SEVERITIES.join(', ')}`, ['severity']);
  for (const field of ['expression', 'messageExpression'] as const) {
    const wrong = value[field] === undefined ? undefined : expressionProblem(text(field) ?? 'true', compile);
    if (wrong !== undefined) onProblem(t`cannot be compiled: ${wrong}`, [field]);
  }
  const select = readSelector(value.select, (clause, at) => onProblem(clause, ['select', ...at]));
  if (name === undefined || !NAME.test(name) || expression === undefined) return undefined;
  const more = {
    message: text('message'),
    messageExpression: text('messageExpression'),
    why: text('why'),
    at: text('at'),
  };
  const tests = readTests(value.tests, (clause, at) => onProblem(clause, ['tests', ...at]));
  const given = Object.fromEntries(Object.entries(more).filter(([, it]) => it !== undefined));
  return {
    name,
    expression,
    severity: severity ?? ('error' satisfies Severity),
    select,
    ...given,
    ...(tests && { tests }),
  };
}

function readSelector(value: JsonValue | undefined, onProblem: OnRuleProblem): PropertySelector {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) {
    onProblem(t`must be a mapping of: ${SELECTORS.join(', ')}`, []);
    return {};
  }
  for (const field of Object.keys(value)) {
    if (!SELECTORS.includes(field)) onProblem(t`is not one of: ${SELECTORS.join(', ')}`, [field]);
  }
  const lists = ['kinds', 'namespaces', 'names'].map(
    field => [field, readTexts(value[field], field, onProblem)] as const,
  );
  const labels = readLabels(value.labels, onProblem);
  return { ...Object.fromEntries(lists.filter(([, it]) => it !== undefined)), ...(labels && { labels }) };
}

function readTexts(
  value: JsonValue | undefined,
  field: string,
  onProblem: OnRuleProblem,
): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const isList = Array.isArray(value) && value.every((it): it is string => typeof it === 'string');
  if (isList) return value;
  onProblem(t('must be a list of words; "*" stands for anything'), [field]);
  return undefined;
}

function readLabels(
  value: JsonValue | undefined,
  onProblem: OnRuleProblem,
): Readonly<Record<string, string>> | undefined {
  if (value === undefined) return undefined;
  const isMap = isObject(value) && Object.values(value).every(it => typeof it === 'string');
  if (isMap) return value as Readonly<Record<string, string>>;
  onProblem(t('must be a mapping of labels to values'), ['labels']);
  return undefined;
}
