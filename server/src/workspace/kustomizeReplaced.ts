import { isObject, type JsonObject, type JsonValue } from '../base/json';
import { mergeKeyOf } from '../kube/mergeKeys';
import type { FieldPath, Segment } from '../manifest/fieldPath';
import { valueAt } from '../manifest/valueAt';
import { type KustomizePatch, namePattern, ownTarget, targetIn } from './inlinePatches';
import type { Kustomization, KustomizationGraph, NamedBy } from './kustomize';
import { countOfPatches, type FilesByUri, MOST_PATCHES, mayMatch, patchesOf } from './kustomizeEffects';
import type { WorkspaceObject } from './object';
import type { Snapshot } from './workspace';

/** So many kustomizations are looked at for one value; what more of them may do is not known. */
const MOST_LOOKED_AT = 100;

/**
 * Whether a scalar of an object is written anew in whatever is deployed: each way from its file up to a kustomization that no
 * other one uses leads through one that replaces the value by a patch, a replacement, `replicas` or `images`.
 */
export function isReplacedEverywhere(object: WorkspaceObject, at: FieldPath, snapshot: Snapshot): boolean {
  const value = valueAt(object.manifest.value, at);
  if (value === undefined || value === null || typeof value === 'object') return false;
  const { roles } = snapshot;
  const files = { get: (uri: string) => snapshot.fileOfNamer(uri) };
  const place = { object, value, segments: at.segments };
  const seen = new Set<Kustomization>();
  const isKeptBy = (user: Kustomization): boolean => {
    if (seen.has(user)) return false;
    seen.add(user);
    if (seen.size > MOST_LOOKED_AT) return true;
    if (withComponents(user, roles.kustomizations).some(it => replaces(it, place, files))) return false;
    const above = usersOf(user.uri, snapshot);
    return above.length === 0 || above.some(isKeptBy);
  };
  const users = usersOf(object.manifest.uri, snapshot);
  return users.length > 0 && !users.some(isKeptBy);
}

function usersOf(uri: string, snapshot: Snapshot): readonly Kustomization[] {
  const isUse = ({ kustomization, named: { as } }: NamedBy): boolean =>
    (as === 'resource' || as === 'component') && kustomization.uri !== uri;
  return snapshot
    .namersOf(uri)
    .filter(isUse)
    .map(it => it.kustomization);
}

/** A scalar in an object. */
interface Place {
  readonly object: WorkspaceObject;
  readonly segments: readonly Segment[];
  readonly value: JsonValue;
}

function withComponents(start: Kustomization, graph: KustomizationGraph): readonly Kustomization[] {
  const all = new Set([start]);
  // A set yields what is added to it while it is gone through.
  for (const { paths } of all) {
    for (const { as, uri } of paths) {
      const component = as === 'component' && uri !== undefined ? graph.inFolder(uri) : undefined;
      if (component !== undefined) all.add(component);
    }
  }
  return [...all];
}

function replaces(kustomization: Kustomization, place: Place, files: FilesByUri): boolean {
  const value = kustomization.object?.value;
  if (value === undefined) return false;
  // What very many do to one value is not known.
  const counts = [value.replacements, value.replicas, value.images].map(it => listOf(it).length);
  if (Math.max(countOfPatches(kustomization), ...counts) > MOST_PATCHES) return false;
  return (
    patchesOf(kustomization, files).some(it => patches(it, place)) ||
    replacementsIn(value, kustomization, files).some(it => replacesBy(it, place)) ||
    isCounted(value, place) ||
    isOtherImage(value, place)
  );
}

function patches(
  { target, documents }: KustomizePatch,
  { object: { kind, name, manifest }, ...place }: Place,
): boolean {
  return documents.some(patch => {
    const of = target ?? ownTarget(patch);
    if (of === undefined || !mayMatch(of, kind, name)) return false;
    return Array.isArray(patch)
      ? patch.some((it: JsonValue) => isObject(it) && isDoneBy(it, place))
      : isMergedAway(patch, manifest.value, place);
  });
}

