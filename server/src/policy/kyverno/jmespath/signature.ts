import type { JsonValue } from '../../../base/json';
import { ownOf } from '../../../base/ownOf';
import { isList, isMap, isNumber, sprint } from '../go/goValues';
import { KyvernoError } from '../results/failures';
import { type Argument, ExpressionReference } from './interpret';

/** The types of a function's arguments: `string`, `string|number`, `array[number]`; `any...` is variadic. */
export type Signature = string;

/** A function of the query language. Throws a KyvernoError where Kyverno's returns an error. */
export interface QueryFunction {
  readonly takes: Signature;
  readonly run: (...args: never[]) => JsonValue;
}

export type QueryFunctions = Readonly<Record<string, QueryFunction>>;

/** Makes a table of functions from `[takes, run]` pairs. */
export function functions(table: Readonly<Record<string, readonly [Signature, QueryFunction['run']]>>): QueryFunctions {
  return Object.fromEntries(Object.entries(table).map(([name, [takes, run]]) => [name, { takes, run }]));
}

const checks: Readonly<Record<string, (it: Argument) => boolean>> = {
  any: () => true,
  string: it => typeof it === 'string',
  number: isNumber,
  array: isList,
  object: it => !(it instanceof ExpressionReference) && isMap(it),
  'array[number]': it => isList(it) && it.every(isNumber),
  'array[string]': it => isList(it) && it.every(item => typeof item === 'string'),
  expref: it => it instanceof ExpressionReference,
};

/** Upstream: FunctionCaller.CallFunction. */
export function callFunction(table: QueryFunctions, name: string, args: readonly Argument[]): JsonValue {
  const found = ownOf(table, name);
  if (found === undefined) throw new KyvernoError(`unknown function: ${name}`);
  const wanted = found.takes === '' ? [] : found.takes.split(' ');
  if (wanted.at(-1)?.endsWith('...') === true) {
    if (args.length < wanted.length) throw new KyvernoError('Invalid arity.');
  } else if (found.takes !== '') {
    if (args.length !== wanted.length) throw new KyvernoError('incorrect number of args');
    for (const [i, types] of wanted.entries()) checkArgument(args[i] ?? null, types.split('|'));
  }
  return found.run(...(args as never[]));
}

function checkArgument(arg: Argument, types: readonly string[]): void {
  if (types.some(it => checks[it]?.(arg) === true)) return;
  const given = arg instanceof ExpressionReference ? 'expression' : sprint(arg);
  throw new KyvernoError(`Invalid type for: ${given}, expected: ${types.join(' or ')}`);
}
