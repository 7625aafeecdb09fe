import { asList } from '../../base/json';
import { lazy } from '../../base/lazy';
import { firstIndexes } from '../../base/repeated';
import { podSpecPath } from '../../kube/podTemplates';
import { FieldPath, type Segment } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { answerFor } from '../apiserver/answer';
import { textOfWarning } from '../apiserver/validate/errors';
import { defineRule, type RuleTarget } from '../framework/rule';

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
    const volumes = lazy(() => volumesOf(target));
    for (const warning of answerFor(target, context)?.warnings ?? []) {
      const text = textOfWarning(warning);
      const more = typeof warning === 'string' ? {} : { more: warning.more };
      yield { at: volumeOf(text, volumes) ?? pathOf(text), part: 'value', facts: { text }, ...more };
    }
  },

  message: ({ facts: { text } }) => {
    const headline = plainWarning(text);
    return headline === text ? text : { headline, detail: text, message: text };
  },
});

/** A warning without the path that it begins with, and with the ends of the others. */
function plainWarning(warning: string): string {
  const plain = warning
    .replace(/^(?:metadata|spec|webhooks|template|allowedTopologies|nodeTopology|scheduling)[^\s:]*: /, '')
    .replace(/\bspec(?:\.\w+)*?\.((?:initContainers|ephemeralContainers|containers|volumes)\[)/g, '$1');
  return plain === '' ? warning : plain;
}

/** The volume that a warning names instead of a path. */
function volumeOf(warning: string, volumes: () => ReadonlyMap<unknown, FieldPath>): FieldPath | undefined {
  const name = /^volume "([^"]*)" \(/.exec(warning)?.[1];
  return name === undefined ? undefined : volumes().get(name);
}

/** The first volume of each name. */
function volumesOf({ object, value }: RuleTarget): ReadonlyMap<unknown, FieldPath> {
  const path = podSpecPath(object.kind);
  if (path === undefined) return new Map();
  const names = asList(fieldAt(value, ...path, 'volumes')).map(it => fieldAt(it, 'name'));
  return new Map([...firstIndexes(names)].map(([name, i]) => [name, FieldPath.of(...path, 'volumes', i, 'name')]));
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
