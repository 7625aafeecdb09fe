import { lazy } from '../../base/lazy';
import type { Declarations } from './checker/check';
import { compileExpression } from './checker/compile';
import { expressionCost } from './checker/cost';
import { type ExpressionBase, expressionBase, isProtobuf, standardTypeOfName } from './checker/environment';
import type { Macros } from './checker/macros';
import { type Expr, nodesIn } from './checker/nodes';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  INT,
  listOf,
  mapOf,
  optionalOf,
  parseType,
  STRING,
  structType,
  type Type,
} from './checker/types';
import { type DeclType, fieldNamed } from './declType';
import { type Programmed, programOf } from './eval/program';

/** What the server finds out about an expression of a schema when the schema is written. `type` is CEL's name. */
export type SchemaExpression =
  | {
      readonly type: string;
      /** Upstream's worst case for one evaluation, in its own units. */
      readonly maxCost: number;
      readonly usesOldSelf: boolean;
      /** Why no program can be made of it: a constant that cannot be converted, or a pattern. */
      readonly instantiation?: string;
    }
  | { readonly problem: string }
  | { readonly undecided: string };

/** Checks the expressions of one schema. `oldSelf`: whether the variable has the type of `self` or is optional. */
export type SchemaExpressions = (self: DeclType) => (text: string, oldSelf: 'same' | 'optional') => SchemaExpression;

/** An expression of a schema as the server runs it. A problem of `program` is that of one that compiles. */
export type StoredExpression =
  | {
      readonly type: string;
      readonly usesOldSelf: boolean;
      program(): Programmed;
    }
  | { readonly problem: string }
  | { readonly undecided: string };

export type StoredExpressions = (self: DeclType) => (text: string, oldSelf: 'same' | 'optional') => StoredExpression;

/** The maximum size of what is kept, in characters: a large definition has ten thousand rules of some hundred each. */
const MOST_KEPT = 16_000_000;
/** What an answer takes beside its texts. */
const KEPT_BASE = 300;
/** What the tree of an expression takes, for each of its characters. */
const KEPT_OF_TREE = 40;

