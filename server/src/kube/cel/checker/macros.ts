import { CelSyntaxError, type Comprehension, type Expr } from './nodes';
import { BOOL, INT } from './types';

/** The macros of an environment, as `name:arguments`. */
export type Macros = ReadonlySet<string>;

/** Upstream: the macros of cel-go's parser, its optional types, and two-variable comprehensions, lists and bindings in ext. */
export const MACROS = {
  always: ['has:1', 'all:2', 'exists:2', 'exists_one:2', 'map:2', 'map:3', 'filter:2', 'optMap:2', 'optFlatMap:2'],
  twoVariables: [
    ...['all:3', 'exists:3', 'existsOne:3', 'exists_one:3', 'transformList:3', 'transformList:4'],
    ...['transformMap:3', 'transformMap:4', 'transformMapEntry:3', 'transformMapEntry:4'],
  ],
  lists: ['sortBy:2'],
  bindings: ['bind:3'],
} as const;

const ACCUMULATOR = '@result';

interface MacroCall {
  readonly at: number;
  readonly name: string;
  readonly target: Expr;
  readonly args: readonly Expr[];
}

/** A call, or what the macro of that name and number of arguments makes of it. */
export function expandMacro(
  macros: Macros,
  at: number,
  name: string,
  target: Expr | undefined,
  args: readonly Expr[],
): Expr {
  const plain: Expr = { kind: 'call', name, args, at, ...(target !== undefined && { target }) };
  if (!macros.has(`${name}:${args.length}`) || (target === undefined) !== (name === 'has')) return plain;
  if (target === undefined) return presence(at, args[0]!);
  if (name === 'bind' && (target.kind !== 'ident' || target.name !== 'cel')) return plain;
  return EXPANSIONS[name]?.({ at, name, target, args }) ?? plain;
}

function presence(at: number, of: Expr): Expr {
  if (of.kind !== 'select' || of.use !== 'value') throw new CelSyntaxError(of.at, 'invalid argument to has() macro');
  return { ...of, use: 'test', at };
}

const flag = (at: number, value: boolean): Expr => ({ kind: 'literal', type: BOOL, value, at });
const integer = (at: number, value: bigint): Expr => ({ kind: 'literal', type: INT, value, at });
const ident = (at: number, name: string): Expr => ({ kind: 'ident', name, at });
const call = (at: number, name: string, ...args: readonly Expr[]): Expr => ({ kind: 'call', name, args, at });
const listOf = (at: number, ...items: readonly Expr[]): Expr => ({
  kind: 'list',
  items: items.map(value => ({ value, isOptional: false })),
  at,
});

/** The names of the variables of a macro. */
function variables({ args }: MacroCall, count: number, text: string): readonly string[] {
  const names: string[] = [];
  for (const it of args.slice(0, count)) {
    if (it.kind !== 'ident') throw new CelSyntaxError(it.at, text);
    if (names.includes(it.name)) throw new CelSyntaxError(it.at, `duplicate variable name: ${it.name}`);
    names.push(it.name);
  }
  return names;
}

type Expansion = (macro: MacroCall) => Expr;

function fold(
  macro: MacroCall,
  count: number,
  parts: Pick<Comprehension, 'init' | 'condition' | 'step' | 'result'>,
): Expr {
  const isPlain = macro.name === 'map' || macro.name === 'filter';
  const names = variables(macro, count, isPlain ? 'argument is not an identifier' : 'argument must be a simple name');
  return {
    kind: 'comprehension',
    use: 'loop',
    range: macro.target,
    variables: names,
    accumulator: ACCUMULATOR,
    at: macro.at,
    ...parts,
  };
}

const quantifier =
  (operator: '_&&_' | '_||_'): Expansion =>
  macro => {
    const { at, args } = macro;
    const predicate = args.at(-1)!;
    const accumulator = ident(at, ACCUMULATOR);
    const isOpen = operator === '_&&_' ? accumulator : call(at, '!_', accumulator);
    return fold(macro, args.length - 1, {
      init: flag(at, operator === '_&&_'),
      condition: call(at, '@not_strictly_false', isOpen),
      step: call(at, operator, accumulator, predicate),
      result: accumulator,
    });
  };

