import { t } from '../../base/l10n';
import { nearestNames } from '../../base/nearest';

/** `; did you mean "name"?`, or `otherwise` where no known name is near. Names of one letter are all near each other. */
export function guessInWords(name: string, known: Iterable<string>, otherwise = ''): string {
  const longer = [...known].filter(it => it.length > 1);
  const [guess] = name.length > 1 ? nearestNames(name, longer) : [];
  return guess === undefined ? otherwise : t`; did you mean "${guess}"?`;
}
