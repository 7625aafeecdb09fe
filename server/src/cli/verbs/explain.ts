import { allMetas, nearestNames, explain as pageOf, policyPage } from '../../analysis/metadata';
import { complain } from '../complain';
import { EXIT, type ExitCode } from '../exit';
import { fitted } from '../render/width';
import type { OuterWorld } from '../world';

/** Prints what a code means; a code that nothing reports is a sentence with the nearest ones. */
export function explain(code: string, world: OuterWorld): ExitCode {
  world.learnPages?.();
  const page = pageOf(code) ?? policyPage(code);
  if (page !== undefined) {
    world.out(fitted(page, world.columns));
    return EXIT.clean;
  }
  const near = alike(
    code,
    allMetas().map(it => it.code),
  );
  const guess = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
  complain(world, `There is no code "${code}"${guess === '' ? '.' : guess}`);
  return EXIT.failed;
}

/** Codes that a misspelt one may mean: nearly the same, or the same name without its room. */
function alike(code: string, codes: readonly string[]): readonly string[] {
  const sameName = codes.filter(it => it.split('/')[1] === code);
  return [...new Set([...sameName, ...nearestNames(code, codes), ...holding(code, codes)])].slice(0, 3);
}

/** Codes that hold the letters of the asked one, hyphens aside: "practice/readonly-root" is in "…/read-only-root-filesystem". */
function holding(code: string, codes: readonly string[]): readonly string[] {
  const letters = (it: string): string => it.toLowerCase().replace(/[^a-z0-9]/g, '');
  const name = letters(code.split('/').at(-1) ?? '');
  return name.length < LEAST_LETTERS ? [] : codes.filter(it => letters(it.split('/')[1] ?? '').includes(name));
}

/** Fewer letters are in too many codes. */
const LEAST_LETTERS = 4;
