import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import { isSameValue } from '../../base/sameValue';
import { FieldPath, type SpanPart } from '../../manifest/fieldPath';
import type { ManifestObject } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import type { Span } from '../../text/span';
import type { Kustomization } from '../kustomize';
import { isInline } from '../kustomizeFields';
import type { WorkspaceObject } from '../object';
import { valueAt } from '../references/pattern';
import type { Snapshot } from '../workspace';
import { carried } from './keyedPath';

/** The location that defines a value of a rendered object. */
export interface Origin {
  readonly uri: string;
  readonly span: Span;
}

interface Candidate {
  readonly object: ManifestObject;
  readonly at: FieldPath;
  readonly found: number;
  readonly isWhole: boolean;
  readonly isSame: boolean;
}

/**
 * The origin of a field of an object in a kustomization's output: the patch that writes the value, else the resource
 * that does, else the field of a kustomization that changes such values; else the nearest location in the resource,
 * else the kustomization itself.
 */
export function kustomizeOrigin(
  object: WorkspaceObject,
  { path: at, part }: { readonly path: FieldPath; readonly part: SpanPart },
  root: Kustomization,
  snapshot: Snapshot,
): Origin {
  const { value } = object.manifest;
  const builders = usedBy(root, snapshot);
  const wanted = carried(at, value, value).value;
  const candidate = (it: WorkspaceObject): Candidate => {
    const { at: there, found, isWhole, value: has } = carried(at, value, it.manifest.value);
    return { object: it.manifest, at: there, found, isWhole, isSame: isWhole && isSameValue(has, wanted) };
  };
  const patches = builders
    .flatMap(it => patchObjects(it, snapshot))
    .filter(it => mayBeRenderedFrom(it, object))
    .map(candidate);
  const patch = patches.find(it => it.isSame);
  if (patch !== undefined) return placeOf(patch, part);
  const inline = builders.flatMap(
    it => jsonPatchOf(it, object, at, snapshot) ?? inlinePatchOf(it, object, at) ?? [],
  )[0];
  if (inline !== undefined) return inline;
  const resources = resourceObjects(root, snapshot)
    .filter(it => mayBeRenderedFrom(it, object))
    .map(candidate);
  const exact = resources.find(it => it.isSame);
  if (exact !== undefined) return placeOf(exact, part);
  const maker = builders.flatMap(it => makerOf(it, { object, at, wanted }) ?? [])[0];
  if (maker !== undefined) return maker;
  const nearest = [...patches, ...resources].reduce<Candidate | undefined>(
    (best, it) => (best === undefined || it.found > best.found ? it : best),
    undefined,
  );
  if (nearest !== undefined) return placeOf(nearest, part);
  return { uri: root.uri, span: root.object?.spanOf(FieldPath.of('resources'), 'key') ?? { start: 0, end: 0 } };
}

const placeOf = ({ object, at, isWhole }: Candidate, part: SpanPart): Origin => ({
  uri: object.uri,
  span: object.spanOf(at, isWhole ? part : 'key'),
});

/** The root and the kustomizations that it uses, outermost first: the outer ones are applied later and win. */
function usedBy(root: Kustomization, { roles: { kustomizations } }: Snapshot): readonly Kustomization[] {
  return [...kustomizations.filesOf(root).kustomizations].flatMap(it => kustomizations.kustomizations.get(it) ?? []);
}

function patchObjects({ paths }: Kustomization, snapshot: Snapshot): readonly WorkspaceObject[] {
  return paths.flatMap(({ as, uri }) => (as === 'patch' && uri !== undefined ? snapshot.objectsIn(uri) : []));
}

function resourceObjects(root: Kustomization, snapshot: Snapshot): readonly WorkspaceObject[] {
  return [...snapshot.roles.kustomizations.filesOf(root).objects].flatMap(it => snapshot.objectsIn(it));
}

/** Names have a prefix or a suffix after rendering. */
export function mayBeRenderedFrom(
  written: Pick<WorkspaceObject, 'group' | 'kind' | 'name'>,
  rendered: WorkspaceObject,
): boolean {
  if (written.group !== rendered.group || written.kind !== rendered.kind) return false;
  return written.name === undefined || rendered.name?.includes(written.name) === true;
}

/** A file of JSON patches, if one of its operations writes the field. */
function jsonPatchOf(
  { object: manifest, paths }: Kustomization,
  rendered: WorkspaceObject,
  at: FieldPath,
  { files }: Snapshot,
): Origin | undefined {
  for (const { as, uri, at: named } of paths) {
    const file = as === 'patch' && uri !== undefined ? files.get(uri) : undefined;
    const { target } = asObject(manifest && named.parent && valueAt(manifest.value, named.parent));
    if (file === undefined || (isObject(target) && !mayMean(target, rendered))) continue;
    const document = file.documents.find(
      ({ value }) => Array.isArray(value) && value.some((it: JsonValue) => isObject(it) && writes(it, at)),
    );
    if (document !== undefined) return { uri: file.uri, span: firstText(file.text, document.span) };
  }
  return undefined;
}

