import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { among, berth, products, root } from './product';

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containres: [] }\n';
const POLICY = 'package main\n\ndeny contains msg if {\n  input.kind == "Pod"\n  msg := "no Pods of one\'s own"\n}\n';

it('what npm packs runs from a clean folder, with its facts, the solver and the policy engine', async () => {
  await among({ 'pod.yaml': POD, 'conftest.toml': 'policy = "policy"\n', 'policy/pods.rego': POLICY }, async folder => {
    const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder, '--json'], {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
    const clean = join(folder, 'clean');
    mkdirSync(clean);
    expect(spawnSync('tar', ['-xzf', join(folder, filename), '-C', clean]).status).toBe(0);
    const product = join(clean, 'package');
    const { bin } = JSON.parse(readFileSync(join(product, 'package.json'), 'utf8')) as { bin: { berth: string } };
    expect(bin.berth).toBe('dist/cli.js');
    for (const args of [
      ['check', '--format', 'json', '--kubernetes-version', '1.33', 'pod.yaml', 'policy'],
      ['place', '--compare', 'pod.yaml'],
      ['explain', 'decode/unknown-field'],
    ]) {
      const [told, wanted] = [
        await berth(product, args, { cwd: folder }),
        await berth(products.checkout, args, { cwd: folder }),
      ];
      const timeless = (text: string): string => text.replace(/"milliseconds":\d+/g, '');
      expect({ ...told, out: timeless(told.out) }).toEqual({ ...wanted, out: timeless(wanted.out) });
      expect(told.out).not.toBe('');
    }
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
