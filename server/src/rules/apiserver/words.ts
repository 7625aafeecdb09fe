import type { FieldPath } from '../../manifest/fieldPath';
import type { Fix } from '../problem';
import type { EditTools, RuleContext, Target } from '../rule';
import { valueAt } from '../values';
import { fieldOf } from './nouns';
import { nearestWords } from './sentences';
import type { FieldError } from './validate/errors';

/** What a mend of an error needs to know. `at` is the error's place in the text. */
export interface Mending {
  readonly error: FieldError;
  readonly at: FieldPath;
  readonly target: Target;
  readonly context: RuleContext;
  readonly edit: EditTools;
}

/** More words than these are not offered one by one. */
const FEW = 6;

/** One fix for each word that the field may hold: what it is a slip of first, then the others when they are few. */
export function changesTo(choices: readonly string[], { at, target, edit }: Mending): readonly Fix[] {
  const { object, value: root } = target;
  const words = choices.filter(it => it !== '');
  const present = valueAt(root, at);
  if (!object.manifest.has(at)) {
    return words.length > FEW
      ? []
      : words.map(word => ({
          title: `Write ${fieldOf(at)}: ${word}`,
          safety: 'unsafe' as const,
          edits: [edit.write(object, at, word)],
        }));
  }
  const text = typeof present === 'string' ? present : '';
  const nearest = text === '' ? [] : nearestWords(text, words);
  const others = words.length > FEW ? [] : words.filter(it => !nearest.includes(it) && it !== present);
  const isSlip = (word: string): boolean => word.toLowerCase() === text.toLowerCase();
  return [...nearest, ...others].map(word => ({
    title: `Change to ${word}`,
    safety: isSlip(word) ? ('safe' as const) : ('unsafe' as const),
    edits: [edit.replaceValue(object, at, word)],
  }));
}
