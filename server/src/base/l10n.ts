import * as l10n from '@vscode/l10n';

/**
 * A text in the language of the editor; in English where none is configured. Values print as in a template, undefined
 * and objects included. Called when a text is shown, never while a module loads: the language comes later.
 */
export function t(words: string | TemplateStringsArray, ...values: readonly unknown[]): string {
  if (typeof words === 'string') return l10n.t(words, ...values.map(String));
  const message = words.reduce((all, it, at) => `${all}{${at - 1}}${it}`);
  const translated = l10n.t(message);
  if (translated !== message) return l10n.t(message, ...values.map(String));
  // Files with ten thousand problems have as many texts: what needs no translation is not put together from a pattern.
  return String.raw({ raw: words }, ...values);
}

/** "a and b and c" */
export const withAnd = (words: readonly string[]): string =>
  words.length === 0 ? '' : words.reduce((all, it) => t`${all} and ${it}`);

/** "a or b or c" */
export const withOr = (words: readonly string[]): string =>
  words.length === 0 ? '' : words.reduce((all, it) => t`${all} or ${it}`);

/** The language of `t` in this process: English → translation; English where there are none. */
export function speak(...bundles: readonly (Readonly<Record<string, string>> | undefined)[]): void {
  l10n.config({ contents: Object.assign({}, ...bundles) });
}
