import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { among, berth, products, root, textsBelow } from './product';

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containres: [] }\n';
const POLICY = 'package main\n\ndeny contains msg if {\n  input.kind == "Pod"\n  msg := "no Pods of one\'s own"\n}\n';

describe('what npm packs', () => {
  /** Where it is unpacked, and what npm says of it. */
  const packed = { folder: '', product: '', paths: [] as readonly string[] };
  beforeAll(() => {
    packed.folder = mkdtempSync(join(tmpdir(), 'berth-packed-'));
    const { stdout } = spawnSync(
      'npm',
      ['pack', '--ignore-scripts', '--offline', '--pack-destination', packed.folder, '--json'],
      { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
    );
    const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: readonly { path: string }[] }];
    packed.paths = files.map(it => it.path);
    const clean = join(packed.folder, 'clean');
    mkdirSync(clean);
    expect(spawnSync('tar', ['-xzf', join(packed.folder, filename), '-C', clean]).status).toBe(0);
    packed.product = join(clean, 'package');
  });
  afterAll(() => rmSync(packed.folder, { recursive: true, force: true }));

  it('holds the same files as the extension, with licences and the bill of materials', () => {
    expect(packed.paths).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'SECURITY.md',
        'dist/cli.js',
        'dist/notices.txt',
        'dist/policyEngine.notices.txt',
        'dist/sbom.cdx.json',
      ]),
    );
    // vsce gives these files names of its own.
    const renamed: Readonly<Record<string, string>> = {
      'LICENSE.txt': 'LICENSE',
      'changelog.md': 'CHANGELOG.md',
      'readme.md': 'README.md',
    };
    const extension = Object.keys(textsBelow(products.extension)).map(it => renamed[it] ?? it);
    expect(packed.paths.toSorted()).toEqual(extension.toSorted());
    expect(packed.paths.filter(it => !existsSync(join(root, it)))).toEqual([]);
  });

  it('is the very build of the checkout', () => {
    const { bin } = JSON.parse(readFileSync(join(packed.product, 'package.json'), 'utf8')) as {
      bin: { berth: string };
    };
    expect(bin.berth).toBe('dist/cli.js');
    const differs = (path: string): boolean =>
      !readFileSync(join(packed.product, path)).equals(readFileSync(join(root, path)));
    expect(packed.paths.filter(differs)).toEqual([]);
  });

  it.each([
    ['check pod.yaml policy --kubernetes-version 1.33', 'unknown field "spec.containres"', "no Pods of one's own"],
    ['place --compare pod.yaml', 'optimal', 'No placement that evicts nobody else has a lower objective.'],
    ['explain decode/unknown-field', '# decode/unknown-field', '## What to do'],
  ])('runs from a clean folder, with its facts, the solver and the policy engine: berth %s', async (line, ...says) => {
    const files = { 'pod.yaml': POD, 'conftest.toml': 'policy = "policy"\n', 'policy/pods.rego': POLICY };
    const { out } = await among(files, cwd => berth(packed.product, line.split(' '), { cwd }));
    for (const it of says) expect(out).toContain(it);
  });
});

it('the extension is at most 18 MB, and at most 4 MB without the policy engine', () => {
  const MEGABYTE = 1024 * 1024;
  const { size } = statSync(join(root, 'dist/berth.vsix'));
  // The engine is compressed by the build: packing takes no more off it than a hundredth.
  const engine = statSync(join(products.extension, 'dist/policyEngine.wasm.br')).size;
  expect(size).toBeLessThanOrEqual(18 * MEGABYTE);
  expect(size - 0.99 * engine).toBeLessThanOrEqual(4 * MEGABYTE);
});
