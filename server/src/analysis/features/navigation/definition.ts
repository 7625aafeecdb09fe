import type { FieldPath } from '../../../manifest/fieldPath';
import type { Span } from '../../../text/span';
import { objectAt } from '../../../workspace/objectAt';
import {
  type Definition,
  definitionsOf,
  namesGivenIn,
  selectorsOf,
  usesOfPartsOf,
} from '../../../workspace/references/definitions';
import type { Use } from '../../../workspace/references/references';
import type { Snapshot } from '../../../workspace/workspace';
import { kustomizeDefinitionAt } from './kustomizeLinks';
import { distinctLocations, type Link, type Location } from './location';

/** A name in a text, with its definitions and uses. */
export interface NameAt {
  /** The span of the name. */
  readonly span: Span;
  readonly name: string;
  readonly definitions: readonly Definition[];
  readonly uses: readonly Use[];
}

/** The definition of the name at an offset; undefined: there is no name. */
export function definitionAt(snapshot: Snapshot, uri: string, offset: number): Link | undefined {
  const found = nameAt(snapshot, uri, offset);
  if (found === undefined || found.definitions.length === 0) return kustomizeDefinitionAt(snapshot, uri, offset);
  return { span: found.span, locations: distinctLocations(found.definitions.map(locationOfDefinition)) };
}

/** All uses of the name at an offset, and its definitions where `wanted` includes them. */
export function referencesAt(
  snapshot: Snapshot,
  uri: string,
  offset: number,
  wanted: 'uses' | 'usesAndDefinitions',
): readonly Location[] {
  const found = nameAt(snapshot, uri, offset);
  if (found === undefined) return [];
  const selectors = found.definitions.flatMap(it => (isOwnName(it) ? selectorsOf(snapshot, it.object) : []));
  const uses = [...found.uses, ...selectors].map(locationOfUse);
  return distinctLocations(wanted === 'uses' ? uses : [...found.definitions.map(locationOfDefinition), ...uses]);
}

/** The name at an offset: a reference, a selector, the name of an object, or a name defined in one. */
export function nameAt(snapshot: Snapshot, uri: string, offset: number): NameAt | undefined {
  const object = objectAt(snapshot, uri, offset);
  const at = object?.manifest.pathAt(offset);
  if (object === undefined || at === undefined) return undefined;
  const written = keyOf(at.path);
  const references = snapshot.references.of(object);
  const reference =
    (at.part === 'value' ? references.find(it => keyOf(it.at) === written) : undefined) ??
    references.find(it => it.target.to === 'pods' && isWithin(at.path, it.at));
  if (reference !== undefined) return nameOfUse(snapshot, { object, reference });
  const given = namesGivenIn(snapshot, object).find(it => it.part === at.part && keyOf(it.at) === written);
  return given && nameOfDefinition(snapshot, given);
}

function nameOfUse(snapshot: Snapshot, use: Use): NameAt {
  const { object, reference } = use;
  const definitions = definitionsOf(snapshot, use);
  const part = reference.target.to === 'pods' ? 'key' : 'value';
  const span = object.manifest.spanOf(reference.at, part);
  if (reference.target.to === 'object') {
    return { span, name: reference.name, definitions, uses: snapshot.references.to(reference.target) };
  }
  const uses = definitions.flatMap(it => (it.at.toString() === 'metadata.name' ? [] : usesOf(snapshot, it)));
  return { span, name: reference.name, definitions, uses: uses.length === 0 ? [use] : uses };
}

function nameOfDefinition(snapshot: Snapshot, given: Definition): NameAt {
  const { object, at, part, name } = given;
  const { group, kind, namespace } = object;
  const span = object.manifest.spanOf(at, part);
  const uses = usesOf(snapshot, given);
  if (isOwnName(given)) {
    const definitions = snapshot.find(group, kind, namespace, name).map(it => ({ ...given, object: it }));
    return { span, name, definitions, uses };
  }
  // A Service may refer to ports of several workloads with the same name.
  const definitions = [given, ...uses.flatMap(it => definitionsOf(snapshot, it))];
  return { span, name, definitions, uses: [...uses, ...definitions.flatMap(it => usesOf(snapshot, it))] };
}

/** The references to a name. */
function usesOf(snapshot: Snapshot, given: Definition): readonly Use[] {
  const { object, at } = given;
  if (isOwnName(given)) return snapshot.references.to(object);
  const own = snapshot.references.of(object).map(reference => ({ object, reference }));
  const candidates = [...own.filter(it => it.reference.target.to === 'local'), ...usesOfPartsOf(snapshot, object)];
  return candidates.filter(
    it =>
      it.reference.name === given.name &&
      definitionsOf(snapshot, it).some(
        found => found.object.manifest === object.manifest && found.at.toString() === at.toString(),
      ),
  );
}

export function locationOfDefinition({ object, at, part }: Definition): Location {
  return { uri: object.manifest.uri, span: object.manifest.spanOf(at, part) };
}

export function locationOfUse({ object, reference }: Use): Location {
  const part = reference.target.to === 'pods' ? 'key' : 'value';
  return { uri: object.manifest.uri, span: object.manifest.spanOf(reference.at, part) };
}

export function isOwnName({ at }: Pick<Definition, 'at'>): boolean {
  return at.toString() === 'metadata.name';
}

function isWithin(path: FieldPath, around: FieldPath): boolean {
  const [inner, outer] = [keyOf(path), keyOf(around)];
  return inner === outer || inner.startsWith(`${outer} `);
}

/** The path with keys of maps like fields. */
function keyOf(path: FieldPath): string {
  return path.segments.map(it => (typeof it === 'object' ? it.key : it)).join(' ');
}
