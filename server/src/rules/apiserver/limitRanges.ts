import { asObject, type UnknownObject } from '../../base/json';
import { grouped } from '../../base/multiMap';
import { jsonText } from '../../base/printed';
import { MOST_LIMIT_RANGES, type ReadRange, readRange } from '../../cluster/admission/limitRanger';
import { decoded } from '../../cluster/decode/documents';
import type { Kube } from '../../kube/kube';
import type { LimitRange } from '../../kube/types';
import type { WorkspaceObject } from '../../workspace/object';
import type { RuleContext } from '../framework/rule';
import { answerOf } from './validate/engine';

/** The LimitRanges of the object's namespace that the server takes, without those that say the same as another. */
export function limitRangesFor({ namespace }: WorkspaceObject, { snapshot, kube }: RuleContext): readonly ReadRange[] {
  const all = snapshot.objectsOf('', 'LimitRange');
  return kube.parts.of('LimitRanges by namespace', all, () => rangesByNamespace(all, kube)).get(namespace) ?? [];
}

/**
 * The same without those that are defined several times, of which it is not known which one counts, and those without a name,
 * which no server stores.
 */
export function certainLimitRangesFor(
  { namespace }: WorkspaceObject,
  { snapshot, kube }: RuleContext,
): readonly ReadRange[] {
  const all = snapshot.objectsOf('', 'LimitRange');
  const byNamespace = kube.parts.of('LimitRanges that are defined once', all, () => {
    const named = grouped(all, it => `${it.namespace ?? ''}/${it.name ?? ''}`);
    return rangesByNamespace(
      [...named.values()].flatMap(it => (it.length === 1 && it[0]?.name ? it : [])),
      kube,
    );
  });
  return byNamespace.get(namespace) ?? [];
}

function rangesByNamespace(
  all: readonly WorkspaceObject[],
  kube: Kube,
): ReadonlyMap<string | undefined, readonly ReadRange[]> {
  const kind = kube.kindOf('v1', 'LimitRange');
  const unlike = new Map<string | undefined, Map<string, WorkspaceObject>>();
  for (const it of all) {
    const known = unlike.get(it.namespace) ?? new Map<string, WorkspaceObject>();
    unlike.set(it.namespace, known);
    const bounds = jsonText(it.manifest.value.spec);
    if (known.size < MOST_LIMIT_RANGES && !known.has(bounds)) known.set(bounds, it);
  }
  const taken = ({ manifest: { value } }: WorkspaceObject): ReadRange | readonly [] => {
    const range = answerOf(value, kind, kube)?.errors.length === 0 ? decodedAs<LimitRange>(value) : undefined;
    return range === undefined ? [] : readRange(range);
  };
  return new Map([...unlike].map(([namespace, them]) => [namespace, [...them.values()].flatMap(taken)]));
}

/** The object as the server decodes it; undefined where it does not. */
export function decodedAs<T>(value: unknown): T | undefined {
  const object = asObject(value);
  const result = object && decoded(object as UnknownObject);
  return result !== undefined && 'object' in result ? (result.object as T) : undefined;
}
