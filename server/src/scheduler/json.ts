import type { Attempt, PlacementResult } from './result';

/** One attempt as `berth place --format json` prints it. */
export function attemptToJson(attempt: Attempt): Attempt {
  return attempt;
}

/** One line of `berth place --format json`, before JSON.stringify. */
export function resultToJson(
  scenario: string,
  result: PlacementResult,
): { readonly contract: 1; readonly scenario: string } & PlacementResult {
  return { contract: 1, scenario, ...result, attempts: result.attempts.map(attemptToJson) };
}
