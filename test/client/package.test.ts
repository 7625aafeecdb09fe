import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { EVERYTHING } from '../../server/src/lsp/settings';

const root = resolve(import.meta.dirname, '../..');

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: Record<string, { readonly default: unknown }> };
  };
}

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

describe('what package.json declares', () => {
  it('declares each setting with the default that the server has', () => {
    const { 'berth.trace.server': _, ...declared } = manifest.contributes.configuration.properties;
    const defaults = Object.entries(declared).map(([key, it]) => [key.replace('berth.', ''), it.default]);
    // An editor always skips what is none of Berth's business, and rules are part of a repository: these are no settings.
    const { foreignFiles: __, rules: ___, ...wanted } = defaultSettings;
    // An empty configuration of Pod security is read as none.
    const { minSeverity } = EVERYTHING;
    // A client without the setting gets the problems of all files, as a language server usually does.
    expect(Object.fromEntries(defaults)).toEqual({ ...wanted, podSecurity: {}, problems: 'environment', minSeverity });
  });

  it('declares only commands that the client registers', () => {
    const source = readFileSync(join(root, 'client/src/extension.ts'), 'utf8');
    for (const { command } of manifest.contributes.commands) expect(source).toContain(`registerCommand('${command}'`);
  });

  it('locks what every system needs, so that `npm ci` takes the lock on each', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { readonly optionalDependencies?: Record<string, string> }>;
    };
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        it => !(`node_modules/${it}` in packages) && !(`${path}/node_modules/${it}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('keeps machine and registry addresses out of the locks', () => {
    for (const lock of ['package-lock.json', 'test/e2e/package-lock.json', 'tools/vsce/package-lock.json']) {
      expect(readFileSync(join(root, lock), 'utf8')).not.toMatch(/"resolved"|https?:\/\/[^"]*registry/);
    }
  });
});
