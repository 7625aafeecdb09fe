import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NOTICE = /^(licen[cs]e|copying|notice|unlicense)([._-].*)?$/i;

/**
 * The licences and notices of Go modules in one text; a text that several modules share stands there once.
 * @param {readonly { path: string, version: string, folder: string }[]} modules
 */
export function noticesOf(modules) {
  const byText = new Map();
  for (const { path, version, folder } of modules) {
    const files = readdirSync(folder).filter(it => NOTICE.test(it));
    if (files.length === 0) throw new Error(`${path} ${version} has no licence in its folder`);
    for (const file of files.sort()) {
      const text = readFileSync(join(folder, file), 'utf8').trim();
      byText.set(text, [...(byText.get(text) ?? []), `${path} ${version} (${file})`]);
    }
  }
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
  return `The policy engine contains these Go modules.\n\n${parts.join(`\n${'-'.repeat(100)}\n\n`)}`;
}
