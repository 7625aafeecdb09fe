import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Fix, Problem } from '../../server/src/rules/framework/problem';
import { applyEdits } from '../../server/src/text/span';
import { diagnose, editing, worldOf } from '../support/check';
import { withoutLabels } from '../support/fixture';

const folder = join(import.meta.dirname, '../fixtures/rules');
const fixtures = readdirSync(folder, { recursive: true })
  .map(it => String(it).replaceAll('\\', '/'))
  .filter(it => it.endsWith('.yaml'))
  .sort();

/** Without indexes, which change when an item is removed. */
const keyOf = ({ code, fieldPath = '', document }: Problem): string =>
  `${document} ${code} ${fieldPath.replace(/\[\d+\]/g, '[]')}`;

const countOf = (problems: readonly Problem[]): ReadonlyMap<string, number> =>
  problems.reduce((counts, it) => counts.set(keyOf(it), (counts.get(keyOf(it)) ?? 0) + 1), new Map<string, number>());

/** Fixes that only suppress the problem need a reason first, and new files are not part of this text. */
const changesText = ({ edits, newFiles }: Fix): boolean =>
  newFiles === undefined && !edits.some(it => it.newText.includes('# berth-ignore '));

/** An object with another version is checked against another schema: its fields may differ. */
const isFirstLook = ({ title }: Fix): boolean => /^Change (?:apiVersion|kind) to \S+$/.test(title);

describe('each fix of a fixture removes its problem and causes no other', () => {
  test.each(fixtures)('%s', name => {
    const text = withoutLabels(readFileSync(join(folder, name), 'utf8'));
    const world = editing(text, worldOf(text));
    const problems = diagnose(text, world);
    const before = countOf(problems);
    const faults = problems.flatMap(problem =>
      problem.fixes.filter(changesText).flatMap(fix => {
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
