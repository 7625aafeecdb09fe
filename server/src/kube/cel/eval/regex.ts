import { regexCall } from '../regexCalls';
import { CelUnknown } from '../undecided';
import { CelFailure, type CelValue, listOf, noOverload } from './values';

/**
 * `matches`, `find` or `findAll` for one call, which keeps the last pattern; undefined for another function. Upstream:
 * cel-go interpreter.MatchesRegexOptimization, library.FindRegexOptimization.
 */
export function regexImplementation(name: string): ((args: readonly CelValue[]) => CelValue) | undefined {
  const call = regexCall(name);
  if (call === undefined) return undefined;
  return args => {
    if (typeof args[0] !== 'string' || typeof args[1] !== 'string') return noOverload();
    try {
      const result = call(...args);
      return Array.isArray(result) ? listOf(result as string[]) : (result as CelValue);
    } catch (error) {
      if (error instanceof CelUnknown) throw error;
      const message = (error as Error).message;
      return new CelFailure(name === 'matches' ? message : `Illegal regex: ${message}`);
    }
  };
}