/** The answers by key. The oldest ones are dropped when all together are larger than `MOST_KEPT`. */
function answersKept<T extends object>(): {
  get(key: string): T | undefined;
  add(key: string, it: T): void;
} {
  const kept = new Map<string, T>();
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

function sizeKept(key: string, it: object): number {
  const problem = 'problem' in it && typeof it.problem === 'string' ? it.problem.length : 0;
  return KEPT_BASE + key.length * ('program' in it ? KEPT_OF_TREE : 1) + problem;
}

/**
 * Checks expressions over `self` and `oldSelf`. An expression is checked once for all schemas that declare what it
 * names alike. Upstream: schema/cel.Compile.
 */
export const schemaExpressions = (minor: string): SchemaExpressions =>
  expressionsOf(expressionBase(minor, 'new'), checked);

/** The same for expressions that the server has, which may use what the minor itself brings. */
export const storedExpressions = (minor: string): StoredExpressions =>
  expressionsOf(expressionBase(minor, 'stored'), stored);

type Answer<T> = (text: string, self: DeclType, environment: Environment) => T;

function expressionsOf<T extends object>(
  base: ExpressionBase,
  answer: Answer<T>,
): (self: DeclType) => (text: string, oldSelf: 'same' | 'optional') => T {
  const kept = answersKept<T>();
  return self => {
    const environments = {
      same: lazy(() => environmentOf(self, 'same', base)),
      optional: lazy(() => environmentOf(self, 'optional', base)),
    };
    return (text, oldSelf) => {
      const key = `${oldSelf} ${narrowedKey(self, new Set(namesIn(text)))} ${text}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = answer(text, self, environments[oldSelf]());
      kept.add(key, made);
      return made;
    };
  };
}

const namesIn = (text: string): readonly string[] => text.match(/[A-Za-z_]\w*/g) ?? [];

/** What an expression sees of a type: equal for types that differ in fields that it does not name. */
function narrowedKey(type: DeclType, names: ReadonlySet<string>): string {
  const own = `${type.name}:${type.maxElements}`;
  if (type.elem !== undefined) return `${own}<${narrowedKey(type.elem, names)}>`;
  if (type.fields === undefined) return own;
  const keys: string[] = [];
  for (const name of names) {
    const field = fieldNamed(type.fields, name, true);
    if (field !== undefined) keys.push(`${name}=${narrowedKey(field, names)}`);
  }
  return `{${keys.sort().join(',')}}`;
}

/** Upstream: schema/cel.compileRule. */
function checked(text: string, self: DeclType, { macros, declarations }: Environment): SchemaExpression {
  const result = compileExpression(text, macros, declarations);
  if (!('root' in result)) return result;
  const program = hasConstantCall(result.root) ? programOf(result.root, result.checked) : undefined;
  return {
    type: result.type.name,
    ...(program !== undefined && 'problem' in program && { instantiation: program.problem }),
    maxCost: expressionCost(result.root, result.checked, path => sizeAt(self, path)),
    usesOldSelf: namesOldSelf(result.root),
  };
}

function stored(text: string, _: DeclType, { macros, declarations }: Environment): StoredExpression {
  const result = compileExpression(text, macros, declarations);
  if (!('root' in result)) return result;
  const { type, root, checked } = result;
  return { type: type.name, usesOldSelf: namesOldSelf(root), program: lazy(() => programOf(root, checked)) };
}

const READERS: ReadonlySet<string> = new Set(
  'bool bytes double duration int string timestamp uint find findAll'.split(' '),
);

/** Whether a function reads a constant when the program is made. */
const hasConstantCall = (root: Expr): boolean =>
  [...nodesIn(root)].some(it => it.kind === 'call' && READERS.has(it.name) && it.args[0]?.kind === 'literal');

const namesOldSelf = (root: Expr): boolean =>
  [...nodesIn(root)].some(it => it.kind === 'ident' && it.name === 'oldSelf');

interface Environment {
  readonly macros: Macros;
  readonly declarations: Declarations;
}

/** The name of the type of `self`. Upstream adds a random number. */
const SELF_TYPE = 'selfType';

/** Upstream: prepareEnvSet. Types of objects are named by their path and declared when they are met. */
function environmentOf(self: DeclType, oldSelf: 'same' | 'optional', base: ExpressionBase): Environment {
  const objects = new Map<string, DeclType>();
  const declared = (type: DeclType, name: string): Type => {
    if (type.name === 'list') return listOf(type.elem === undefined ? DYN : declared(type.elem, `${name}.@idx`));
    if (type.name === 'map') return mapOf(STRING, type.elem === undefined ? DYN : declared(type.elem, `${name}.@elem`));
    if (type.name !== 'object') return NAMES[type.name];
    objects.set(name, type);
    return structType(name);
  };
  const type = declared(self, SELF_TYPE);
  const variables = new Map([
    ['self', type],
    ['oldSelf', oldSelf === 'optional' ? optionalOf(type) : type],
  ]);
  return {
    macros: base.macros,
    declarations: {
      functions: base.functions('any'),
      typeOfName: name => variables.get(name) ?? standardTypeOfName(name),
      message: name => (objects.has(name) || isProtobuf(name) ? structType(name) : undefined),
      field(of, field) {
        if (isProtobuf(of)) return DYN;
        const { fields } = objects.get(of) ?? {};
        const found = fields && fieldNamed(fields, field, base.recognizesKeywords);
        return found && declared(found, `${of}.${field}`);
      },
    },
  };
}

const NAMES: Readonly<Record<Exclude<DeclType['name'], 'list' | 'map' | 'object'>, Type>> = {
  dyn: DYN,
  bytes: BYTES,
  duration: parseType('google.protobuf.Duration'),
  timestamp: parseType('google.protobuf.Timestamp'),
  string: STRING,
  bool: BOOL,
  int: INT,
  double: DOUBLE,
};

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
