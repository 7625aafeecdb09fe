import { isObject, type JsonObject, type JsonValue } from '../base/json';
import { assigned } from '../base/manyItems';
import { type KustomizationGraph, textsOf } from './kustomize';
import type { WorkspaceObject } from './object';

/** What the transformers of kustomizations fill in, of all that build an object. */
export interface FilledIn {
  readonly namespaces: readonly string[];
  /** Of names. */
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
  /** Of objects, selectors and Pods. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Upstream: the fields `namespace`, `namePrefix`, `nameSuffix`, `commonLabels` and `labels`. undefined for an object that
 * no kustomization builds.
 */
export function filledInto({ manifest: { uri } }: WorkspaceObject, graph: KustomizationGraph): FilledIn | undefined {
  if (graph.namedBy(uri).length === 0) return undefined;
  const builders = graph.buildersOf(uri);
  return {
    namespaces: textsOf('namespace', builders),
    prefixes: textsOf('namePrefix', builders),
    suffixes: textsOf('nameSuffix', builders),
    labels: assigned(builders.map(it => addedLabels(it.object?.value ?? {}))) as Readonly<Record<string, string>>,
  };
}

/** The namespace in which an object is deployed as far as that is known; undefined where overlays differ. */
export function namespaceOf(object: WorkspaceObject, graph: KustomizationGraph): string | undefined {
  const { namespaces } = filledInto(object, graph) ?? { namespaces: [] };
  return new Set(namespaces).size > 1 ? undefined : (namespaces[0] ?? object.namespace);
}

/** Upstream: validation.DNS1123SubdomainMaxLength, the longest name of an object. */
const LONGEST_NAME = 253;

/** More names are not looked for: those of a few prefixes and suffixes are a dozen. */
const MOST_NAMES = 100;

/** The names from which some kustomizations of the workspace may make a name, that name included; 'many' of more than 100. */
export function namesBefore(name: string, { kustomizations, affixes }: KustomizationGraph): readonly string[] | 'many' {
  if (kustomizations.size === 0 || name.length > LONGEST_NAME) return [];
  const { prefixes, suffixes } = affixes();
  const stripped = new Set([name]);
  // A set yields what is added to it while it is gone through.
  for (const it of stripped) {
    if (stripped.size > MOST_NAMES) return 'many';
    for (const prefix of prefixes) if (it.startsWith(prefix)) stripped.add(it.slice(prefix.length));
    for (const suffix of suffixes) if (it.endsWith(suffix)) stripped.add(it.slice(0, -suffix.length));
  }
  return [...stripped];
}

/** The labels that some kustomization of the workspace adds to Pods and selectors, with their values. */
export function labelsAdded({ kustomizations }: KustomizationGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const added = new Map<string, Set<string>>();
  for (const { object } of kustomizations.values()) {
    for (const [key, value] of Object.entries(object === undefined ? {} : addedLabels(object.value))) {
      added.set(key, (added.get(key) ?? new Set()).add(value));
    }
  }
  return added;
}

/** Whether an object may have a name and a namespace once its kustomizations are built. */
export function mayBecome(
  { name, namespace }: Pick<WorkspaceObject, 'name' | 'namespace'>,
  wanted: { readonly name: string; readonly namespace: string | undefined },
  { namespaces, prefixes, suffixes }: FilledIn,
): boolean {
  if (name === undefined) return false;
  const isThere = wanted.namespace === undefined || wanted.namespace === namespace;
  if (!isThere && !namespaces.includes(wanted.namespace)) return false;
  const start = wanted.name.lastIndexOf(name);
  if (start < 0) return false;
  const [before, after] = [wanted.name.slice(0, start), wanted.name.slice(start + name.length)];
  return isMadeOf(before, prefixes) && isMadeOf(after, suffixes);
}

/** So many beginnings of a name are looked at: overlays of a few prefixes have a dozen. */
const MOST_BEGINNINGS = 10_000;

/** Whether a text consists of some parts, each once, in any order; true where there are too many orders to tell. */
function isMadeOf(text: string, parts: readonly string[]): boolean {
  const looked = { count: 0 };
  const isRestMadeOf = (rest: string, left: readonly string[]): boolean => {
    looked.count += 1;
    if (rest === '' || looked.count > MOST_BEGINNINGS) return true;
    // Equal parts lead to the same.
    return left.some(
      (it, i) =>
        rest.startsWith(it) && left.indexOf(it) === i && isRestMadeOf(rest.slice(it.length), left.toSpliced(i, 1)),
    );
  };
  return isRestMadeOf(text, parts);
}

function addedLabels({ commonLabels, labels }: JsonObject): Readonly<Record<string, string>> {
  const entries = Array.isArray(labels) ? labels.filter(isObject) : [];
  const added = entries.filter(it => it.includeSelectors === true || it.includeTemplates === true);
  return assigned([labelsIn(commonLabels), ...added.map(it => labelsIn(it.pairs))]) as Record<string, string>;
}

function labelsIn(value: JsonValue | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, it]) => (typeof it === 'string' ? [[key, it] as const] : [])),
  );
}
