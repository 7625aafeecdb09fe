import { FieldPath, type Segment } from '../../manifest/fieldPath';
import { answerFor } from '../apiserver/answer';
import { defineRule } from '../rule';

export default defineRule<{ readonly text: string }>({
  meta: {
    code: 'warning/server',
    category: 'warning',
    severity: 'warning',
    cost: 'typing',
    summary: 'The API server takes the object and warns of it.',
    why: 'kubectl shows these warnings after the object is stored: a field that is deprecated, has no effect, or does something else than it seems to.',
    remedy: 'Do as the warning says.',
    details: 'The text is the API server’s own.',
    source: { project: 'kubernetes', symbol: 'rest.WarningsOnCreate', fidelity: 'same' },
  },
  on: 'any',

  *check(target, context) {
    for (const text of answerFor(target, context)?.warnings ?? []) {
      yield { at: pathOf(text), part: 'value', facts: { text } };
    }
  },

  message: ({ facts }) => facts.text,
});

/** The field path that most warnings begin with; the root for those that do not. */
function pathOf(text: string): FieldPath {
  const written =
    /^(?:metadata|spec|webhooks|template|allowedTopologies)(?:\.\w+|\[[^\]]*\])+(?=: )/.exec(text)?.[0] ?? '';
  const segments = [...written.matchAll(/(\w+)|\[([^\]]*)\]/g)].map(([, name, inside]): Segment => {
    if (name !== undefined) return name;
    return /^\d+$/.test(inside ?? '') ? Number(inside) : { key: inside ?? '' };
  });
  return FieldPath.of(...segments);
}
