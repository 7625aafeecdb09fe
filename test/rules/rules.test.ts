import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allRules } from '../../server/src/rules/engine/allRules';
import { allMetas, explain } from '../../server/src/rules/engine/explain';
import { diagnose, worldOf } from '../support/check';
import { withLabels, withoutLabels } from '../support/fixture';

const folder = join(import.meta.dirname, '../fixtures/rules');
const fixtures = readdirSync(folder, { recursive: true })
  .map(it => String(it).replaceAll('\\', '/'))
  .filter(it => it.endsWith('.yaml'))
  .sort();

describe('each rule reports what its fixture expects', () => {
  test.each(fixtures)('%s', name => {
    const path = join(folder, name);
    const written = readFileSync(path, 'utf8');
    const plain = withoutLabels(written);
    const shown = withLabels(plain, diagnose(plain, worldOf(plain)));
    if (process.env.UPDATE === '1') writeFileSync(path, shown);
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

describe('explain', () => {
  test('explains every code; codes are unique', () => {
    const codes = allMetas().map(it => it.code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(explain(code)).toContain(`# ${code}`);
    expect(explain('no/such-rule')).toBeUndefined();
  });
});
