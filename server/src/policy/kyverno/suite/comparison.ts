import type { JsonObject, JsonValue } from '../../../base/json';
import { jsonText } from '../../../base/printed';
import { record, text, texts } from '../../../kube/goFields';
import { deepEqual, isList, isMap } from '../go/goValues';
import type { RuleReport } from './results';

/**
 * Compares the created objects with the expected ones. Objects that the expected file does not name are left out,
 * unless the suite sets failOnMissingResources. Upstream: checkResult.
 */
export function comparison(
  result: JsonObject,
  reports: readonly RuleReport[],
  objectsAt: (path: string) => readonly JsonObject[],
): 'same' | 'left out' | { readonly difference: string } {
  const files = ['patchedResource', 'patchedResources', 'generatedResource'].flatMap(it => text(result, it) || []);
  const expected = [...files, ...texts(result, 'generatedResources')].flatMap(objectsAt);
  const made = reports.flatMap(it => it.objects ?? []);
  if (expected.length === 0 || made.length === 0) return 'same';
  const named = made.filter(it => expected.some(other => isSameName(it, other)));
  if (named.length === 0 && result.failOnMissingResources !== true) return 'left out';
  const missing = named.find(it => !expected.some(other => isSameObject(it, other)));
  if (missing === undefined) return 'same';
  const name = `${text(missing, 'kind')} ${text(record(missing, 'metadata'), 'name')}`;
  return { difference: `${name} is not as the suite expects it: ${jsonText(missing)}` };
}

const idOf = (it: JsonObject): readonly string[] => {
  const metadata = record(it, 'metadata');
  return [text(it, 'kind'), text(metadata, 'name'), text(metadata, 'namespace') || 'default'];
};

export const isSameName = (a: JsonObject, b: JsonObject): boolean => idOf(a).join('/') === idOf(b).join('/');

/** A missing namespace equals `default`, and empty values equal missing ones. Upstream: resource.Compare. */
function isSameObject(a: JsonObject, b: JsonObject): boolean {
  const plain = (it: JsonObject) => tidy({ ...it, metadata: { namespace: 'default', ...record(it, 'metadata') } });
  return deepEqual(plain(a), plain(b));
}

function tidy(value: JsonValue): JsonValue | undefined {
  if (value === null) return undefined;
  if (isList(value)) {
    const items = value.flatMap(it => tidy(it) ?? []);
    return items.length === 0 ? undefined : items;
  }
  if (!isMap(value)) return value;
  const entries = Object.entries(value).flatMap(([key, it]): [string, JsonValue][] => {
    const inner = tidy(it);
    return inner === undefined ? [] : [[key, inner]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
