import { lazy } from '../../base/lazy';
import { type Call, callOf, walkNodes } from './ast';
import { equal } from './collections';
import { expressionCost } from './cost';
import type { DeclType } from './declType';
import { checkExpression, kubernetesEnvironment, located } from './environment';
import type { CelEnvironment, CelNode, CelType } from './library';

/** What the server finds out about an expression of a schema when the schema is written. */
export type SchemaExpression =
  | {
      /** CEL's name of the result's type. */
      readonly type: string;
      /** Upstream's worst case for one evaluation, in its own units. */
      readonly maxCost: number;
      readonly usesOldSelf: boolean;
    }
  | { readonly problem: string }
  | { readonly undecided: string };

/**
 * Checks the expressions of one schema, all of which are in `texts`: an environment is made once for all of them.
 * `oldSelf`: whether the variable has the type of `self` or is optional.
 */
export type SchemaExpressions = (
  self: DeclType,
  texts: readonly string[],
) => (text: string, oldSelf: 'same' | 'optional') => SchemaExpression;

/** The maximum size of what is kept, in characters: a large definition has ten thousand rules of some hundred each. */
const MOST_KEPT = 16_000_000;
/** What an answer takes beside its texts. */
const KEPT_BASE = 300;

/** The answers by key. The oldest ones are dropped when all together are larger than `MOST_KEPT`. */
function answersKept(): {
  get(key: string): SchemaExpression | undefined;
  add(key: string, it: SchemaExpression): void;
} {
  const kept = new Map<string, SchemaExpression>();
  let size = 0;
  return {
    get: key => kept.get(key),
    add(key, it) {
      kept.set(key, it);
      size += sizeKept(key, it);
      for (const [oldKey, old] of kept) {
        if (size <= MOST_KEPT) return;
        kept.delete(oldKey);
        size -= sizeKept(oldKey, old);
      }
    },
  };
}

const sizeKept = (key: string, it: SchemaExpression): number =>
  KEPT_BASE + key.length + ('problem' in it ? it.problem.length : 0);

/**
 * Checks expressions over `self` and `oldSelf`. An expression is checked once for all schemas that declare what it
 * names alike. Upstream: schema/cel.Compile.
 */
