import type { JsonValue } from '../../base/json';
import { asObject } from '../../base/json';
import { FieldPath } from '../../manifest/fieldPath';
import type { RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

/** A place that a pattern leads to. `value` is undefined where the last field is not written in a parent that is. */
export interface Met {
  readonly at: FieldPath;
  readonly value: JsonValue | undefined;
}

/**
 * Every place of a pattern such as `spec.volumes[].name` in an object. `pod.` stands for the PodSpec wherever it is,
 * `container.` for every container of it, whatever its list.
 */
export function* placesOf(pattern: string, target: RuleTarget): Iterable<Met> {
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

function* walk(value: JsonValue | undefined, [token, ...rest]: readonly string[], at: FieldPath): Iterable<Met> {
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
