import type { FunctionTable, Overload } from './declarations';
import type { Comprehension, Expr, ExprOf, Issue } from './nodes';
import { type CheckerScope, local, plain, qualifiedName } from './scope';
import {
  BOOL,
  DYN,
  ERROR,
  INT,
  isDynOrError,
  isOptional,
  isSame,
  listOf,
  mapOf,
  optionalOf,
  type Type,
  typeInError,
} from './types';
import { moreGeneral, type Substitutions, substitutions, TooLong } from './unify';

/** What an expression may name. */
export interface Declarations {
  readonly functions: FunctionTable;
  /** The type of a variable or of the name of a type; names may be qualified. */
  typeOfName(name: string): Type | undefined;
  /** The type of a message by its name; undefined if there is none. */
  message(name: string): Type | undefined;
  /** The type of a field of a message; undefined if it has no such field. */
  field(message: string, field: string): Type | undefined;
}

/** A checked expression: its type, that of each of its parts, and the errors, in no order. */
export interface Checked {
  readonly type: Type;
  readonly issues: readonly Issue[];
  typeAt(node: Expr): Type;
  /** What a call may run; undefined for `&&`, `||` and calls with errors. */
  callAt(node: Expr): ResolvedCall | undefined;
  /** The qualified name that a selection is; undefined for one of a field. */
  nameAt(node: Expr): string | undefined;
}

/** The function of a call, its name qualified, and the overloads that its arguments fit. */
export interface ResolvedCall {
  readonly name: string;
  readonly style: Overload['style'];
  readonly overloads: readonly Overload[];
}

/** The maximum number of steps of one check, some tenths of a second. */
const MOST_STEPS = 1_000_000;

/** A check under way. */
interface Checking {
  readonly declarations: Declarations;
  readonly types: Substitutions;
  readonly spend: () => void;
  readonly known: Map<Expr, Type>;
  readonly calls: Map<Expr, ResolvedCall>;
  readonly names: Map<Expr, string>;
  readonly issues: Issue[];
}

/** Checks the types of an expression. Throws TooLong. Upstream: github.com/google/cel-go/checker.Check. */
export function checkTypes(root: Expr, declarations: Declarations): Checked {
  const steps = { left: MOST_STEPS };
  const spend = () => {
    if (--steps.left < 0) throw new TooLong();
  };
  const checking: Checking = {
    declarations,
    types: substitutions(spend),
    spend,
    known: new Map(),
    calls: new Map(),
    names: new Map(),
    issues: [],
  };
  check(checking, root, undefined);
  const typeAt = (node: Expr) => checking.types.resolve(checking.known.get(node) ?? DYN, 'dyn');
  return {
    type: typeAt(root),
    issues: checking.issues,
    typeAt,
    callAt: node => checking.calls.get(node),
    nameAt: node => checking.names.get(node),
  };
}

function report(checking: Checking, at: number, text: string): Type {
  checking.issues.push({ at, text });
  return ERROR;
}

function mismatch(checking: Checking, at: number, expected: Type, actual: Type): Type {
  return report(checking, at, `expected type '${typeInError(expected)}' but found '${typeInError(actual)}'`);
}

function undeclared(checking: Checking, at: number, name: string): Type {
  return report(checking, at, `undeclared reference to '${name}' (in container '')`);
}

/** A node that a macro uses twice is checked once. */
function check(checking: Checking, node: Expr, scope: CheckerScope | undefined): Type {
  const found = checking.known.get(node);
  if (found !== undefined) return found;
  checking.spend();
  const type = typeOfNode(checking, node, scope);
  checking.known.set(node, type);
  return type;
}

function typeOfNode(checking: Checking, node: Expr, scope: CheckerScope | undefined): Type {
  switch (node.kind) {
    case 'literal':
      return node.type;
    case 'ident':
      return named(checking, node.name, scope) ?? undeclared(checking, node.at, node.name);
    case 'select':
      return selection(checking, node, scope);
    case 'call':
      return called(checking, node, scope);
    case 'list':
      return list(checking, node, scope);
    case 'map':
      return map(checking, node, scope);
    case 'struct':
      return struct(checking, node, scope);
    default:
      return comprehension(checking, node, scope);
  }
}

function named(checking: Checking, name: string, scope: CheckerScope | undefined): Type | undefined {
  if (name.startsWith('.')) return checking.declarations.typeOfName(name.slice(1));
  return local(name, scope) ?? checking.declarations.typeOfName(name);
}

