import type { UnknownObject } from '../../base/json';
import type { CelMacro, CelNode, CelType, Checker, Evaluator, MacroCall, Scope } from './library';

/**
 * `has(e.f)` with any expression before the last dot; the evaluator's own macro accepts only names. Upstream: cel-go
 * parser.MakeHas and the presence test of attributes.
 */
export function hasMacro(args: readonly CelNode[]): CelMacro {
  return {
    args,
    async: false,
    typeCheck(checker, _, scope) {
      const node = args[0];
      if (node?.op !== '.')
        throw checker.createError('invalid_macro_argument', 'invalid argument to has() macro', node!);
      const [operand] = node.args as readonly [CelNode, string];
      const type = checker.check(operand, scope);
      checker.checkAccessOnType(node, scope, type.kind === 'optional' ? (type.valueType ?? type) : type);
      return checker.getType('bool');
    },
    evaluate(evaluator, _, scope) {
      const [operand, field] = args[0]!.args as readonly [CelNode, string];
      return fieldOf(evaluator.run(operand, scope), field) !== undefined;
    },
  };
}

function fieldOf(value: unknown, field: string): unknown {
  if (value instanceof Map) return value.get(field);
  if (Array.isArray(value)) throw new Error("unsupported index type 'string' in list");
  // A scalar has no fields, which is not an error if its type is unknown.
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, field) ? (value as UnknownObject)[field] : undefined;
}

interface OptionalValue {
  hasValue(): boolean;
  value(): unknown;
}

interface Optionals {
  of(value: unknown): unknown;
  none(): unknown;
}

/** `optMap` and `optFlatMap`. Upstream: cel-go cel.OptionalTypes. */
export function optionalMacros(optionals: Optionals): Readonly<Record<string, (call: MacroCall) => CelMacro>> {
  const wrapped = (value: unknown) => optionals.of(value);
  const same = (value: unknown) => value;
  return {
    'optional.optMap(ast, ast): optional<dyn>': call =>
      mapped(call, optionals, wrapped, type => `optional<${type.name}>`),
    'optional.optFlatMap(ast, ast): optional<dyn>': call => mapped(call, optionals, same, type => type.name),
  };
}

function mapped(
  { args, receiver }: MacroCall,
  optionals: Optionals,
  result: (value: unknown) => unknown,
  resultType: (body: CelType) => string,
): CelMacro {
  const [variable, body] = args as readonly [CelNode, CelNode];
  const scopes = new WeakMap<CelNode, Scope>();
  return {
    async: false,
    typeCheck(checker: Checker, _: CelMacro, scope: Scope) {
      if (variable.op !== 'id') {
        throw checker.createError(
          'invalid_macro_argument',
          'optMap() variable name must be a simple identifier',
          variable,
        );
      }
      const type = checker.check(receiver, scope);
      const inner = scope.forkWithVariable(
        String(variable.args),
        type.kind === 'optional' ? (type.valueType ?? checker.getType('dyn')) : checker.getType('dyn'),
      );
      scopes.set(body, inner);
      return checker.getType(resultType(checker.check(body, inner)));
    },
    evaluate(evaluator: Evaluator, _: CelMacro, scope: Scope) {
      const value = evaluator.run(receiver, scope) as OptionalValue;
      const inner = scopes.get(body);
      if (!value.hasValue() || inner === undefined) return optionals.none();
      return result(evaluator.run(body, inner.reuse(scope).setIterValue(value.value(), evaluator)));
    },
  };
}
