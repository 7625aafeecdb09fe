import { asList, asObject, type JsonObject, type JsonValue } from '../../../base/json';
import { t } from '../../../base/l10n';
import type { FieldPath } from '../../../manifest/fieldPath';
import { valueAt } from '../../../manifest/valueAt';
import { scalarText } from '../../edits/yamlText';
import type { Fix } from '../../framework/problem';
import type { EditTools, RuleContext, RuleTarget } from '../../framework/rule';
import { fieldOf } from '../messages/nouns';
import { nearestWords } from '../messages/sentences';
import type { FieldError } from '../validate/errors';

/** An error to be fixed. `at` is its location in the text. */
export interface FixableError {
  readonly error: FieldError;
  readonly at: FieldPath;
  readonly target: RuleTarget;
  readonly context: RuleContext;
  readonly edit: EditTools;
}

/** A longer list of choices is not offered one by one. */
const MOST_CHOICES = 6;

/** Values that need another field beside them, or exclude some. */
const COMPANION_FIELDS: Readonly<Record<string, { readonly needs?: string; readonly excludes?: readonly string[] }>> = {
  Localhost: { needs: 'localhostProfile' },
  In: { needs: 'values' },
  NotIn: { needs: 'values' },
  Exists: { excludes: ['value', 'values'] },
  DoesNotExist: { excludes: ['values'] },
  All: { excludes: ['count'] },
};

/** One fix for each supported value: first the one that was probably meant, then the others if they are few. */
export function changesTo(choices: readonly string[], { error, at, target, edit }: FixableError): readonly Fix[] {
  const { object, value: root } = target;
  const present = valueAt(root, at);
  // A supported value that is refused all the same depends on a feature gate, and so may its neighbours.
  if (typeof present === 'string' && choices.includes(present)) return [];
  const beside = asObject(valueAt(root, at.parent ?? at)) ?? {};
  const isSlip = (word: string): boolean =>
    typeof present === 'string' && word.toLowerCase() === present.trim().toLowerCase();
  // `*` stands for all, and is refused beside others.
  const isOneOfSeveral = asList(valueAt(root, at.parent ?? at)).length > 1;
  const isPossible = (word: string): boolean => word !== '' && !word.includes('{') && !(word === '*' && isOneOfSeveral);
  // The value that was probably meant is offered even if it needs another change.
  const words = choices.filter(it => isPossible(it) && (isSlip(it) || fitsBeside(it, beside)));
  if (!object.manifest.has(at)) {
    if (words.length > MOST_CHOICES || (error.type !== 'FieldValueRequired' && error.value !== '')) return [];
    return words.map(word => ({
      title: t`Write ${fieldOf(at)}: ${word}`,
      safety: 'unsafe' as const,
      edits: [edit.write(object, at, word)],
    }));
  }
  if (typeof present !== 'string' || (error.type !== 'FieldValueRequired' && error.value !== present)) return [];
  const nearest = present === '' ? [] : nearestWords(present, words);
  const others = words.length > MOST_CHOICES ? [] : words.filter(it => !nearest.includes(it));
  return [...nearest, ...others].map(word => ({
    title: t`Change to ${word}`,
    safety: isSlip(word) && fitsBeside(word, beside) ? ('safe' as const) : ('unsafe' as const),
    edits: [edit.replaceValue(object, at, scalarText(word))],
  }));
}

function fitsBeside(word: string, beside: JsonObject): boolean {
  const { needs, excludes = [] } = (Object.hasOwn(COMPANION_FIELDS, word) ? COMPANION_FIELDS[word] : undefined) ?? {};
  return (needs === undefined || isFilled(beside[needs])) && !excludes.some(it => isFilled(beside[it]));
}

function isFilled(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