/** Whether an operation of a JSON patch leaves nothing of a value. */
function isDoneBy({ op, path, from, value: written }: JsonObject, { segments, value }: Omit<Place, 'object'>): boolean {
  const pointer = op === 'move' ? from : path;
  if (typeof pointer !== 'string' || written === value || !pointer.startsWith('/')) return false;
  const steps = pointer
    .slice(1)
    .split('/')
    .map(it => it.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (steps.length > segments.length || steps.some((it, i) => it !== textOf(segments[i]))) return false;
  // An item that is added to a list moves the others on.
  const isInserted = typeof segments[steps.length - 1] === 'number';
  if (op === 'add' || op === 'copy') return !isInserted;
  return op === 'replace' || op === 'remove' || op === 'move';
}

/** Whether a strategic merge patch leaves nothing of a value. */
function isMergedAway(patch: JsonValue, object: JsonObject, { segments, value }: Omit<Place, 'object'>): boolean {
  let [by, of]: [JsonValue | undefined, JsonValue | undefined] = [patch, object];
  for (const [i, segment] of segments.entries()) {
    if (by === undefined) return false;
    if (!isObject(by) && !Array.isArray(by)) return true;
    if (isObject(by) && (by.$patch === 'replace' || by.$patch === 'delete')) return true;
    if (typeof segment === 'number') {
      if (!Array.isArray(by) || !Array.isArray(of)) return true;
      const item: JsonValue | undefined = of[segment];
      const key = mergeKeyOf(textOf(segments[i - 1]), [...by, ...of]);
      if (key === undefined || !isObject(item)) return true;
      by = by.find((it: JsonValue) => isObject(it) && it[key] === item[key]);
      of = item;
    } else {
      if (!isObject(by) || !isObject(of)) return true;
      const name = textOf(segment);
      by = Object.hasOwn(by, name) ? by[name] : undefined;
      of = of[name];
    }
  }
  return by !== undefined && by !== value;
}

function replacementsIn(
  { replacements }: JsonObject,
  { paths }: Kustomization,
  files: FilesByUri,
): readonly JsonObject[] {
  const inFiles = paths
    .filter(it => it.as === 'configuration' && it.at.segments[0] === 'replacements')
    .flatMap(
      ({ uri }) => (uri === undefined ? undefined : files.get(uri))?.documents.flatMap(it => it.value ?? []) ?? [],
    )
    .flatMap(it => (Array.isArray(it) ? (it as readonly JsonValue[]) : [it]));
  return [...listOf(replacements), ...inFiles].filter(isObject);
}

/** Upstream: sigs.k8s.io/kustomize/api/filters/replacement */
function replacesBy({ targets }: JsonObject, { object: { kind, name, manifest }, segments }: Place): boolean {
  return listOf(targets).some(it => {
    if (!isObject(it)) return false;
    const select = targetIn(it.select);
    if (select === undefined || !mayMatch(select, kind, name)) return false;
    const isRejected = listOf(it.reject).some(reject => {
      const of = targetIn(reject);
      return of !== undefined && (of.kind ?? of.name) !== undefined && mayMatch(of, kind, name);
    });
    return !isRejected && listOf(it.fieldPaths).some(path => isAt(path, segments, manifest.value));
  });
}

/** Whether the field path of a replacement leads to a value, or to something that it is in. */
function isAt(path: JsonValue, segments: readonly Segment[], object: JsonObject): boolean {
  if (typeof path !== 'string') return false;
  const steps = stepsOf(path);
  if (steps.length === 0 || steps.length > segments.length) return false;
  let of: JsonValue | undefined = object;
  for (const [i, step] of steps.entries()) {
    const segment = segments[i];
    of = typeof segment === 'number' ? listOf(of)[segment] : isObject(of) ? of[textOf(segment)] : undefined;
    if (!isStepTo(step, segment, of)) return false;
  }
  return true;
}

function isStepTo(step: string, segment: Segment | undefined, item: JsonValue | undefined): boolean {
  const [, field, wanted = ''] = /^\[([^=\]]*)=(.*)\]$/s.exec(step) ?? [];
  if (field === undefined) return step === '*' || step === textOf(segment);
  const value = field === '' ? item : isObject(item) ? item[field] : undefined;
  return typeof segment === 'number' && value !== undefined && namePattern(wanted).matches(String(value));
}

/** The steps of a field path. Upstream: sigs.k8s.io/kustomize/kyaml/utils.SmarterPathSplitter */
function stepsOf(path: string): readonly string[] {
  const found = path.matchAll(/\[[^\]]*\]|(?:\\.|[^.\\])+/gs);
  return [...found].map(([it]) =>
    it.startsWith('[') && !it.includes('=') ? it.slice(1, -1) : it.replaceAll('\\.', '.'),
  );
}

/** Whether the field `replicas` of a kustomization gives the number. Upstream: ReplicaCountTransformer */
function isCounted({ replicas }: JsonObject, { object: { kind, name }, segments }: Place): boolean {
  if (segments.length !== 2 || segments[0] !== 'spec' || segments[1] !== 'replicas') return false;
  return listOf(replicas).some(
    it => isObject(it) && mayMatch({ kind: undefined, name: namePattern(nameOf(it) ?? '') }, kind, name),
  );
}

/** Whether the field `images` of a kustomization gives the image. Upstream: ImageTagTransformer */
function isOtherImage({ images }: JsonObject, { segments, value }: Place): boolean {
  if (segments.at(-1) !== 'image' || typeof value !== 'string') return false;
  return listOf(images).some(it => {
    const name = isObject(it) ? nameOf(it) : undefined;
    if (!isObject(it) || name === undefined || !value.startsWith(name)) return false;
    const rest = value.slice(name.length);
    const isSet = [it.newName, it.newTag, it.digest].some(now => now !== undefined && now !== '');
    const isSame = it.newName === undefined && it.digest === undefined && rest === `:${it.newTag}`;
    return isSet && !isSame && /^(?::[\w.-]*)?(?:@sha256:.*)?$/.test(rest);
  });
}

const nameOf = ({ name }: JsonObject): string | undefined => (typeof name === 'string' ? name : undefined);
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);
const textOf = (segment: Segment | undefined): string => String(typeof segment === 'object' ? segment.key : segment);
