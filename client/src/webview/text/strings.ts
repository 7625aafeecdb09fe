/** Every sentence and label of the preview, in one place, so that it can be translated. */

import { english, type Strings } from './strings.en';
import { japanese } from './strings.ja';

/** "a", "a and b", "a, b and c"; after `limit` names the rest is counted: "a, b, c and 7 more". */
export function listed(names: readonly string[], limit = Number.POSITIVE_INFINITY): string {
  const { comma, and, more } = strings.lists;
  const shown = names.length > limit ? [...names.slice(0, limit), more(names.length - limit)] : names;
  if (shown.length <= 1) return shown.join('');
  return `${shown.slice(0, -1).join(comma)}${and}${shown.at(-1)}`;
}

/** The page says the language of the editor; outside a page it is English. */
const language = typeof document === 'undefined' ? 'en' : document.documentElement.lang;

export const strings: Strings = language.startsWith('ja') ? japanese : english;
