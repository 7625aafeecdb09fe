import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { nearestNames } from '../../base/nearest';
import { FieldPath } from '../../manifest/fieldPath';
import type { ManifestObject } from '../../manifest/manifest';
import type { Span } from '../../text/span';
import type { FormatProblem } from './format';

/** A value at its location: reads the expected type, and reports where it is another. A file has very many. */
export class FieldLocation {
  readonly #object: ManifestObject;
  readonly #path: FieldPath;
  readonly #problems: FormatProblem[];

  constructor(
    readonly value: JsonValue | undefined,
    path: FieldPath,
    object: ManifestObject,
    problems: FormatProblem[],
  ) {
    this.#path = path;
    this.#object = object;
    this.#problems = problems;
  }

  /** What goes on over lines is underlined at its key. */
  get span(): Span {
    const isLong = typeof this.value === 'object' && this.value !== null;
    return this.#object.spanOf(this.#path, isLong ? 'key' : 'value');
  }

  child(name: string): FieldLocation {
    return this.#at(isObject(this.value) ? this.value[name] : undefined, this.#path.child(name));
  }

  /** What is wrong here, as a clause after the path of the place. */
  tell(clause: string): void {
    this.#tellAt(clause, this.span);
  }

  /** The mapping; an empty one, and a problem, where it is none. Unknown fields are reported. */
  mapping(fields: readonly string[]): JsonObject {
    const { value } = this;
    if (!isObject(value)) {
      if (value !== undefined && value !== null) this.tell(t`must be a mapping of: ${fields.join(', ')}`);
      return {};
    }
    for (const name of Object.keys(value)) {
      if (fields.includes(name)) continue;
      const [near] = nearestNames(name, fields);
      const clause =
        near === undefined
          ? t`has no field "${name}"; one of: ${fields.join(', ')}`
          : t`has no field "${name}"; did you mean "${near}"?`;
      this.#tellAt(clause, this.#object.spanOf(this.#path.child(name), 'key'));
    }
    return value;
  }

  items(): readonly FieldLocation[] {
    const { value } = this;
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((it: JsonValue, i) => this.#at(it, this.#path.index(i)));
    this.tell(t('must be a list'));
    return [];
  }

  text(): string | undefined {
    const { value } = this;
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && value !== '') return value;
    this.tell(t('must be text'));
    return undefined;
  }

  count(least: number): number | undefined {
    const { value } = this;
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value;
    this.tell(t`must be a whole number from ${least}`);
    return undefined;
  }

  oneOf<T extends string>(words: readonly T[]): T | undefined {
    const found = words.find(it => it === this.value);
    if (found === undefined) this.tell(t`must be one of: ${words.join(', ')}`);
    return found;
  }

  texts(): Readonly<Record<string, string>> {
    return entries(this, (it): it is string => typeof it === 'string', t('must be text'));
  }

  flags(): Readonly<Record<string, boolean>> {
    return entries(this, (it): it is boolean => typeof it === 'boolean', t('must be true or false'));
  }

  #at(value: JsonValue | undefined, path: FieldPath): FieldLocation {
    return new FieldLocation(value, path, this.#object, this.#problems);
  }

  #tellAt(clause: string, span: Span): void {
    const words = this.#path.toString();
    this.#problems.push({ clause: words === '' ? clause : `${words} ${clause}`, span });
  }
}

/** The root of an object, and the list that the complaints go to. */
export const placeIn = (object: ManifestObject, problems: FormatProblem[]): FieldLocation =>
  new FieldLocation(object.value, FieldPath.root, object, problems);

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
