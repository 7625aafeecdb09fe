import { t } from '../../base/l10n';
import { lazyByObject } from '../../base/lazy';
import { push } from '../../base/multiMap';
import { nearestNames } from '../../base/nearest';
import { quoted } from '../../base/quoted';
import { minorsOfField } from '../../kube/fieldMinors';
import type { Field, ObjectSchema } from '../../kube/kube';
import { defineRule, MOST_OF_ONE_OBJECT } from '../framework/rule';
import { isPatch } from '../reading/patches';
import type { UnknownField } from './decode';
import { decodingOf } from './decoding';
import { pluginArgsDecoded } from './pluginArgs';

interface Facts {
  readonly path: string;
  readonly name: string;
  /** Fields of the same object that may have been meant. */
  readonly nearest: readonly string[];
  /** A field of this name in another object. */
  readonly elsewhere: string | undefined;
  /** The minors that have the field, this one not being among them. */
  readonly minors: string | undefined;
}

/** How many fields of one schema are compared with an unknown one. */
const MOST_KNOWN = 2_000;

export default defineRule<Facts>({
  meta: {
    code: 'decode/unknown-field',
    category: 'decode',
    severity: 'error',
    cost: 'typing',
    summary: 'The object has a field that its type does not have.',
    why: 'Strict decoding, the default of kubectl, refuses the object. Without it the field is dropped, with a warning at best.',
    remedy: 'Correct the name, or move the field to where it belongs. Names are case-sensitive.',
    details:
      'Fields are those of the chosen Kubernetes version: a field that a later version has is unknown in an earlier one. Custom resources are checked where their schema is known.',
    source: { project: 'kubernetes', symbol: 'sigs.k8s.io/json.UnmarshalStrict', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation',
  },
  on: 'any',
  reads: ['objects', 'source', 'patch'],

  *check(target, context) {
    const { value, kind } = target;
    const { kube } = context;
    if (kind === undefined) return;
    let count = 0;
    for (const it of [...decodingOf(target, context), ...pluginArgsDecoded(value, kind, kube)]) {
      if (it.what !== 'unknown' || (isPatchWord(it) && isPatch(target, context))) continue;
      const path = it.at.toString();
      count += 1;
      // Findings that are only counted need no suggestions, and so many names are those of no person.
      const isCounted = count > MOST_OF_ONE_OBJECT || it.schema.fields.size > MOST_KNOWN;
      const minors = isCounted ? undefined : minorsOfField(kube, it.schema.definition, it.name);
      const free =
        isCounted || minors !== undefined
          ? []
          : [...it.schema.fields.keys()].filter(name => !Object.hasOwn(it.present, name));
      const nearest = nearestNames(it.name, free).slice(0, 3);
      const isElsewhere = minors === undefined && nearest.length === 0 && !isCounted;
      const elsewhere = isElsewhere ? locationOf(it) : undefined;
      const facts = { path, name: it.name, nearest, elsewhere, minors };
      yield { at: it.at, part: 'key', errorType: 'UnknownField', facts };
    }
  },

  message: ({ facts }, { kube }) => {
    const [best] = facts.nearest;
    if (facts.minors !== undefined) {
      return t`unknown field ${quoted(facts.path)} in Kubernetes ${kube.minor}; it exists in ${facts.minors}`;
    }
    if (best !== undefined) return t`unknown field ${quoted(facts.path)}; did you mean ${quoted(best)}?`;
    if (facts.elsewhere !== undefined) return t`unknown field ${quoted(facts.path)}; ${facts.elsewhere}`;
    if (facts.name.startsWith('$')) {
      return t`unknown field ${quoted(facts.path)}: it says how a patch is merged, and nothing here uses this file as a patch`;
    }
    return t`unknown field ${quoted(facts.path)}`;
  },

  fixes: ({ at, facts }, { object }, _context, edit) => [
    ...facts.nearest.map(name => ({
      title: t`Rename to ${name}`,
      safety: name.toLowerCase() === facts.name.toLowerCase() ? ('safe' as const) : ('unsafe' as const),
      edits: [edit.renameKey(object, at, name)],
    })),
    ...(facts.name.startsWith('$')
      ? []
      : [{ title: t`Remove ${facts.name}`, safety: 'unsafe' as const, edits: [edit.remove(object, at)] }]),
  ],
});

/**
 * `$patch`, `$setElementOrder/…` and the like control the merge, and null removes a field: neither reaches the server.
 */
function isPatchWord({ name, present }: UnknownField): boolean {
  return name.startsWith('$') || present[name] === null;
}

/** Where a field of this name belongs: in an enclosing object (innermost first), or in a neighbouring field. */
function locationOf({ name, schema, around }: UnknownField): string | undefined {
  const outer = [...around].reverse().find(it => it.fields.has(name));
  if (outer !== undefined) return t`it belongs to ${shortName(outer)}, further out`;
  const inner = fieldLocationsBelow(schema).get(name) ?? [];
  const [first] = inner;
  return first !== undefined && inner.length <= 3 ? t`it belongs inside ${inner.map(quoted).join(' or ')}` : undefined;
}

/** Levels of objects that are searched for a field. */
const DEPTH = 4;

/**
 * Names of fields below an object → the paths of the nearest objects that have them. Lists inside lists are not searched. Kept
 * by schema: many objects of a kind may each have an unknown field.
 */
const fieldLocationsBelow = lazyByObject((schema: ObjectSchema): ReadonlyMap<string, readonly string[]> => {
  const locations = new Map<string, readonly string[]>();
  let level: readonly { readonly path: string; readonly schema: ObjectSchema }[] = [{ path: '', schema }];
  for (let i = 0; i < DEPTH && level.length > 0; i++) {
    level = level.flatMap(it =>
      [...it.schema.fields.values()].flatMap(field => {
        const inside = objectOf(field);
        const path = it.path === '' ? field.name : `${it.path}.${field.name}`;
        return inside === undefined ? [] : [{ path, schema: inside }];
      }),
    );
    for (const [name, paths] of namesOf(level)) if (!locations.has(name)) locations.set(name, paths);
  }
  return locations;
});

function namesOf(
  level: readonly { readonly path: string; readonly schema: ObjectSchema }[],
): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { path, schema } of level) {
    for (const name of schema.fields.keys()) {
      push(names, name, path);
    }
  }
  return names;
}

function objectOf({ schema }: Field): ObjectSchema | undefined {
  if (schema.type === 'object') return schema;
  return schema.type === 'list' && schema.items.type === 'object' ? schema.items : undefined;
}

function shortName({ definition }: ObjectSchema): string {
  return definition.slice(definition.lastIndexOf('.') + 1);
}
