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

/** Kyverno's dialect of JMESPath. */
export interface Jmespath {
  /** The value of an expression on data. Throws UnknownKey, KyvernoError, Indeterminate or OutOfSteps. */
  search(query: string, data: JsonValue, budget: Budget): JsonValue;
  /**
   * The same for data that many rules query: results are cached as long as the data exists, and cost the same steps
   * each time.
   */
  searchShared(query: string, data: JsonValue, budget: Budget): JsonValue;
}

/** By name; those that are called are made for the budget of the rule. */
const regexes = regexFunctions({ spend: () => {} });

const functionsAt = (now: number | undefined): QueryFunctions => ({
  ...regexes,
  ...standardFunctions,
  ...textFunctions,
  ...collectionFunctions,
  ...arithmeticFunctions,
  ...timeFunctions(now),
});

/** Expressions are parsed once. `now`: milliseconds since 1970, for functions of the current time. */
export function jmespath(now?: number): Jmespath {
  const table = functionsAt(now);
  const parsed = lazyByText(parseQuery);
  const shared = new WeakMap<object, Map<string, Found>>();
  const search: Jmespath['search'] = (query, data, budget) => {
    const call = (name: string, args: readonly Argument[]) => {
      budget.spend(args.reduce<number>((sum, it) => sum + sizeOf(it), 0));
      const result = callFunction(Object.hasOwn(regexes, name) ? regexFunctions(budget) : table, name, args);
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

/** A cached result and its cost in steps. */
interface Found {
  readonly value: JsonValue;
  readonly steps: number;
}

/** The approximate cost of walking a value once: one step for each item or a few characters. */
function sizeOf(value: Argument): number {
  if (typeof value === 'string') return value.length / 64;
  return isList(value) ? value.length : 1;
}

const functionNames: ReadonlySet<string> = new Set(Object.keys(functionsAt(undefined)));

/** The functions of an expression that Kyverno does not have. Throws a KyvernoError for a syntax error. */
export function unknownFunctions(query: string): readonly string[] {
  return [...nodesOf(parseQuery(query))].flatMap(it =>
    it.type === 'Function' && !functionNames.has(it.name) ? [it.name] : [],
  );
}