/** The first line of a document that is not blank or a comment. */
function firstText(text: string, { start, end }: Span): Span {
  const found = /^(?![ \t]*(?:#|---|$)).+$/m.exec(text.slice(start, end));
  return found === null ? { start, end } : { start: start + found.index, end: start + found.index + found[0].length };
}

/** An inline patch of the kustomization, if it writes the field. */
function inlinePatchOf(
  { uri, object: manifest }: Kustomization,
  rendered: WorkspaceObject,
  at: FieldPath,
): Origin | undefined {
  if (manifest === undefined) return undefined;
  for (const field of ['patches', 'patchesJson6902', 'patchesStrategicMerge']) {
    for (const [i, it] of listOf(manifest.value[field]).entries()) {
      const inside = isObject(it) ? it.patch : it;
      if (typeof inside !== 'string' || !isInline(inside)) continue;
      if (isObject(it) && isObject(it.target) && !mayMean(it.target, rendered)) continue;
      if (!touches(inside, rendered, at)) continue;
      const where = FieldPath.of(field).index(i);
      return { uri, span: manifest.spanOf(isObject(it) ? where.child('patch') : where, 'value') };
    }
  }
  return undefined;
}

function touches(text: string, rendered: WorkspaceObject, at: FieldPath): boolean {
  return parseManifests('patch.yaml', text).documents.some(({ value, objects }) => {
    if (Array.isArray(value)) return value.some((it: JsonValue) => isObject(it) && writes(it, at));
    return objects.some(
      it => it.value.kind === rendered.kind && carried(at, rendered.manifest.value, it.value).isWhole,
    );
  });
}

/** Whether an operation of a JSON patch writes a field or one of its parents. */
function writes({ path, op }: JsonObject, at: FieldPath): boolean {
  if (typeof path !== 'string' || op === 'test' || op === 'remove') return false;
  const steps = path
    .split('/')
    .slice(1)
    .map(it => it.replaceAll('~1', '/').replaceAll('~0', '~'));
  const names = at.segments.map(it => String(typeof it === 'object' ? it.key : it));
  return steps.length > 0 && steps.length <= names.length && steps.every((it, i) => it === names[i] || it === '-');
}

function mayMean({ kind, name }: JsonObject, rendered: WorkspaceObject): boolean {
  if (typeof kind === 'string' && kind !== rendered.kind) return false;
  return typeof name !== 'string' || !/^[\w.-]+$/.test(name) || rendered.name?.includes(name) === true;
}

interface FieldChanger {
  /** Fields of a kustomization; the first that is present counts. */
  readonly fields: readonly string[];
  readonly makes: (names: readonly string[], rendered: WorkspaceObject) => boolean;
}

/** Which fields of a kustomization change which fields of objects. */
const FIELD_CHANGERS: readonly FieldChanger[] = [
  { fields: ['namespace'], makes: names => names.at(-1) === 'namespace' },
  { fields: ['images', 'imageTags'], makes: names => names.at(-1) === 'image' },
  { fields: ['replicas'], makes: names => names.join('.') === 'spec.replicas' },
  {
    fields: ['labels', 'commonLabels'],
    makes: names => ['labels', 'selector', 'matchLabels'].some(it => names.includes(it)),
  },
  { fields: ['commonAnnotations'], makes: names => names.includes('annotations') },
  { fields: ['configMapGenerator'], makes: (_names, { kind }) => kind === 'ConfigMap' },
  { fields: ['secretGenerator'], makes: (_names, { kind }) => kind === 'Secret' },
];

interface Made {
  readonly object: WorkspaceObject;
  readonly at: FieldPath;
  readonly wanted: JsonValue | undefined;
}

function makerOf({ uri, object }: Kustomization, { object: rendered, at, wanted }: Made): Origin | undefined {
  if (object === undefined) return undefined;
  const affix = affixOf(object, wanted);
  if (affix !== undefined) return { uri, span: object.spanOf(FieldPath.of(affix), 'key') };
  const names = at.segments.map(it => String(typeof it === 'object' ? it.key : it));
  for (const { fields, makes } of FIELD_CHANGERS) {
    const field = fields.find(it => object.value[it] !== undefined);
    if (field === undefined || !makes(names, rendered)) continue;
    if (!field.endsWith('Generator')) return { uri, span: object.spanOf(FieldPath.of(field), 'key') };
    const index = listOf(object.value[field]).findIndex(
      it => isObject(it) && typeof it.name === 'string' && rendered.name?.includes(it.name) === true,
    );
    if (index >= 0) return { uri, span: object.spanOf(FieldPath.of(field).index(index).child('name'), 'value') };
  }
  return undefined;
}

/** The field that adds a part to names, if a value has it: references to what is renamed change, too. */
function affixOf({ value }: ManifestObject, wanted: JsonValue | undefined): string | undefined {
  if (typeof wanted !== 'string') return undefined;
  const { namePrefix, nameSuffix } = value;
  if (typeof nameSuffix === 'string' && nameSuffix !== '' && wanted.includes(nameSuffix)) return 'nameSuffix';
  return typeof namePrefix === 'string' && namePrefix !== '' && wanted.startsWith(namePrefix)
    ? 'namePrefix'
    : undefined;
}

const asObject = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
