import { podSpecPath } from '../../kube/podTemplates';
import { FieldPath, type Segment } from '../../manifest/fieldPath';
import { answerFor } from '../apiserver/answer';
import { defineRule, type Target } from '../rule';
import { asList, fieldAt } from '../values';

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
      yield { at: volumeOf(text, target) ?? pathOf(text), part: 'value', facts: { text } };
    }
  },

  message: ({ facts }) => facts.text,
});

/** The volume that a warning names instead of saying its path. */
function volumeOf(warning: string, { object, value }: Target): FieldPath | undefined {
  const name = /^volume "([^"]*)" \(/.exec(warning)?.[1];
  const path = podSpecPath(object.kind);
  if (name === undefined || path === undefined) return undefined;
  const volumes = asList(fieldAt(value, ...path, 'volumes'));
  const index = volumes.findIndex(it => fieldAt(it, 'name') === name);
  return index < 0 ? undefined : FieldPath.of(...path, 'volumes', index, 'name');
}

/** The field path that most warnings begin with; the root for those that do not. */
function pathOf(text: string): FieldPath {
  const written =
    /^(?:metadata|spec|webhooks|template|allowedTopologies|nodeTopology|scheduling)(?:\.\w+|\[[^\]]*\])+(?=: | is )/.exec(
      text,
    )?.[0] ?? '';
  const segments = [...written.matchAll(/(\w+)|\[([^\]]*)\]/g)].map(([, name, inside]): Segment => {
    // Some warnings print the Go field, `spec.SessionAffinity`.
    if (name !== undefined) return name.charAt(0).toLowerCase() + name.slice(1);
    return /^\d+$/.test(inside ?? '') ? Number(inside) : { key: inside ?? '' };
  });
  return FieldPath.of(...segments);
}
