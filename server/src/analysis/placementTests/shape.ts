import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { nearestNames } from '../../base/nearest';
import { FieldPath } from '../../manifest/fieldPath';
import type { ManifestObject } from '../../manifest/manifest';
import type { Span } from '../../text/span';
import type { FormatProblem } from './format';

/** A value at its location: reads the expected type, and reports where it is another. */
export interface FieldLocation {
  readonly value: JsonValue | undefined;
  readonly span: Span;
  child(name: string): FieldLocation;
  /** What is wrong here, as a clause after the path of the place. */
  tell(clause: string): void;
  /** The mapping; an empty one, and a problem, where it is none. Unknown fields are reported. */
  mapping(fields: readonly string[]): JsonObject;
  items(): readonly FieldLocation[];
  text(): string | undefined;
  count(least: number): number | undefined;
  oneOf<T extends string>(words: readonly T[]): T | undefined;
  texts(): Readonly<Record<string, string>>;
  flags(): Readonly<Record<string, boolean>>;
}

/** The root of an object, and the list that the complaints go to. */
export function placeIn(object: ManifestObject, problems: FormatProblem[]): FieldLocation {
  const at = (value: JsonValue | undefined, path: FieldPath): FieldLocation => {
    const tellAt = (clause: string, where: Span): void => {
      const words = path.toString();
      problems.push({ clause: words === '' ? clause : `${words} ${clause}`, span: where });
    };
    const place: FieldLocation = {
      value,
      // Few places are asked for it. What goes on over lines is underlined at its key.
      get span() {
        return object.spanOf(path, typeof value === 'object' && value !== null ? 'key' : 'value');
      },
      child: name => at(isObject(value) ? value[name] : undefined, path.child(name)),
      tell: clause => tellAt(clause, place.span),
      mapping(fields) {
        if (!isObject(value)) {
          if (value !== undefined && value !== null) place.tell(t`must be a mapping of: ${fields.join(', ')}`);
          return {};
        }
        for (const name of Object.keys(value).filter(it => !fields.includes(it))) {
          const [near] = nearestNames(name, fields);
          const clause =
            near === undefined
              ? t`has no field "${name}"; one of: ${fields.join(', ')}`
              : t`has no field "${name}"; did you mean "${near}"?`;
          tellAt(clause, object.spanOf(path.child(name), 'key'));
        }
        return value;
      },
      items() {
        if (value === undefined || value === null) return [];
        if (Array.isArray(value)) return value.map((it: JsonValue, i) => at(it, path.index(i)));
        place.tell(t('must be a list'));
        return [];
      },
      text() {
        if (value === undefined || value === null) return undefined;
        if (typeof value === 'string' && value !== '') return value;
        place.tell(t('must be text'));
        return undefined;
      },
      count(least) {
        if (value === undefined || value === null) return undefined;
        if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value;
        place.tell(t`must be a whole number from ${least}`);
        return undefined;
      },
      oneOf(words) {
        const found = words.find(it => it === value);
        if (found === undefined) place.tell(t`must be one of: ${words.join(', ')}`);
        return found;
      },
      texts: () => entries(place, (it): it is string => typeof it === 'string', t('must be text')),
      flags: () => entries(place, (it): it is boolean => typeof it === 'boolean', t('must be true or false')),
    };
    return place;
  };
  return at(object.value, FieldPath.root);
}

function entries<T extends JsonValue>(
  place: FieldLocation,
  isRight: (value: JsonValue) => value is T,
  wanted: string,
): Readonly<Record<string, T>> {
  const { value } = place;
  if (value === undefined || value === null) return {};
  if (!isObject(value)) {
    place.tell(t('must be a mapping'));
    return {};
  }
  const right: [string, T][] = [];
  for (const [key, it] of Object.entries(value)) {
    if (isRight(it)) right.push([key, it]);
    else place.child(key).tell(wanted);
  }
  return Object.fromEntries(right);
}
