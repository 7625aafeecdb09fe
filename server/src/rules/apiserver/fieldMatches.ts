import { asObject, type JsonValue } from '../../base/json';
import { FieldPath } from '../../manifest/fieldPath';
import type { RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

/** A location that a pattern matches. `value` is undefined if the last field is not written but its parent is. */
export interface FieldMatch {
  readonly at: FieldPath;
  readonly value: JsonValue | undefined;
}

/**
 * Every location in an object that matches a pattern such as `spec.volumes[].name`. `pod.` stands for the path of the
 * PodSpec, `container.` for that of each container in any list.
 */
export function* fieldMatches(pattern: string, target: RuleTarget): Iterable<FieldMatch> {
  const [head, ...rest] = pattern.split('.');
  if (head !== 'pod' && head !== 'container') {
    yield* walk(target.value, tokensOf(pattern), FieldPath.root);
    return;
  }
  const place = podSpecOf(target);
  if (place === undefined) return;
  const lists = head === 'pod' ? [[]] : CONTAINER_LISTS.map(it => [it, '[]']);
  for (const list of lists) yield* walk(place.spec, [...list, ...tokensOf(rest.join('.'))], place.at);
}

const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'];

function tokensOf(pattern: string): readonly string[] {
  return pattern.match(/\[\]|[^.[\]]+/g) ?? [];
}

function* walk(value: JsonValue | undefined, [token, ...rest]: readonly string[], at: FieldPath): Iterable<FieldMatch> {
  if (token === undefined) {
    yield { at, value };
    return;
  }
  if (token === '[]') {
    if (!Array.isArray(value)) return;
    for (const [i, item] of (value as readonly JsonValue[]).entries()) yield* walk(item, rest, at.index(i));
    return;
  }
  const object = asObject(value);
  if (object === undefined) return;
  if (Object.hasOwn(object, token)) yield* walk(object[token], rest, at.child(token));
  else if (rest.length === 0) yield { at: at.child(token), value: undefined };
}