export function schemaExpressions(): SchemaExpressions {
  const base = lazy(() => kubernetesEnvironment('has none'));
  const kept = answersKept();
  return (self, texts) => {
    const whole = lazy(() => narrowed(self, new Set(texts.flatMap(namesIn))).type);
    const environments = {
      same: lazy(() => environmentOf(whole(), 'same', base())),
      optional: lazy(() => environmentOf(whole(), 'optional', base())),
    };
    return (text, oldSelf) => {
      const key = `${oldSelf} ${narrowed(self, new Set(namesIn(text))).key} ${text}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = checked(text, self, environments[oldSelf]());
      kept.add(key, made);
      return made;
    };
  };
}

const namesIn = (text: string): readonly string[] => text.match(/[A-Za-z_]\w*/g) ?? [];

interface Narrowed {
  readonly type: DeclType;
  /** Equal for equal types. */
  readonly key: string;
}

/** The type without the fields that an expression does not name. */
function narrowed(type: DeclType, names: ReadonlySet<string>): Narrowed {
  if (type.elem !== undefined) {
    const elem = narrowed(type.elem, names);
    return { type: { ...type, elem: elem.type }, key: `${type.name}:${type.maxElements}<${elem.key}>` };
  }
  if (type.fields === undefined) return { type, key: `${type.name}:${type.maxElements}` };
  const fields = new Map<string, DeclType>();
  const keys: string[] = [];
  for (const name of names) {
    const field = type.fields.get(name);
    if (field === undefined) continue;
    const inner = narrowed(field, names);
    fields.set(name, inner.type);
    keys.push(`${name}=${inner.key}`);
  }
  return { type: { ...type, fields }, key: `{${keys.sort().join(',')}}` };
}

function environmentOf(self: DeclType, oldSelf: 'same' | 'optional', base: CelEnvironment): CelEnvironment {
  const environment = base.clone();
  const type = declared(self, environment, { objects: 0 });
  environment.registerVariable('self', type);
  return environment.registerVariable('oldSelf', oldSelf === 'optional' ? `optional<${type}>` : type);
}

function checked(text: string, self: DeclType, environment: CelEnvironment): SchemaExpression {
  const result = checkExpression(environment, text);
  if ('undecided' in result && isRefused(result.undecided)) return { problem: located(text, 0, result.undecided) };
  if (!('root' in result)) return result;
  const problem = wrongNode(result.root, self, text);
  if (problem !== undefined) return { problem };
  return {
    type: result.type.name,
    maxCost: expressionCost(result.root, path => sizeAt(self, path)),
    usesOldSelf: [...walkNodes(result.root)].some(it => it.op === 'id' && it.args === 'oldSelf'),
  };
}

/** Calls with types that upstream has no overload for either. */
const isRefused = (text: string): boolean => REFUSED.some(it => it.test(text));
const REFUSED: readonly RegExp[] = [
  /^found no matching overload for 'list(?:<.*>)?\.(?:sum|min|max|isSorted|indexOf|lastIndexOf)\(/,
  /^found no matching overload for '(?:string\((?:list|map|object)|CelNamespace\.bind\()/,
  /^no such overload: (?!optional|dyn)\S+ (?:==|!=) optional</,
];

const ORDERED = ['sum', 'min', 'max', 'isSorted', 'sort'];
const COMPARABLE: ReadonlySet<string> = new Set([
  ...['int', 'uint', 'double', 'bool', 'string', 'bytes', 'dyn'],
  ...['google.protobuf.Duration', 'google.protobuf.Timestamp'],
]);

const LOOPS: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

/** Whether a function of lists has an overload for a list and its argument. */
function accepts({ name, args }: Call, { valueType }: CelType): boolean {
  const item = valueType?.name ?? 'dyn';
  if (ORDERED.includes(name)) return COMPARABLE.has(item);
  const wanted = args[0]?.checkedType;
  if ((name !== 'indexOf' && name !== 'lastIndexOf') || wanted === undefined) return true;
  return item === 'dyn' || wanted.kind === 'dyn' || wanted.name === item;
}

/** What the evaluator's checker lets pass: loops over objects, and optional fields that an object does not have. */
function wrongNode(root: CelNode, self: DeclType, text: string): string | undefined {
  for (const node of walkNodes(root)) {
    const call = callOf(node);
    const range = call?.target?.checkedType;
    // Upstream has no bindings in schemas; the evaluator always has.
    if (call?.name === 'cel.bind') return located(text, node.start, "undeclared reference to 'cel' (in container '')");
    if (call !== undefined && LOOPS.has(call.name) && call.args[0]?.op === 'id' && range?.kind === 'message') {
      const what = `expression of type '${range.name}' cannot be range of a comprehension (must be list, map, or dynamic)`;
      return located(text, call.target?.start ?? 0, what);
    }
    if (call !== undefined && range?.kind === 'list' && !accepts(call, range)) {
      return located(text, node.start, `found no matching overload for '${call.name}' applied to '${range.name}'`);
    }
    if (node.op !== '.?') continue;
    const [operand, field] = node.args as readonly [CelNode, string];
    const type = operand.op === 'id' && operand.args === 'self' ? self : undefined;
    if (type?.fields !== undefined && !type.fields.has(field)) {
      return located(text, node.start, `undefined field '${field}'`);
    }
  }
  return undefined;
}

const NAMES: Readonly<Record<Exclude<DeclType['name'], 'list' | 'map' | 'object'>, string>> = {
  dyn: 'dyn',
  bytes: 'bytes',
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
  string: 'string',
  bool: 'bool',
  int: 'int',
  double: 'double',
};

/** The name of a type in an environment, in which its objects are declared. `counted` numbers them. */
function declared(type: DeclType, environment: CelEnvironment, counted: { objects: number }): string {
  const { name, elem, fields = new Map<string, DeclType>() } = type;
  if (name === 'list' || name === 'map') {
    const of = elem === undefined ? 'dyn' : declared(elem, environment, counted);
    return name === 'list' ? `list<${of}>` : `map<string, ${of}>`;
  }
  if (name !== 'object') return NAMES[name];
  counted.objects += 1;
  // Names are used again in every environment: the library keeps each one.
  const object = `object${counted.objects}`;
  const types = [...fields].map(([field, it]): [string, string] => [field, declared(it, environment, counted)]);
  environment.registerType(object, { fields: Object.fromEntries(types) });
  environment.registerOperator(`${object} == ${object}`, equal);
  return object;
}

/** The largest size of the value at a path from a variable of a type. Upstream: sizeEstimator.EstimateSize. */
function sizeAt(root: DeclType, path: readonly string[]): number | undefined {
  let type: DeclType | undefined = root;
  for (const step of path.slice(1)) {
    if (step === '@items' || step === '@values') type = type.elem;
    else if (step === '@keys') type = type.name === 'map' ? KEY : undefined;
    else type = type.fields?.get(step);
    if (type === undefined) return undefined;
  }
  return type.maxElements;
}

/** The keys of maps: their length is not bounded, and so counts as 0. */
const KEY: DeclType = { name: 'string', maxElements: 0, minSize: 2 };
