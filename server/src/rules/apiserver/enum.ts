import { nearestNames } from '../nearest';
import { podSpecOf } from '../podSpec';
import { defineRule, type Target } from '../rule';
import { quoted } from '../values';
import { toldErrors } from './answer';
import { SUPPORTED } from './fields';
import { placesOf } from './places';

interface Facts {
  readonly path: string;
  readonly value: string;
  readonly supported: readonly string[];
}

export default defineRule<Facts>({
  meta: {
    code: 'apiserver/enum',
    category: 'apiserver',
    severity: 'error',
    cost: 'typing',
    isGeneral: true,
    summary: 'A field holds a word that it does not support.',
    why: 'The API server refuses the object.',
    remedy: 'Use one of the supported words. They are case-sensitive.',
    source: { project: 'kubernetes', symbol: 'field.NotSupported', fidelity: 'same' },
  },
  on: 'any',

  *check(target, context) {
    if (target.kind?.origin !== 'built-in') return;
    const answer = toldErrors(target, context, ['FieldValueNotSupported']);
    if (answer !== undefined) {
      for (const { at, facts } of answer) {
        const supported = [...facts.error.detail.matchAll(/"([^"]*)"/g)].map(it => it[1] ?? '');
        const told = { path: at.toString(), value: String(facts.error.value ?? ''), supported };
        yield { at, part: 'value', errorType: 'FieldValueNotSupported', facts: told };
      }
      return;
    }
    for (const [pattern, supported] of fieldsOf(target)) {
      for (const { at, value } of placesOf(pattern, target)) {
        if (typeof value !== 'string' || value === '' || supported.includes(value)) continue;
        const facts = { path: at.toString(), value, supported };
        yield { at, part: 'value', errorType: 'FieldValueNotSupported', facts };
      }
    }
  },

  message: ({ facts: { path, value, supported } }) =>
    `${path}: Unsupported value: ${quoted(value)}: supported values: ${supported.map(quoted).join(', ')}`,

  fixes({ at, facts }, { object }, _context, edit) {
    const sameLetters = facts.supported.find(it => it.toLowerCase() === facts.value.toLowerCase());
    const nearest = sameLetters === undefined ? nearestNames(facts.value, facts.supported) : [sameLetters];
    const others = facts.supported.filter(it => it !== '' && !nearest.includes(it));
    return [...nearest, ...others].map(word => ({
      title: `Change to ${word}`,
      safety: word === sameLetters ? ('safe' as const) : ('unsafe' as const),
      edits: [edit.replaceValue(object, at, word)],
    }));
  },
});

function fieldsOf(target: Target): readonly (readonly [string, readonly string[]])[] {
  const ofPods = podSpecOf(target) === undefined ? {} : SUPPORTED.pods;
  const { kind } = target.object;
  return Object.entries({ ...ofPods, ...(Object.hasOwn(SUPPORTED, kind) ? SUPPORTED[kind] : {}) });
}
