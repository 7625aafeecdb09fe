import { grouped } from '../../../base/multiMap';
import type { FieldPath } from '../../../manifest/fieldPath';
import type { Span } from '../../../text/span';
import type { WorkspaceObject } from '../../../workspace/object';
import { objectAt } from '../../../workspace/objectAt';
import {
  type Definition,
  definitionsIn,
  definitionsOf,
  lookupsWithin,
  namesGivenIn,
  selectorListsOf,
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
  // Each list once: any number of Pods may be selected by the same ones.
  const selectors = new Set(
    found.definitions.flatMap(it => (isOwnName(it) ? selectorListsOf(snapshot, it.object) : [])),
  );
  const uses = [...found.uses, ...[...selectors].flat()].map(locationOfUse);
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
  const uses = usesOfAll(
    snapshot,
    definitions.filter(it => !isOwnName(it)),
  );
  return { span, name: reference.name, definitions, uses: uses.length === 0 ? [use] : uses };
}

function nameOfDefinition(snapshot: Snapshot, given: Definition): NameAt {
  const { object, at, part, name } = given;
  const { group, kind, namespace } = object;
  const span = object.manifest.spanOf(at, part);
  const uses = usesOfAll(snapshot, [given]);
  if (isOwnName(given)) {
    const definitions = snapshot.find(group, kind, namespace, name).map(it => ({ ...given, object: it }));
    return { span, name, definitions, uses };
  }
  // A Service may refer to ports of several workloads with the same name.
  const definitions = definitionsOfAll(snapshot, given, uses);
  return { span, name, definitions, uses: usesOfAll(snapshot, definitions) };
}

/** Each once: hundreds of Services may refer to a port of each of hundreds of workloads. */
function definitionsOfAll(snapshot: Snapshot, given: Definition, uses: readonly Use[]): readonly Definition[] {
  const found = new Set([given]);
  const lists = new Set(uses.map(it => definitionsOf(snapshot, it)));
  for (const list of lists) for (const it of list) found.add(it);
  return [...found];
}

/** The references to some names, each once. */
function usesOfAll(snapshot: Snapshot, definitions: readonly Definition[]): readonly Use[] {
  const byObject = grouped(definitions, it => it.object);
  const lists = new Set([...byObject].flatMap(([object, its]) => usesIn(snapshot, object, its)));
  return [...new Map([...lists].flat().map(it => [it.reference, it])).values()];
}

/** The references to some names of one object, in lists that other objects may share. */
function usesIn(
  snapshot: Snapshot,
  object: WorkspaceObject,
  definitions: readonly Definition[],
): readonly (readonly Use[])[] {
  const own = definitions.some(isOwnName) ? [snapshot.references.to(object)] : [];
  const inner = new Set(definitions.flatMap(it => (isOwnName(it) ? [] : [it.at.toString()])));
  if (inner.size === 0) return own;
  const lookups = lookupsWithin(snapshot, object).filter(it =>
    definitionsIn(snapshot, object, it).some(({ at }) => inner.has(at.toString())),
  );
  return [...own, ...lookups.map(it => it.uses)];
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
