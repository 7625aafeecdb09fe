import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `pages`: what only the pages of codes say; few ask for them, and they are many. */
export type TextBundle = 'bundle' | 'pages';

/**
 * The texts of a language: English → translation; undefined for English and for languages that Berth does not speak.
 * @param folder of the bundles, `l10n`
 * @param locale `ja`, `pt-br`, as an editor names it
 */
export function messagesIn(
  folder: string,
  locale: string,
  bundle: TextBundle,
): Readonly<Record<string, string>> | undefined {
  const [language = ''] = locale.split('-');
  const file = join(folder, `${bundle}.l10n.${language}.json`);
  return /^[a-z]+$/.test(language) && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
