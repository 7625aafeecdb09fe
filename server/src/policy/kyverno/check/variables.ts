import type { JsonObject, JsonValue } from '../../../base/json';
import { record, records, text } from '../../../kube/goFields';
import type { FieldPath, Segment } from '../../../manifest/fieldPath';
import { conditionOperatorNames } from '../conditions/operators';
import { variablesIn } from '../context/variables';
import { isList, isMap } from '../go/goValues';
import { unknownFunctions } from '../jmespath/jmespath';
import { LONGEST_QUERY, parseQuery } from '../jmespath/query';
import { reasonOf } from '../results/failures';
import { indeterminate, type LocatedRule, type Mistake, refused } from './mistake';

/** Names that are valid in every rule; `null` is a field that never exists. Upstream: enginecontext.ReservedKeys. */
const reserved = ['null', 'request', 'serviceAccountName', 'serviceAccountNamespace', 'images', 'image', 'target'];
const ofUsers = /(?<![\w.])(request\.(userInfo|roles|clusterRoles)|serviceAccountName|serviceAccountNamespace)\b/;
const nested = /\{\{[^{}]*\{\{/;

/** A text of a rule with its path. */
interface LocatedText {
  readonly text: string;
  readonly at: FieldPath;
  readonly isInLoop: boolean;
}

/** Upstream: hasInvalidVariables, containsUserVariables, ValidateElementInForEach. */
export function* wrongVariables({ policy, rule, at }: LocatedRule): Iterable<Mistake> {
  const scope: RuleScope = {
    names: new Set([...reserved, ...contextNames(rule)]),
    isInBackground: policy.spec.background !== false && rule.validate !== undefined,
  };
  for (const location of textsOf(rule, at)) {
    for (const variable of variablesIn(location.text)) {
      // Nested variables make a complete expression only when they are resolved.
      if (nested.test(variable)) continue;
      const expression = variable.slice(2, -2).trim().replace(/^-/, '').trim();
      yield* wrongExpression(expression, location, scope);
    }
  }
}

/** What the expressions of one rule may use. */
interface RuleScope {
  /** Names with which a variable may begin. */
  readonly names: ReadonlySet<string>;
  readonly isInBackground: boolean;
}

function* wrongExpression(
  expression: string,
  location: LocatedText,
  { names, isInBackground }: RuleScope,
): Iterable<Mistake> {
  if (expression === '@' || expression.includes('{{') || expression.length > LONGEST_QUERY) return;
  const syntax = syntaxError(expression);
  if (syntax !== undefined) {
    yield refused(location.at, syntax);
    return;
  }
  const [foreign] = unknownFunctions(expression);
  if (foreign !== undefined) yield refused(location.at, `Kyverno has no JMESPath function ${foreign}.`);
  if (isInBackground && ofUsers.test(expression)) {
    yield refused(
      location.at,
      `Variable {{ ${expression} }} is about who asks, which a background scan does not know; set \`spec.background: false\`.`,
    );
  }
  for (const root of rootsOf(expression)) {
    if (/^element(Index)?\d*$/.test(root)) {
      if (!location.isInLoop) yield refused(location.at, `Variable ${root} is present outside of foreach.`);
    } else if (root !== '' && !names.has(root)) {
      yield refused(
        location.at,
        `Variable {{ ${expression} }} must match the predefined variables or an entry of \`context\`; \`${root}\` is neither.`,
      );
    }
  }
}

function syntaxError(expression: string): string | undefined {
  try {
    parseQuery(expression);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The root names of an expression's outermost paths. */
function rootsOf(expression: string): readonly string[] {
  const roots: string[] = [];
  type Node = ReturnType<typeof parseQuery>;
  const walk = (node: Node): void => {
    switch (node.type) {
      case 'Field':
        roots.push(node.name);
        return;
      case 'Subexpression':
      case 'IndexExpression':
      case 'Pipe':
      case 'Projection':
      case 'ValueProjection':
      case 'FilterProjection':
        walk(node.left as Node);
        return;
      default:
        for (const child of childrenOf(node)) walk(child as Node);
    }
  };
  walk(parseQuery(expression));
  return [...new Set(roots)];
}

function childrenOf(node: ReturnType<typeof parseQuery>): readonly unknown[] {
  switch (node.type) {
    case 'Comparator':
    case 'OrExpression':
    case 'AndExpression':
      return [node.left, node.right];
    case 'NotExpression':
    case 'Flatten':
      return [node.child];
    case 'Function':
    case 'MultiSelectList':
      // An expression reference is evaluated on elements, not on the context.
      return node.children.filter(it => it.type !== 'ExpressionReference');
    case 'MultiSelectHash':
      return node.children.map(it => it.value);
    default:
      return [];
  }
}

/** Names of context entries, those of loops included; a dot starts a path inside an entry. */
function contextNames(value: JsonValue): readonly string[] {
  if (isList(value)) return value.flatMap(contextNames);
  if (!isMap(value)) return [];
  const own = isList(value.context) ? records(value, 'context').map(it => text(it, 'name').split('.')[0] ?? '') : [];
  return [...own, ...Object.values(value).flatMap(contextNames)];
}

/** Fields of a rule that hold no variables. */
const withoutVariables = new Set(['name', 'match', 'exclude', 'cel', 'celPreconditions']);

/** Conditions on the fields of a signed statement, whose names only its registry knows. */
const ofStatements = /\.verifyImages\[\d+\]\.(attestations\[\d+\]\.conditions|validate\.deny)$/;

function* textsOf(value: JsonValue, at: FieldPath): Iterable<LocatedText> {
  if (typeof value === 'string') yield { text: value, at, isInLoop: at.segments.includes('foreach') };
  else if (isList(value)) for (const [i, it] of value.entries()) yield* textsOf(it, at.index(i));
  else if (isMap(value)) {
    for (const [key, it] of Object.entries(value)) {
      if (withoutVariables.has(key) && at.segments.length <= 4) continue;
      if (ofStatements.test(at.child(key).toString())) continue;
      yield* textsOf(it, at.child(key));
    }
  }
}

/** Upstream: validateRuleContext. */
export function* wrongContext({ rule, at }: LocatedRule): Iterable<Mistake> {
  for (const { block, location } of contextBlocks(rule, at)) {
    for (const [i, entry] of records(block, 'context').entries()) {
      yield* wrongEntry(entry, location.child('context').index(i));
    }
  }
}

const entryKinds = ['configMap', 'apiCall', 'imageRegistry', 'variable', 'globalReference'];

function* wrongEntry(entry: JsonObject, at: FieldPath): Iterable<Mistake> {
  const name = text(entry, 'name');
  if (name === '') yield refused(at, 'An entry of `context` needs a name.');
  const conflict = [...reserved.filter(it => it !== 'image' && it !== 'target'), 'element', 'elementIndex'].find(
    it => name === it || name.startsWith(`${it}.`),
  );
  if (conflict !== undefined)
    yield refused(at.child('name'), `The name ${name} conflicts with the predefined variable ${conflict}.`);
  const kinds = entryKinds.filter(it => entry[it] !== undefined);
  if (kinds.length !== 1) yield refused(at, `An entry of \`context\` needs exactly one of ${entryKinds.join(', ')}.`);
  const [kind = ''] = kinds;
  for (const field of ['jmesPath']) {
    const path = text(record(entry, kind), field);
    const isLooked = path !== '' && !path.includes('{{') && path.length <= LONGEST_QUERY;
    const syntax = isLooked ? syntaxError(path) : undefined;
    if (syntax !== undefined) yield refused(at.child(kind, field), `failed to parse JMESPath: ${syntax}`);
  }
  if (['apiCall', 'imageRegistry', 'globalReference'].includes(kind)) {
    yield indeterminate(
      at.child(kind),
      `What this asks for is known only in a cluster, unless the workspace holds it; a rule that needs \`${name}\` is not decided here then.`,
    );
  }
}

function* contextBlocks(
  value: JsonValue,
  at: FieldPath,
): Iterable<{ readonly block: JsonObject; readonly location: FieldPath }> {
  if (isList(value)) {
    for (const [i, it] of value.entries()) yield* contextBlocks(it, at.index(i));
  } else if (isMap(value)) {
    if (isList(value.context)) yield { block: value, location: at };
    for (const key of ['validate', 'mutate', 'foreach'])
      if (value[key] !== undefined) yield* contextBlocks(value[key], at.child(key));
  }
}

/** Upstream: validateConditions. */
export function* wrongConditions({ rule, at }: LocatedRule): Iterable<Mistake> {
  for (const { condition, location } of conditionsIn(rule, at, [])) {
    if (!isMap(condition)) continue;
    const operator = text(condition, 'operator');
    if (condition.key === undefined || operator === '')
      yield refused(location, 'A condition needs `key`, `operator` and `value`.');
    else if (!conditionOperatorNames.includes(operator)) {
      yield refused(
        location.child('operator'),
        `There is no operator ${operator}; there are ${conditionOperatorNames.join(', ')}.`,
      );
    }
  }
}

function* conditionsIn(
  value: JsonValue,
  at: FieldPath,
  keys: readonly Segment[],
): Iterable<{ readonly condition: JsonValue; readonly location: FieldPath }> {
  if (isList(value)) {
    const isConditions = keys.some(it => it === 'preconditions' || it === 'conditions') && !keys.includes('pattern');
    for (const [i, it] of value.entries()) {
      if (isConditions) yield { condition: it, location: at.index(i) };
      else yield* conditionsIn(it, at.index(i), keys);
    }
    return;
  }
  if (!isMap(value)) return;
  for (const [key, it] of Object.entries(value)) {
    if (
      [
        'pattern',
        'anyPattern',
        'cel',
        'verifyImages',
        'data',
        'generate',
        'patchStrategicMerge',
        'match',
        'exclude',
      ].includes(key)
    )
      continue;
    yield* conditionsIn(it, at.child(key), [...keys, key]);
  }
}
