import { asList, isObject } from '../../base/json';
import { lazy } from '../../base/lazy';
import { firstIndexes } from '../../base/repeated';
import { podSpecPath } from '../../kube/podTemplates';
import { FieldPath, type Segment } from '../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../manifest/valueAt';
import { answerFor } from '../apiserver/answer';
import { textOfWarning } from '../apiserver/validate/errors';
import { LONGEST_HEADLINE } from '../framework/layers';
import { defineRule, type RuleTarget } from '../framework/rule';
import { unknownFormatsIn } from './unknownFormats';

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
    const formats = lazy(() => unknownFormatsIn(target.value, context.kube));
    const told = new Map<string, number>();
    for (const warning of answerFor(target, context)?.warnings ?? []) {
      const text = textOfWarning(warning);
      const more = typeof warning === 'string' ? {} : { more: warning.more };
      const count = told.get(text) ?? 0;
      told.set(text, count + 1);
      const at = volumeOf(text, volumes) ?? formatOf(text, formats)?.[count] ?? pathOf(text);
      // The name of a field says more than the first line of the object below it.
      const isField = typeof at.segments.at(-1) !== 'number' && isObject(valueAt(target.value, at));
      yield { at, part: isField ? 'key' : 'value', facts: { text }, ...more };
    }
  },

  message: ({ facts: { text } }) => {
    const headline = plainWarning(text);
    return headline === text ? text : { headline, detail: text, message: text };
  },
});

/** A warning with the last field of the path that it begins with, and with the ends of the other paths. */
function plainWarning(warning: string): string {
  const [path = ''] = LEADING_PATH.exec(warning) ?? [];
  const said = warning
    .slice(path.length)
    .replace(/^:? /, '')
    .replace(/\bspec(?:\.\w+)*?\.((?:initContainers|ephemeralContainers|containers|volumes)\[)/g, '$1');
  if (path === '' || said === '') return warning;
  const field = /\[([^\]]*[^\]\d][^\]]*)\]$/.exec(path)?.[1] ?? /\w+(?:\[\d+\])*$/.exec(path)?.[0] ?? path;
  if (said.startsWith('deprecated')) return `"${field}" is ${said}`;
  if (/^(?:must|is) /.test(said)) return `"${field}" ${said}`;
  const named = `${field}: ${said}`;
  return named.length > LONGEST_HEADLINE ? said : named;
}

/** The volume that a warning names instead of a path. */
function volumeOf(warning: string, volumes: () => ReadonlyMap<unknown, FieldPath>): FieldPath | undefined {
  const name = /^volume "([^"]*)" \(/.exec(warning)?.[1];
  return name === undefined ? undefined : volumes().get(name);
}

/** Where a format is that a warning names instead of a path: there is a warning for each. */
function formatOf(warning: string, formats: () => ReadonlyMap<string, readonly FieldPath[]>) {
  const name = /^unrecognized format "(.*)"$/s.exec(warning)?.[1];
  return name === undefined ? undefined : formats().get(name);
}

/** The first volume of each name. */
function volumesOf({ object, value }: RuleTarget): ReadonlyMap<unknown, FieldPath> {
  const path = podSpecPath(object.kind);
  if (path === undefined) return new Map();
  const names = asList(fieldAt(value, ...path, 'volumes')).map(it => fieldAt(it, 'name'));
  return new Map([...firstIndexes(names)].map(([name, i]) => [name, FieldPath.of(...path, 'volumes', i, 'name')]));
}

/** The field path that most warnings begin with. */
const LEADING_PATH =
  /^(?:metadata|spec|webhooks|template|subsets|allowedTopologies|nodeTopology|scheduling)(?:\.\w+|\[[^\]]*\])+(?=: | is )/;

/** The field path that a warning begins with; the root for those that begin with none. */
function pathOf(text: string): FieldPath {
  const written = LEADING_PATH.exec(text)?.[0] ?? '';
  const segments = [...written.matchAll(/(\w+)|\[([^\]]*)\]/g)].map(([, name, inside]): Segment => {
    // Some warnings print the Go field, `spec.SessionAffinity`.
    if (name !== undefined) return name.charAt(0).toLowerCase() + name.slice(1);
    return /^\d+$/.test(inside ?? '') ? Number(inside) : { key: inside ?? '' };
  });
  return FieldPath.of(...segments);
}
