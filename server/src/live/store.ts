import { isObject, type UnknownObject } from '../base/json';
import { jsonText } from '../base/printed';
import type { NamedObject } from '../cluster/sources/content';
import { redacted } from '../cluster/sources/redact';
import { identityOf } from '../cluster/sources/snapshot';
import type { LiveWorld } from './api';
import type { ServedKind } from './discovery';

/** One object as stored: redacted, or only its name. */
export type StoredObject = { readonly key: string } & (
  | { readonly object: UnknownObject; readonly named?: never }
  | { readonly named: NamedObject; readonly object?: never }
);

/** Items of a list contain neither apiVersion nor kind. undefined: the item is not an object with a name. */
export function toStored(
  kind: ServedKind,
  item: unknown,
  { annotations = 'decisive' }: Pick<LiveWorld, 'annotations'>,
): StoredObject | undefined {
  if (!isObject(item)) return undefined;
  const object = { ...item, apiVersion: kind.apiVersion, kind: kind.kind };
  const named = identityOf(object);
  if (named.name === '') return undefined;
  const key = `${named.namespace ?? ''}/${named.name}`;
  return kind.detail === 'names' ? { key, named } : { key, object: redacted(object, annotations) };
}

export function isSame(a: StoredObject | undefined, b: StoredObject): boolean {
  return a !== undefined && jsonText(a) === jsonText(b);
}