function selection(checking: Checking, node: ExprOf<'select'>, scope: CheckerScope | undefined): Type {
  const qualified = node.use === 'value' ? qualifiedName(node) : undefined;
  if (qualified !== undefined && local(qualified.slice(0, qualified.indexOf('.')), scope) === undefined) {
    const type = checking.declarations.typeOfName(qualified);
    if (type !== undefined) {
      checking.names.set(node, qualified);
      return type;
    }
  }
  const type = fieldType(checking, node, checking.types.resolve(check(checking, node.operand, scope), 'kept'));
  return node.use === 'test' ? BOOL : checking.types.resolve(type, 'kept');
}

/** Upstream: checkSelectField. */
function fieldType(checking: Checking, { field, use, at }: ExprOf<'select'>, operand: Type): Type {
  const target = isOptional(operand) ? operand.params[0]! : operand;
  const type = typeInTarget(checking, target, field, at);
  return isOptional(operand) || use === 'optional' ? optionalOf(type) : type;
}

function typeInTarget(checking: Checking, target: Type, field: string, at: number): Type {
  if (target.kind === 'map') return target.params[1]!;
  if (target.kind === 'struct') {
    return checking.declarations.field(target.name, field) ?? report(checking, at, `undefined field '${field}'`);
  }
  if (target.kind === 'param') checking.types.isAssignable(DYN, target);
  else if (!isDynOrError(target))
    report(checking, at, `type '${typeInError(target)}' does not support field selection`);
  return DYN;
}

function called(checking: Checking, node: ExprOf<'call'>, scope: CheckerScope | undefined): Type {
  const { name, target, args, at } = node;
  const argTypes = args.map(it => check(checking, it, scope));
  if (name === '_&&_' || name === '_||_') return logical(checking, args, argTypes);
  const prefix = target === undefined ? undefined : qualifiedName(target);
  const spaced = prefix === undefined ? undefined : checking.declarations.functions.get(`${plain(prefix)}.${name}`);
  if (spaced !== undefined) return overloaded(checking, node, `${plain(prefix)}.${name}`, spaced, 'function', argTypes);
  const targetType = target === undefined ? undefined : check(checking, target, scope);
  const overloads = checking.declarations.functions.get(plain(name));
  if (overloads === undefined) return undeclared(checking, at, name);
  return targetType === undefined
    ? overloaded(checking, node, plain(name), overloads, 'function', argTypes)
    : overloaded(checking, node, name, overloads, 'method', [targetType, ...argTypes]);
}

function logical(checking: Checking, args: readonly Expr[], argTypes: readonly Type[]): Type {
  const wrong = args.filter((_, i) => !checking.types.isAssignable(argTypes[i]!, BOOL));
  for (const it of wrong)
    mismatch(checking, it.at, BOOL, checking.types.resolve(check(checking, it, undefined), 'kept'));
  return wrong.length > 0 ? ERROR : BOOL;
}

/** Upstream: resolveOverload. */
function overloaded(
  checking: Checking,
  node: ExprOf<'call'>,
  name: string,
  overloads: readonly Overload[],
  style: Overload['style'],
  args: readonly Type[],
): Type {
  let result: Type | undefined;
  const fitting: Overload[] = [];
  for (const overload of overloads) {
    checking.spend();
    if (overload.style !== style || overload.args.length !== args.length) continue;
    const instance = instanceOf(checking, overload);
    if (!checking.types.areAssignable(args, instance.args)) continue;
    fitting.push(overload);
    const type = checking.types.resolve(instance.result, 'kept');
    if (result === undefined) result = type;
    else if (result.kind !== 'dyn' && !isSame(type, result)) result = DYN;
  }
  if (result !== undefined) {
    checking.calls.set(node, { name, style, overloads: fitting });
    return result;
  }
  const shown = args.map(it => typeInError(checking.types.resolve(it, 'dyn')));
  const signature = style === 'method' ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
  return report(checking, node.at, `found no matching overload for '${name}' applied to '${signature}'`);
}

/** The overload with type parameters of its own. */
function instanceOf(checking: Checking, { args, result, params }: Overload): Pick<Overload, 'args' | 'result'> {
  if (params.length === 0) return { args, result };
  const fresh = new Map(params.map(it => [it, checking.types.fresh()]));
  const replaced = (type: Type): Type => {
    if (type.kind === 'param') return fresh.get(type.name) ?? type;
    return type.isOpen ? { ...type, params: type.params.map(replaced) } : type;
  };
  return { args: args.map(replaced), result: replaced(result) };
}

