import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { run } from './world';

interface Told {
  readonly id: string;
  readonly what: string;
  readonly code?: string;
  readonly version?: string;
  /** A version at which the code does not tell it. */
  readonly otherwise?: string;
  readonly gates?: readonly string[];
  readonly object?: string;
  /** Why nothing tells it. */
  readonly why?: string;
}

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'server/src/rules/knownIssues');
const all = parse(readFileSync(join(folder, 'elsewhere.yaml'), 'utf8')) as readonly Told[];
const entries = readdirSync(join(folder, 'entries')).map(name => name.replace(/\.yaml$/, ''));
const told = all.filter(it => it.code !== undefined);

async function codesAt(version: string, { object = '', gates = [] }: Told): Promise<readonly string[]> {
  const flags = ['--kubernetes-version', version, '--format', 'json'];
  const on = gates.length === 0 ? [] : ['--feature-gates', gates.map(gate => `${gate}=true`).join(',')];
  const { out, err } = await run(['check', ...flags, ...on, '.'], { 'object.yaml': object });
  expect(err).toBe('');
  return (JSON.parse(out) as { readonly problems: readonly { readonly code: string }[] }).problems.map(it => it.code);
}

describe('what is known of releases and is no entry of its own', () => {
  it.each(told)('$id is told by $code', async it => {
    expect(existsSync(join(root, `docs/rules/${it.code}.md`))).toBe(true);
    expect(await codesAt(it.version ?? '', it)).toContain(it.code);
    if (it.otherwise !== undefined) expect(await codesAt(it.otherwise, it)).not.toContain(it.code);
  });

  it('is told by a code, or there is a reason why not', () => {
    for (const { id, what, code, why } of all) {
      expect(entries).not.toContain(id);
      expect(what).toMatch(/^[A-Za-z].*\.$/);
      expect([id, code === undefined]).toEqual([id, why !== undefined]);
    }
    expect(new Set(all.map(it => it.id)).size).toBe(all.length);
  });
});
