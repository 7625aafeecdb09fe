import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NOTICE = /^(licen[cs]e|copying|notice|unlicense)([._-].*)?$/i;

/**
 * The licences and notices of what somebody else wrote, in one text; a text that several share stands there once.
 * `declared` stands in where the folder has no licence file.
 * @param {string} opening
 * @param {readonly { path: string, version: string, folder: string, declared?: string }[]} modules
 */
export function noticesOf(opening, modules) {
  const byText = new Map();
  for (const { path, version, folder, declared } of modules) {
    const files = readdirSync(folder).filter(it => NOTICE.test(it));
    if (files.length === 0 && !declared) throw new Error(`${path} ${version} has no licence in its folder`);
    if (files.length === 0)
      byText.set(declared, [...(byText.get(declared) ?? []), `${path} ${version} (package.json)`]);
    for (const file of files.sort()) {
      const text = readFileSync(join(folder, file), 'utf8').trim();
      byText.set(text, [...(byText.get(text) ?? []), `${path} ${version} (${file})`]);
    }
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `${opening}\n\n${parts.join(`\n${'-'.repeat(100)}\n\n`)}`;
}

/**
 * The npm packages that files of bundles come from, by name.
 * @param {string} root
 * @param {readonly string[]} inputs paths from the project's folder, as esbuild's metafile names them
 */
export function packagesOf(root, inputs) {
  const folders = new Set(inputs.flatMap(it => it.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []));
  const packages = [...folders].map(it => {
    const folder = join(root, it);
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { path: name, version, folder, declared: license && `Licence: ${license}` };
  });
  return packages.sort((a, b) => (a.path < b.path ? -1 : 1));
}
