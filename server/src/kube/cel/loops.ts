import { ordered, sortedBy } from './collections';
import type { CelMacro, CelNode, CelType, Checker, Evaluator, MacroCall, Scope } from './library';

/** The rounds of a loop: the keys or positions and the values of its range. */
type Rounds = readonly (readonly [unknown, unknown])[];
/** Evaluates one of the arguments after the variables in a round. */
type Evaluate = (argument: number, round: Rounds[number]) => unknown;

interface Loop {
  /** How many arguments follow the variables. */
  readonly bodies: number;
  readonly result: string;
  readonly run: (rounds: Rounds, evaluate: Evaluate) => unknown;
}

/** Upstream: ext.TwoVarComprehensions. */
const LOOPS: Readonly<Record<string, readonly Loop[]>> = {
  all: [{ bodies: 1, result: 'bool', run: quantified(false) }],
  exists: [{ bodies: 1, result: 'bool', run: quantified(true) }],
  existsOne: [{ bodies: 1, result: 'bool', run: existsOne }],
  exists_one: [{ bodies: 1, result: 'bool', run: existsOne }],
  transformList: transforming('list<dyn>', (rounds, evaluate, last) => rounds.map(it => evaluate(last, it))),
  transformMap: transforming('map<dyn, dyn>', (rounds, evaluate, last) =>
    mapOf(rounds.map(it => [it[0], evaluate(last, it)])),
  ),
  transformMapEntry: transforming('map<dyn, dyn>', (rounds, evaluate, last) =>
    mapOf(rounds.flatMap(it => entriesOf(evaluate(last, it)))),
  ),
};

/** `all` and `exists`, which end with the first value that decides; an error counts only if none does. */
function quantified(deciding: boolean): Loop['run'] {
  return (rounds, evaluate) => {
    const errors: unknown[] = [];
    for (const it of rounds) {
      try {
        if (truth(evaluate(0, it)) === deciding) return deciding;
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return !deciding;
  };
}

function existsOne(rounds: Rounds, evaluate: Evaluate): boolean {
  return rounds.filter(it => truth(evaluate(0, it))).length === 1;
}

/** A macro that may have a filter before its last argument. */
function transforming(
  result: string,
  make: (rounds: Rounds, evaluate: Evaluate, last: number) => unknown,
): readonly Loop[] {
  return [
    { bodies: 1, result, run: (rounds, evaluate) => make(rounds, evaluate, 0) },
    {
      bodies: 2,
      result,
      run: (rounds, evaluate) =>
        make(
          rounds.filter(it => truth(evaluate(0, it))),
          evaluate,
          1,
        ),
    },
  ];
}

function truth(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Error('no such overload');
  return value;
}

/** Upstream: types.InsertMapKeyValue. */
function mapOf(entries: Rounds): ReadonlyMap<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const [key, value] of entries) {
    if (map.has(key)) throw new Error(`insert failed: key ${String(key)} already exists`);
    map.set(key, value);
  }
  return map;
}

function entriesOf(range: unknown): Rounds {
  if (Array.isArray(range)) return (range as readonly unknown[]).map((it, i) => [BigInt(i), it]);
  if (range instanceof Map) return [...range];
  if (typeof range === 'object' && range !== null) return Object.entries(range);
  throw new Error('no such overload');
}

/** The loops with two variables, and `sortBy`, as functions of the evaluator. */
export function loopMacros(): Readonly<Record<string, (call: MacroCall) => CelMacro>> {
  const macros = Object.entries(LOOPS).flatMap(([name, loops]) =>
    loops.map(loop => {
      const args = Array.from({ length: 2 + loop.bodies }, () => 'ast').join(', ');
      return [`list.${name}(${args}): ${loop.result}`, (call: MacroCall) => twoVariables(call, loop)] as const;
    }),
  );
  return { ...Object.fromEntries(macros), 'list.sortBy(ast, ast): list<dyn>': sortBy };
}

function twoVariables({ args, receiver }: MacroCall, { result, run }: Loop): CelMacro {
  const bodies = args.slice(2);
  const scopes = new WeakMap<CelNode, readonly [Scope, Scope]>();
  return {
    async: false,
    typeCheck(checker, _, scope) {
      const [first, second] = args.slice(0, 2).map(it => nameOf(it, checker)) as [string, string];
      const [key, value] = typesOf(checker.check(receiver, scope), checker);
      const outer = scope.forkWithVariable(first, key);
      const inner = outer.forkWithVariable(second, value);
      scopes.set(receiver, [outer, inner]);
      for (const it of bodies) checker.check(it, inner);
      return checker.getType(result);
    },
    evaluate(evaluator: Evaluator, _: CelMacro, scope: Scope) {
      const range = evaluator.run(receiver, scope);
      const [outer, inner] = scopes.get(receiver)!;
      return run(entriesOf(range), (argument, [key, value]) => {
        const around = outer.reuse(scope).setIterValue(key, evaluator);
        return evaluator.run(bodies[argument]!, inner.reuse(around).setIterValue(value, evaluator));
      });
    },
  };
}

/** Upstream: ext.sortByMacro. */
function sortBy({ args, receiver }: MacroCall): CelMacro {
  const [variable, body] = args as readonly [CelNode, CelNode];
  const scopes = new WeakMap<CelNode, Scope>();
  return {
    async: false,
    typeCheck(checker, _, scope) {
      const type = checker.check(receiver, scope);
      const inner = scope.forkWithVariable(nameOf(variable, checker), type.valueType ?? checker.getType('dyn'));
      scopes.set(body, inner);
      checker.check(body, inner);
      return type.kind === 'list' ? type : checker.getType('list<dyn>');
    },
    evaluate(evaluator, _, scope) {
      const list = evaluator.run(receiver, scope);
      if (!Array.isArray(list)) throw new Error('no such overload');
      const inner = scopes.get(body)!;
      const keys = list.map(it => evaluator.run(body, inner.reuse(scope).setIterValue(it, evaluator)));
      return sortedBy(list, ordered(keys));
    },
  };
}

function nameOf(node: CelNode, checker: Checker): string {
  if (node.op === 'id') return String(node.args);
  throw checker.createError('invalid_macro_argument', 'argument must be a simple name', node);
}

function typesOf(range: CelType, checker: Checker): readonly [CelType, CelType] {
  const dyn = checker.getType('dyn');
  if (range.kind === 'list') return [checker.getType('int'), range.valueType ?? dyn];
  return [range.keyType ?? dyn, range.valueType ?? dyn];
}
