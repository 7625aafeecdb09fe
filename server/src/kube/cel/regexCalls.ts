import type { Functions } from './functions';
import { compileRegex, type Regex, TOO_LONG } from './regex';
import { CelUnknown } from './undecided';

/** Compiles the value of an expression as a regular expression; throws the error of the evaluation. */
export function regexOf(pattern: string, spend?: (microseconds: number) => void): Regex {
  const compiled = compileRegex(pattern, spend);
  if ('unsupported' in compiled) throw new CelUnknown(`${compiled.unsupported} is not simulated`);
  if ('error' in compiled) throw new Error(compiled.error);
  return compiled.regex;
}

/** Throws the evaluation's error if the regular expression takes too long. */
export function inTime<T>(result: T | undefined): T {
  if (result === undefined) throw new CelUnknown(`${TOO_LONG} is not simulated`);
  return result;
}

type Call = (regex: Regex, text: string, limit: bigint) => unknown;

const findAll = (regex: Regex, text: string, limit: bigint): readonly string[] =>
  inTime(regex.findAll(text, limit < 0n ? undefined : Number(limit))).map(it => it.whole);

/** Upstream: the API server's regex library, and `matches` of cel-go. */
const calls: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['matches', (regex, text) => inTime(regex.matches(text))],
  ['find', (regex, text) => findAll(regex, text, 1n)[0] ?? ''],
  ['findAll', findAll],
]);

/**
 * The implementation of a method that takes a regular expression: its arguments are the text, the pattern and a limit.
 * The pattern of the last call is kept, so that a literal is compiled once. `spend` is that of `compileRegex`.
 * Upstream: cel-go interpreter.MatchesRegexOptimization, library.FindRegexOptimization.
 */
export function regexCall(
  name: string,
  spend?: (microseconds: number) => void,
): ((...operands: readonly unknown[]) => unknown) | undefined {
  const call = calls.get(name);
  let last: { readonly pattern: string; readonly regex: Regex } | undefined;
  return (
    call &&
    ((text, pattern, limit = -1n) => {
      if (typeof text !== 'string' || typeof pattern !== 'string' || typeof limit !== 'bigint') {
        throw new Error(`no such overload: ${name}`);
      }
      if (last?.pattern !== pattern) last = { pattern, regex: regexOf(pattern, spend) };
      return call(last.regex, text, limit);
    })
  );
}

const once =
  (name: string) =>
  (...operands: readonly unknown[]) =>
    regexCall(name)?.(...operands);

/** The declarations for the evaluator, which needs their types; its own `matches` would run any JavaScript pattern. */
export const regexFunctions: Functions = {
  'matches(string, string): bool': once('matches'),
  'string.find(string): string': once('find'),
  'string.findAll(string): list<string>': once('findAll'),
  'string.findAll(string, int): list<string>': once('findAll'),
};
