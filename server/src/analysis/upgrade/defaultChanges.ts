import { asObject, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { jsonText } from '../../base/printed';
import { isSameValue } from '../../base/sameValue';
import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import { createdObject } from '../../rules/apiserver/validate/engine';
import { identityOf } from '../../rules/framework/identity';
import type { WorkspaceObject } from '../../workspace/object';
import type { UpgradeChange } from './change';

/** A version with its facts. */
export interface Facts {
  readonly version: string;
  readonly kube: Kube;
}

/** A value that the API server gives a field that is not written, before and after; undefined: it gives none. */
interface DefaultChange {
  readonly at: FieldPath;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

/** What the API server sets itself, at each creation anew. */
const OF_THE_SERVER = new Set(['uid', 'creationTimestamp', 'managedFields', 'generation', 'selfLink']);

/** Fields that are not written and get another value after the upgrade. What gates drop of the text is a problem, not here. */
export function defaultChanges(object: WorkspaceObject, walk: readonly Facts[]): readonly UpgradeChange[] {
  const [first, last] = [walk[0], walk.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { manifest, apiVersion, kind } = object;
  const { value } = manifest;
  const created = ({ kube }: Facts): JsonObject | undefined => {
    const info = kube.kindOf(apiVersion, kind);
    return info?.origin === 'built-in' ? createdObject(value, info, kube) : undefined;
  };
  const [before, after] = [created(first), created(last)];
  if (before === undefined || after === undefined) return [];
  return differences(FieldPath.root, before, after)
    .filter(it => valueAt(value, it.at) === undefined)
    .map(it => {
      const at = walk.findLastIndex(facts => !isSameValue(valueAt(created(facts), it.at), it.after));
      return changeOf(object, it, walk[at + 1]?.version ?? last.version);
    });
}

function differences(
  at: FieldPath,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): readonly DefaultChange[] {
  if (isSameValue(before, after)) return [];
  const [left, right] = [asObject(before), asObject(after)];
  if (left !== undefined && right !== undefined) {
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(it => !OF_THE_SERVER.has(it));
    return names.flatMap(it => differences(at.child(it), left[it], right[it]));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((it, i) => differences(at.index(i), it as JsonValue, after[i] as JsonValue));
  }
  return [{ at, before, after }];
}

function changeOf(object: WorkspaceObject, { at, before, after }: DefaultChange, since: string): UpgradeChange {
  const { manifest } = object;
  const path = at.toString();
  return {
    change: 'default',
    urgency: 'silent',
    since,
    problem: {
      code: 'upgrade/default',
      category: 'apiserver',
      severity: 'info',
      fieldPath: path,
      message: sentenceOf(path, before, after),
      uri: manifest.uri,
      document: manifest.document,
      ...(manifest.item !== undefined && { item: manifest.item }),
      object: identityOf(object),
      span: manifest.spanOf(at, 'key'),
      related: [],
      fixes: [],
    },
  };
}

function sentenceOf(path: string, before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (before === undefined) return t`${path} is not written and gets the value ${jsonText(after)}; before, it got none`;
  if (after === undefined) return t`${path} is not written and gets no value; before, it got ${jsonText(before)}`;
  return t`${path} is not written and gets the value ${jsonText(after)}; before, it got ${jsonText(before)}`;
}
