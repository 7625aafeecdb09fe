import type { JsonValue } from '../../../manifest/manifest';
import type { Budget } from '../failures';
import { isList } from '../goValues';
import { arithmeticFunctions } from './arithmetic';
import { collectionFunctions } from './collections';
import { type Argument, evaluateQuery } from './interpret';
import { nodesOf, parseQuery, type QueryNode } from './query';
import { regexFunctions } from './regexes';
import { callFunction, type QueryFunctions } from './signature';
import { standardFunctions } from './standard';
import { textFunctions } from './texts';
import { timeFunctions } from './times';

/** JMESPath as Kyverno speaks it. */
export interface Jmespath {
  /** The value of an expression on data. Throws UnknownKey, Refusal, Undecided or OutOfSteps. */
  search(query: string, data: JsonValue, budget: Budget): JsonValue;
}

const functionsAt = (now: number | undefined): QueryFunctions => ({
  ...regexFunctions({ spend: () => {} }),
  ...standardFunctions,
  ...textFunctions,
  ...collectionFunctions,
  ...arithmeticFunctions,
  ...timeFunctions(now),
});

/** Expressions are parsed once. `now` in milliseconds since 1970, for functions that ask for the present. */
export function jmespath(now?: number): Jmespath {
  const table = functionsAt(now);
  const parsed = new Map<string, QueryNode>();
  return {
    search: (query, data, budget) => {
      const node = parsed.get(query) ?? parseQuery(query);
      parsed.set(query, node);
      const regexes = regexFunctions(budget);
      const call = (name: string, args: readonly Argument[]) => {
        budget.spend(args.reduce<number>((sum, it) => sum + sizeOf(it), 0));
        const result = callFunction(Object.hasOwn(regexes, name) ? regexes : table, name, args);
        budget.spend(sizeOf(result));
        return result;
      };
      return evaluateQuery(node, data, { budget, call });
    },
  };
}

/** About what it costs to go through a value once: an item, or some letters, a step. */
function sizeOf(value: Argument): number {
  if (typeof value === 'string') return value.length / 64;
  return isList(value) ? value.length : 1;
}

/** The functions an expression names that Kyverno does not have. Throws a Refusal for wrong syntax. */
export function unknownFunctions(query: string): readonly string[] {
  const table = functionsAt(undefined);
  return [...nodesOf(parseQuery(query))].flatMap(it =>
    it.type === 'Function' && !Object.hasOwn(table, it.name) ? [it.name] : [],
  );
}
