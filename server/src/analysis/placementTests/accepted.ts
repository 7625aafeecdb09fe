import { isObject, type JsonValue } from '../../base/json';
import type { Accepted, TestResult } from './run';

/** The file beside a file of tests that holds what was accepted: `web.placements.json` of `web.placement-test.yaml`. */
export const acceptedPath = (uri: string): string => uri.replace(/\.placement-test\.ya?ml$/i, '.placements.json');

/** One Pod a line, so that a diff shows what moved. */
export const acceptedText = (accepted: Accepted): string => `${JSON.stringify(accepted, null, 2)}\n`;

/** Whether the placements of a test can be accepted: it expects that nothing moves, and it was decided. */
export const isToAccept = ({ test, isUndecided }: TestResult): boolean =>
  !isUndecided && test.expect.some(({ expectation }) => expectation.kind === 'unmoved');

/** Placements that a file of accepted ones holds, a line each. */
export const MOST_ACCEPTED = 1_000_000;

/** What is accepted once the placements of these tests are; undefined: none of them can be; or they are too many for a file. */
export function acceptedAfter(results: readonly TestResult[], before: Accepted): Accepted | 'tooMany' | undefined {
  const asking = results.filter(isToAccept);
  if (asking.length === 0) return undefined;
  const count = asking.reduce((sum, it) => sum + Object.keys(it.placements).length, 0);
  if (count > MOST_ACCEPTED) return 'tooMany';
  return { ...before, ...Object.fromEntries(asking.map(it => [it.test.name, it.placements])) };
}

/** undefined for a text that `acceptedText` has not written. */
export function readAccepted(text: string): Accepted | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) && Object.values(value).every(isPlacement) ? (value as Accepted) : undefined;
  } catch {
    return undefined;
  }
}

function isPlacement(value: JsonValue): boolean {
  return isObject(value) && Object.values(value).every(it => it === null || typeof it === 'string');
}
