import type { FunctionTable, Overload } from './declarations';
import type { Comprehension, Expr, ExprOf, Issue } from './nodes';
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

/** The names of an inner scope. */
interface Scope {
  readonly names: ReadonlyMap<string, Type>;
  readonly outer: Scope | undefined;
}

/** Checks the types of an expression. Throws TooLong. Upstream: github.com/google/cel-go/checker.Check. */
export function checkTypes(root: Expr, declarations: Declarations): Checked {
  const steps = { left: MOST_STEPS };
  const spend = () => {
    if (--steps.left < 0) throw new TooLong();
  };
  const checker = checkerOf(declarations, substitutions(spend), spend);
  checker.check(root, undefined);
  return {
    type: checker.typeAt(root),
    issues: checker.issues,
    typeAt: checker.typeAt,
    callAt: checker.callAt,
    nameAt: checker.nameAt,
  };
}

function checkerOf(declarations: Declarations, types: Substitutions, spend: () => void) {
  const known = new Map<Expr, Type>();
  const calls = new Map<Expr, ResolvedCall>();
  const names = new Map<Expr, string>();
  const issues: Issue[] = [];

  const report = (at: number, text: string): Type => {
    issues.push({ at, text });
    return ERROR;
  };
  const mismatch = (at: number, expected: Type, actual: Type): Type =>
    report(at, `expected type '${typeInError(expected)}' but found '${typeInError(actual)}'`);
  const undeclared = (at: number, name: string): Type =>
    report(at, `undeclared reference to '${name}' (in container '')`);

  /** A node that a macro uses twice is checked once. */
  function check(node: Expr, scope: Scope | undefined): Type {
    const found = known.get(node);
    if (found !== undefined) return found;
    spend();
    const type = typeOfNode(node, scope);
    known.set(node, type);
    return type;
  }

  function typeOfNode(node: Expr, scope: Scope | undefined): Type {
    switch (node.kind) {
      case 'literal':
        return node.type;
      case 'ident':
        return named(node.name, scope) ?? undeclared(node.at, node.name);
      case 'select':
        return selection(node, scope);
      case 'call':
        return called(node, scope);
      case 'list':
        return list(node, scope);
      case 'map':
        return map(node, scope);
      case 'struct':
        return struct(node, scope);
      default:
        return comprehension(node, scope);
    }
  }

  function named(name: string, scope: Scope | undefined): Type | undefined {
    if (name.startsWith('.')) return declarations.typeOfName(name.slice(1));
    return local(name, scope) ?? declarations.typeOfName(name);
  }

  function selection(node: ExprOf<'select'>, scope: Scope | undefined): Type {
    const qualified = node.use === 'value' ? qualifiedName(node) : undefined;
    if (qualified !== undefined && local(qualified.slice(0, qualified.indexOf('.')), scope) === undefined) {
      const type = declarations.typeOfName(qualified);
      if (type !== undefined) {
        names.set(node, qualified);
        return type;
      }
    }
    const type = fieldType(node, types.resolve(check(node.operand, scope), 'kept'));
    return node.use === 'test' ? BOOL : types.resolve(type, 'kept');
  }

  /** Upstream: checkSelectField. */
  function fieldType({ field, use, at }: ExprOf<'select'>, operand: Type): Type {
    const target = isOptional(operand) ? operand.params[0]! : operand;
    const type = typeInTarget(target, field, at);
    return isOptional(operand) || use === 'optional' ? optionalOf(type) : type;
  }

  function typeInTarget(target: Type, field: string, at: number): Type {
    if (target.kind === 'map') return target.params[1]!;
    if (target.kind === 'struct') {
      return declarations.field(target.name, field) ?? report(at, `undefined field '${field}'`);
    }
    if (target.kind === 'param') types.isAssignable(DYN, target);
    else if (!isDynOrError(target)) report(at, `type '${typeInError(target)}' does not support field selection`);
    return DYN;
  }

  function called(node: ExprOf<'call'>, scope: Scope | undefined): Type {
    const { name, target, args, at } = node;
    const argTypes = args.map(it => check(it, scope));
    if (name === '_&&_' || name === '_||_') return logical(args, argTypes);
    const prefix = target === undefined ? undefined : qualifiedName(target);
    const spaced = prefix === undefined ? undefined : declarations.functions.get(`${plain(prefix)}.${name}`);
    if (spaced !== undefined) return overloaded(node, `${plain(prefix)}.${name}`, spaced, 'function', argTypes);
    const targetType = target === undefined ? undefined : check(target, scope);
    const overloads = declarations.functions.get(plain(name));
    if (overloads === undefined) return undeclared(at, name);
    return targetType === undefined
      ? overloaded(node, plain(name), overloads, 'function', argTypes)
      : overloaded(node, name, overloads, 'method', [targetType, ...argTypes]);
  }

  function logical(args: readonly Expr[], argTypes: readonly Type[]): Type {
    const wrong = args.filter((_, i) => !types.isAssignable(argTypes[i]!, BOOL));
    for (const it of wrong) mismatch(it.at, BOOL, types.resolve(check(it, undefined), 'kept'));
    return wrong.length > 0 ? ERROR : BOOL;
  }

  /** Upstream: resolveOverload. */
  function overloaded(
    node: ExprOf<'call'>,
    name: string,
    overloads: readonly Overload[],
    style: Overload['style'],
    args: readonly Type[],
  ): Type {
    let result: Type | undefined;
    const fitting: Overload[] = [];
    for (const overload of overloads) {
      spend();
      if (overload.style !== style || overload.args.length !== args.length) continue;
      const instance = instanceOf(overload);
      if (!types.areAssignable(args, instance.args)) continue;
      fitting.push(overload);
      const type = types.resolve(instance.result, 'kept');
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && !isSame(type, result)) result = DYN;
    }
    if (result !== undefined) {
      calls.set(node, { name, style, overloads: fitting });
      return result;
    }
    const shown = args.map(it => typeInError(types.resolve(it, 'dyn')));
    const signature = style === 'method' ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
    return report(node.at, `found no matching overload for '${name}' applied to '${signature}'`);
  }

  /** The overload with type parameters of its own. */
  function instanceOf({ args, result, params }: Overload): Pick<Overload, 'args' | 'result'> {
    if (params.length === 0) return { args, result };
    const fresh = new Map(params.map(it => [it, types.fresh()]));
    const replaced = (type: Type): Type => {
      if (type.kind === 'param') return fresh.get(type.name) ?? type;
      return type.isOpen ? { ...type, params: type.params.map(replaced) } : type;
    };
    return { args: args.map(replaced), result: replaced(result) };
  }

  /** The type of an optional element's value. */
  function unwrapped(node: Expr, type: Type, isOptionalEntry: boolean): Type {
    if (!isOptionalEntry) return type;
    const value = types.resolve(type, 'kept');
    if (isOptional(value)) return value.params[0]!;
    if (!isDynOrError(value)) mismatch(node.at, optionalOf(value), value);
    return value;
  }

  /** The type of elements of two types; that they differ is an error of its own, of literals. */
  function joined(before: Type | undefined, type: Type): Type {
    if (before === undefined) return type;
    return types.isAssignable(before, type) ? moreGeneral(before, type) : DYN;
  }

  function list({ items }: ExprOf<'list'>, scope: Scope | undefined): Type {
    let item: Type | undefined;
    for (const { value, isOptional: isOptionalItem } of items) {
      item = joined(item, unwrapped(value, check(value, scope), isOptionalItem));
    }
    return listOf(item ?? types.fresh());
  }

  function map({ entries }: ExprOf<'map'>, scope: Scope | undefined): Type {
    let keys: Type | undefined;
    let values: Type | undefined;
    for (const { key, value, isOptional: isOptionalEntry } of entries) {
      keys = joined(keys, check(key, scope));
      values = joined(values, unwrapped(value, check(value, scope), isOptionalEntry));
    }
    return mapOf(keys ?? types.fresh(), values ?? types.fresh());
  }

  function struct({ name, fields, at }: ExprOf<'struct'>, scope: Scope | undefined): Type {
    const message = declarations.message(plain(name));
    if (message === undefined) return undeclared(at, name);
    for (const field of fields) {
      const given = unwrapped(field.value, check(field.value, scope), field.isOptional);
      const type = declarations.field(message.name, field.name) ?? report(field.at, `undefined field '${field.name}'`);
      if (types.isAssignable(type, given)) continue;
      const [wanted, found] = [typeInError(type), typeInError(types.resolve(given, 'kept'))];
      report(field.at, `expected type of field '${field.name}' is '${wanted}' but provided type is '${found}'`);
    }
    return message;
  }

  function comprehension(node: Comprehension, scope: Scope | undefined): Type {
    const range = types.resolve(check(node.range, scope), 'kept');
    const accumulated = check(node.init, scope);
    const outer: Scope = { names: new Map([[node.accumulator, accumulated]]), outer: scope };
    const inner: Scope = { names: new Map(loopVariables(node, range)), outer };
    asserted(node.condition, BOOL, inner);
    asserted(node.step, accumulated, inner);
    return types.resolve(check(node.result, outer), 'kept');
  }

  function asserted(node: Expr, type: Type, scope: Scope): void {
    const actual = check(node, scope);
    if (types.isAssignable(type, actual)) return;
    mismatch(node.at, types.resolve(type, 'kept'), types.resolve(actual, 'kept'));
  }

  function loopVariables({ variables, range: node }: Comprehension, range: Type): readonly (readonly [string, Type])[] {
    const [first = '', second] = variables;
    const [a, b] = loopTypes(node.at, range, second === undefined ? 'one' : 'two');
    return second === undefined
      ? [[first, a]]
      : [
          [first, a],
          [second, b],
        ];
  }

  function loopTypes(at: number, range: Type, count: 'one' | 'two'): readonly [Type, Type] {
    if (range.kind === 'list') return count === 'one' ? [range.params[0]!, DYN] : [INT, range.params[0]!];
    if (range.kind === 'map') return [range.params[0]!, range.params[1]!];
    if (isDynOrError(range) || range.kind === 'param') {
      types.isAssignable(DYN, range);
      return [DYN, DYN];
    }
    report(
      at,
      `expression of type '${typeInError(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    );
    return [ERROR, ERROR];
  }

  return {
    check,
    issues,
    typeAt: (node: Expr) => types.resolve(known.get(node) ?? DYN, 'dyn'),
    callAt: (node: Expr) => calls.get(node),
    nameAt: (node: Expr) => names.get(node),
  };
}

/** A name without the dot that leads to the outermost scope. */
const plain = (name = ''): string => name.replace(/^\./, '');

function local(name: string, scope: Scope | undefined): Type | undefined {
  for (let it = scope; it !== undefined; it = it.outer) {
    const type = it.names.get(name);
    if (type !== undefined) return type;
  }
  return undefined;
}

/** `a.b.c` of identifiers and plain selections. Upstream: computeQualifiers and containers.ToQualifiedName. */
function qualifiedName(node: Expr): string | undefined {
  const names: string[] = [];
  let it = node;
  while (it.kind === 'select' && it.use === 'value') {
    names.push(it.field);
    it = it.operand;
  }
  return it.kind === 'ident' ? [it.name, ...names.reverse()].join('.') : undefined;
}
