import type { JsonValue } from '../../../base/json';
import { lazyByText } from '../../../base/lazy';
import { isList } from '../go/goValues';
import { type Budget, countedBudget } from '../results/failures';
import { arithmeticFunctions } from './arithmetic';
import { collectionFunctions } from './collections';
import { type Argument, evaluateQuery } from './interpret';
import { nodesOf, parseQuery } from './query';
import { regexFunctions } from './regexes';
import { callFunction, type QueryFunctions } from './signature';
import { standardFunctions } from './standard';
import { textFunctions } from './texts';
import { timeFunctions } from './times';

/** JMESPath as Kyverno speaks it. */
export interface Jmespath {
  /** The value of an expression on data. Throws UnknownKey, Refusal, Undecided or OutOfSteps. */
  search(query: string, data: JsonValue, budget: Budget): JsonValue;
  /** The same of data that many ask the same: what is found is kept as long as they are, and costs the same steps again. */
  searchShared(query: string, data: JsonValue, budget: Budget): JsonValue;
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
  const parsed = lazyByText(parseQuery);
  const shared = new WeakMap<object, Map<string, Found>>();
  const search: Jmespath['search'] = (query, data, budget) => {
    const regexes = regexFunctions(budget);
    const call = (name: string, args: readonly Argument[]) => {
      budget.spend(args.reduce<number>((sum, it) => sum + sizeOf(it), 0));
      const result = callFunction(Object.hasOwn(regexes, name) ? regexes : table, name, args);
      budget.spend(sizeOf(result));
      return result;
    };
    return evaluateQuery(parsed(query), data, { budget, call });
  };
  return {
    search,
    searchShared: (query, data, budget) => {
      if (typeof data !== 'object' || data === null) return search(query, data, budget);
      const known = shared.get(data) ?? new Map<string, Found>();
      shared.set(data, known);
      const found = known.get(query);
      if (found !== undefined) {
        budget.spend(found.steps);
        return found.value;
      }
      const counted = countedBudget(budget);
      const value = search(query, data, counted);
      known.set(query, { value, steps: counted.spent() });
      return value;
    },
  };
}

/** What was found, and what it took. */
interface Found {
  readonly value: JsonValue;
  readonly steps: number;
}

/** About what it costs to go through a value once: an item, or some letters, a step. */
function sizeOf(value: Argument): number {
  if (typeof value === 'string') return value.length / 64;
  return isList(value) ? value.length : 1;
}

const functionNames: ReadonlySet<string> = new Set(Object.keys(functionsAt(undefined)));

/** The functions an expression names that Kyverno does not have. Throws a Refusal for wrong syntax. */
export function unknownFunctions(query: string): readonly string[] {
  return [...nodesOf(parseQuery(query))].flatMap(it =>
    it.type === 'Function' && !functionNames.has(it.name) ? [it.name] : [],
  );
}