/** The type of an optional element's value. */
function unwrapped(checking: Checking, node: Expr, type: Type, isOptionalEntry: boolean): Type {
  if (!isOptionalEntry) return type;
  const value = checking.types.resolve(type, 'kept');
  if (isOptional(value)) return value.params[0]!;
  if (!isDynOrError(value)) mismatch(checking, node.at, optionalOf(value), value);
  return value;
}

/** The type of elements of two types; that they differ is an error of its own, of literals. */
function joined(checking: Checking, before: Type | undefined, type: Type): Type {
  if (before === undefined) return type;
  return checking.types.isAssignable(before, type) ? moreGeneral(before, type) : DYN;
}

function list(checking: Checking, { items }: ExprOf<'list'>, scope: CheckerScope | undefined): Type {
  let item: Type | undefined;
  for (const { value, isOptional: isOptionalItem } of items) {
    item = joined(checking, item, unwrapped(checking, value, check(checking, value, scope), isOptionalItem));
  }
  return listOf(item ?? checking.types.fresh());
}

function map(checking: Checking, { entries }: ExprOf<'map'>, scope: CheckerScope | undefined): Type {
  let keys: Type | undefined;
  let values: Type | undefined;
  for (const { key, value, isOptional: isOptionalEntry } of entries) {
    keys = joined(checking, keys, check(checking, key, scope));
    values = joined(checking, values, unwrapped(checking, value, check(checking, value, scope), isOptionalEntry));
  }
  return mapOf(keys ?? checking.types.fresh(), values ?? checking.types.fresh());
}

function struct(checking: Checking, { name, fields, at }: ExprOf<'struct'>, scope: CheckerScope | undefined): Type {
  const message = checking.declarations.message(plain(name));
  if (message === undefined) return undeclared(checking, at, name);
  for (const field of fields) {
    const given = unwrapped(checking, field.value, check(checking, field.value, scope), field.isOptional);
    const type =
      checking.declarations.field(message.name, field.name) ??
      report(checking, field.at, `undefined field '${field.name}'`);
    if (checking.types.isAssignable(type, given)) continue;
    const [wanted, found] = [typeInError(type), typeInError(checking.types.resolve(given, 'kept'))];
    report(checking, field.at, `expected type of field '${field.name}' is '${wanted}' but provided type is '${found}'`);
  }
  return message;
}

function comprehension(checking: Checking, node: Comprehension, scope: CheckerScope | undefined): Type {
  const range = checking.types.resolve(check(checking, node.range, scope), 'kept');
  const accumulated = check(checking, node.init, scope);
  const outer: CheckerScope = { names: new Map([[node.accumulator, accumulated]]), outer: scope };
  const inner: CheckerScope = { names: new Map(loopVariables(checking, node, range)), outer };
  asserted(checking, node.condition, BOOL, inner);
  asserted(checking, node.step, accumulated, inner);
  return checking.types.resolve(check(checking, node.result, outer), 'kept');
}

function asserted(checking: Checking, node: Expr, type: Type, scope: CheckerScope): void {
  const actual = check(checking, node, scope);
  if (checking.types.isAssignable(type, actual)) return;
  mismatch(checking, node.at, checking.types.resolve(type, 'kept'), checking.types.resolve(actual, 'kept'));
}

function loopVariables(
  checking: Checking,
  { variables, range: node }: Comprehension,
  range: Type,
): readonly (readonly [string, Type])[] {
  const [first = '', second] = variables;
  const [a, b] = loopTypes(checking, node.at, range, second === undefined ? 'one' : 'two');
  return second === undefined
    ? [[first, a]]
    : [
        [first, a],
        [second, b],
      ];
}

function loopTypes(checking: Checking, at: number, range: Type, count: 'one' | 'two'): readonly [Type, Type] {
  if (range.kind === 'list') return count === 'one' ? [range.params[0]!, DYN] : [INT, range.params[0]!];
  if (range.kind === 'map') return [range.params[0]!, range.params[1]!];
  if (isDynOrError(range) || range.kind === 'param') {
    checking.types.isAssignable(DYN, range);
    return [DYN, DYN];
  }
  report(
    checking,
    at,
    `expression of type '${typeInError(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
  );
  return [ERROR, ERROR];
}
