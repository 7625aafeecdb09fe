import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const keysOf = (path: string): string[] => Object.keys(JSON.parse(read(path)) as Record<string, string>).sort();

describe('strings that a person reads', () => {
  it('has every string of package.json, and no other, in each language', () => {
    const used = [...read('package.json').matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key!);
    const wanted = [...new Set(used)].sort();
    expect(keysOf('package.nls.json')).toEqual(wanted);
    for (const path of readdirSync(root).filter(it => /^package\.nls\..+\.json$/.test(it))) {
      expect(keysOf(path), path).toEqual(wanted);
    }
  });

  it('has every message of the client, and no other, in each language', () => {
    const sources = readdirSync(join(root, 'client/src')).filter(it => it.endsWith('.ts'));
    const used = sources.flatMap(it => [...read(`client/src/${it}`).matchAll(/l10n\.t\(\s*'([^']+)'/g)]);
    const wanted = [...new Set(used.map(([, message]) => message!))].sort();
    expect(wanted.length).toBeGreaterThan(0);
    for (const name of readdirSync(join(root, 'l10n'))) expect(keysOf(`l10n/${name}`), name).toEqual(wanted);
  });
});