const existsOne: Expansion = macro => {
  const { at, args } = macro;
  const accumulator = ident(at, ACCUMULATOR);
  return fold(macro, args.length - 1, {
    init: integer(at, 0n),
    condition: flag(at, true),
    step: call(at, '_?_:_', args.at(-1)!, call(at, '_+_', accumulator, integer(at, 1n)), accumulator),
    result: call(at, '_==_', accumulator, integer(at, 1n)),
  });
};

/** A macro that adds to an accumulator what its last argument gives, where the one before it is true. */
function collecting(
  count: number,
  init: (at: number) => Expr,
  add: (macro: MacroCall, value: Expr) => Expr,
): Expansion {
  return macro => {
    const { at, args } = macro;
    const accumulator = ident(at, ACCUMULATOR);
    const [filter, value] = args.length - count === 2 ? args.slice(count) : [undefined, args[count]!];
    const added = add(macro, value!);
    return fold(macro, count, {
      init: init(at),
      condition: flag(at, true),
      step: filter === undefined ? added : call(at, '_?_:_', filter, added, accumulator),
      result: accumulator,
    });
  };
}

const appended = ({ at }: MacroCall, value: Expr): Expr => call(at, '_+_', ident(at, ACCUMULATOR), listOf(at, value));
const emptyMap = (at: number): Expr => ({ kind: 'map', entries: [], at });

const filter: Expansion = macro => {
  const { at, args } = macro;
  const accumulator = ident(at, ACCUMULATOR);
  return fold(macro, 1, {
    init: listOf(at),
    condition: flag(at, true),
    step: call(at, '_?_:_', args[1]!, call(at, '_+_', accumulator, listOf(at, args[0]!)), accumulator),
    result: accumulator,
  });
};

const binding = (at: number, name: string, value: Expr, result: Expr): Expr => ({
  kind: 'comprehension',
  use: 'binding',
  range: listOf(at),
  variables: ['#unused'],
  accumulator: name,
  init: value,
  condition: flag(at, false),
  step: ident(at, name),
  result,
  at,
});

/** `optMap` and `optFlatMap`: the variable is the value of the target. */
const optional =
  (wrap: (at: number, value: Expr) => Expr): Expansion =>
  macro => {
    const { at, target, args } = macro;
    const [name = ''] = variables(macro, 1, `${macro.name}() variable name must be a simple identifier`);
    const value: Expr = { kind: 'call', name: 'value', target, args: [], at };
    const bound = binding(at, name, value, args[1]!);
    const hasValue: Expr = { kind: 'call', name: 'hasValue', target, args: [], at };
    return call(at, '_?_:_', hasValue, wrap(at, bound), call(at, 'optional.none'));
  };

const sortBy: Expansion = macro => {
  const { at, target, args } = macro;
  if (!['list', 'ident', 'select', 'call', 'comprehension'].includes(target.kind)) {
    const what = 'a list, identifier, comprehension, call or select expression';
    throw new CelSyntaxError(target.at, `sortBy can only be applied to ${what}`);
  }
  const [name = ''] = variables(macro, 1, 'sortBy variable name must be a simple identifier');
  const input = '@__sortBy_input__';
  const keys =
    EXPANSIONS.map?.({ at, name: 'map', target: ident(at, input), args: [ident(at, name), args[1]!] }) ?? target;
  const sorted: Expr = { kind: 'call', name: '@sortByAssociatedKeys', target: ident(at, input), args: [keys], at };
  return binding(at, input, target, sorted);
};

const bind: Expansion = macro => {
  const [name = ''] = variables(macro, 1, 'cel.bind() variable names must be simple identifiers');
  return binding(macro.at, name, macro.args[1]!, macro.args[2]!);
};

const EXPANSIONS: Readonly<Record<string, Expansion>> = {
  all: quantifier('_&&_'),
  exists: quantifier('_||_'),
  exists_one: existsOne,
  existsOne,
  filter,
  map: macro => collecting(1, listOf, appended)(macro),
  transformList: macro => collecting(2, listOf, appended)(macro),
  transformMap: macro =>
    collecting(2, emptyMap, ({ at, args }, value) =>
      call(at, 'cel.@mapInsert', ident(at, ACCUMULATOR), args[0]!, value),
    )(macro),
  transformMapEntry: macro =>
    collecting(2, emptyMap, ({ at }, value) => call(at, 'cel.@mapInsert', ident(at, ACCUMULATOR), value))(macro),
  optMap: optional((at, value) => call(at, 'optional.of', value)),
  optFlatMap: optional((_, value) => value),
  sortBy,
  bind,
};
