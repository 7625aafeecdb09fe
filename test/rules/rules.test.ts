import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lazy, lazyByText } from '../../server/src/base/lazy';
import { allRules } from '../../server/src/rules/engine/allRules';
import { allMetas, explain } from '../../server/src/rules/engine/explain';
import { LONGEST_HEADLINE, layersOf } from '../../server/src/rules/framework/layers';
import type { Fix, Problem } from '../../server/src/rules/framework/problem';
import { applyEdits } from '../../server/src/text/span';
import { diagnose, editing, worldOf } from '../support/check';
import { withLabels, withoutLabels } from '../support/fixture';
import { isThorough } from '../support/isThorough.mjs';

const folder = join(import.meta.dirname, '../fixtures/rules');
const fixtures = readdirSync(folder, { recursive: true })
  .map(it => String(it).replaceAll('\\', '/'))
  .filter(it => it.endsWith('.yaml'))
  .sort();

/** What is found in a fixture, once for all that is asked of it. */
const foundIn = lazyByText(name => {
  const written = readFileSync(join(folder, name), 'utf8');
  const text = withoutLabels(written);
  const world = editing(text, worldOf(text));
  return { written, text, world, problems: diagnose(text, world) };
});

/** Without indexes, which change when an item is removed. */
const keyOf = ({ code, fieldPath = '', document }: Problem): string =>
  `${document} ${code} ${fieldPath.replace(/\[\d+\]/g, '[]')}`;

const countOf = (problems: readonly Problem[]): ReadonlyMap<string, number> =>
  problems.reduce((counts, it) => counts.set(keyOf(it), (counts.get(keyOf(it)) ?? 0) + 1), new Map<string, number>());

/** Fixes that only suppress the problem need a reason first, and new files are not part of this text. */
const changesText = ({ edits, newFiles }: Fix): boolean =>
  newFiles === undefined && !edits.some(it => it.newText.includes('# berth-ignore '));

const fixesOf = (problem: Problem): readonly Fix[] => problem.fixes.filter(changesText);

/** The fixes of problems without those whose title another fix of the same rule has, but for names and numbers. */
function firstOfEachWording(problems: readonly Problem[]): (problem: Problem) => readonly Fix[] {
  const first = new Map<string, Fix>();
  const wordingOf = ({ code }: Problem, { title }: Fix): string => `${code} ${title.replace(/"[^"]*"|\d+/g, '…')}`;
  for (const problem of problems)
    for (const fix of fixesOf(problem)) {
      const wording = wordingOf(problem, fix);
      if (!first.has(wording)) first.set(wording, fix);
    }
  return problem => fixesOf(problem).filter(fix => first.get(wordingOf(problem, fix)) === fix);
}

/** An object with another version is checked against another schema: its fields may differ. */
const isFirstLook = ({ title }: Fix): boolean => /^Change (?:apiVersion|kind) to \S+$/.test(title);

describe('each rule reports what its fixture expects', () => {
  test.each(fixtures)('%s', name => {
    const { written, text, problems } = foundIn(name);
    const shown = withLabels(text, problems);
    if (process.env.UPDATE === '1') writeFileSync(join(folder, name), shown);
    else expect(shown).toBe(written);
    // A rule may have several fixtures: `refused.yaml`, `refused.networking.yaml`.
    expect(shown).toMatch(new RegExp(`\\[${name.replace(/(\.[a-z]+)?\.yaml$/, '')}\\](?: \\(follows\\))?: `));
  });

  test('every rule has a fixture', () => {
    const missing = allRules()
      .map(it => `${it.meta.code}.yaml`)
      .filter(it => !fixtures.includes(it));
    expect(missing).toEqual([]);
  });

  test('the rules of practice/, and no others, are opinions that a preset turns on', () => {
    const opinions = allRules()
      .filter(it => it.meta.preset !== undefined)
      .map(it => it.meta.code);
    expect(opinions).toEqual(
      allRules()
        .map(it => it.meta.code)
        .filter(it => it.startsWith('practice/')),
    );
  });
});

describe('each fix of a fixture removes its problem and causes no other', () => {
  test.each(fixtures)('%s', name => {
    const { text, world, problems } = foundIn(name);
    const before = countOf(problems);
    const fixesToTry = isThorough ? fixesOf : firstOfEachWording(problems);
    const faults = problems.flatMap(problem =>
      fixesToTry(problem).flatMap(fix => {
        const found = diagnose(applyEdits(text, fix.edits), world);
        const after = countOf(found);
        const what = `${fix.title} [${keyOf(problem)}]`;
        const left = (after.get(keyOf(problem)) ?? 0) >= (before.get(keyOf(problem)) ?? 0);
        const added = found.filter(
          it =>
            it.severity === 'error' && !isFirstLook(fix) && (after.get(keyOf(it)) ?? 0) > (before.get(keyOf(it)) ?? 0),
        );
        return [
          ...(left ? [`${what}: the problem is still there`] : []),
          ...added.map(it => `${what}: new problem ${it.code} ${it.message}`),
        ];
      }),
    );
    expect(faults).toEqual([]);
  });
});

describe('what is said in two layers', () => {
  const headlinesIn = (name: string): readonly string[] =>
    foundIn(name).problems.map(it => `${it.code}: ${layersOf(it).headline}`);
  const headlines = lazy(() => fixtures.flatMap(headlinesIn));
  const textOf = (it: string): string => it.slice(it.indexOf(': ') + 2);

  test('each headline of each rule is one short line', () => {
    expect(headlines().length).toBeGreaterThan(fixtures.length);
    expect(headlines().filter(it => textOf(it).length > LONGEST_HEADLINE || /[\r\n]/.test(it))).toEqual([]);
  });

  test('no headline of a rule is cut off within a clause', () => {
    expect(headlines().filter(it => it.endsWith('…'))).toEqual([]);
  });

  test('no headline has upstream’s text glued to it', () => {
    expect(headlines().filter(it => it.includes(' — '))).toEqual([]);
  });

  test('a headline about Pod Security says what to change', () => {
    expect(headlines().filter(it => /^security\/seccomp.*PodSecurity "[^"]+"$/.test(it))).toEqual([]);
    expect(headlines().some(it => /must set \S+=false \(PodSecurity "restricted/.test(it))).toBe(true);
  });

  test.each(['warning/server.yaml', 'dropped/field.yaml'])('%s: no headline spells a long path', name => {
    expect(headlinesIn(name).filter(it => /spec\.(?:template|jobTemplate)\.\S+/.test(it))).toEqual([]);
  });
});

describe('explain', () => {
  test('explains every code; codes are unique', () => {
    const codes = allMetas().map(it => it.code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(explain(code)).toContain(`# ${code}`);
    expect(explain('no/such-rule')).toBeUndefined();
  });
});
