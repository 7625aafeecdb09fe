import type { JsonObject, JsonValue } from '../../../base/json';
import { lazy } from '../../../base/lazy';
import { celValue } from '../../../kube/cel/values';
import { record, text } from '../../../kube/goFields';
import type { StringMap } from '../../../kube/types';
import type { WorkspaceObject } from '../../../workspace/object';
import { isMap } from '../go/goValues';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The user of the request. Upstream: kyvernov2.RequestInfo. */
export interface RequestInfo {
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
  readonly username: string;
  readonly groups: readonly string[];
}

/** A resource as admission passes it to the policies. Upstream: PolicyContext.newResource. */
export interface Resource {
  readonly object: WorkspaceObject;
  /** With its effective namespace. */
  readonly value: JsonObject;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly subresource: string;
  readonly name: string;
  readonly namespace: string;
  readonly labels: StringMap;
  readonly annotations: StringMap;
  /** The value as a CEL object; converted once. */
  celObject(): unknown;
}

/** The resource of an object, as written or with the value that earlier admission steps returned. */
export function resourceOf(object: WorkspaceObject, written: JsonObject = object.manifest.value): Resource {
  const { group, version, kind, namespace = '' } = object;
  const metadata = record(written, 'metadata') ?? {};
  const value = { ...written, metadata: { ...withoutNulls(metadata), ...(namespace !== '' && { namespace }) } };
  const labels = lazy(() => textsOf(metadata.labels));
  const annotations = lazy(() => textsOf(metadata.annotations));
  return {
    object,
    value,
    group,
    version,
    kind,
    subresource: '',
    name: text(metadata, 'name') || text(metadata, 'generateName'),
    namespace,
    get labels() {
      return labels();
    },
    get annotations() {
      return annotations();
    },
    celObject: lazy(() => celValue(value)),
  };
}

/** Equal for all resources of a kind. */
export const kindOf = ({ group, version, kind, subresource }: Resource): string =>
  `${group}/${version}/${kind}/${subresource}`;

/** Kyverno treats `labels:` without a value as an empty map. */
function withoutNulls(metadata: JsonObject): JsonObject {
  const entries = Object.entries(metadata).map(([key, it]): [string, JsonValue] => [
    key,
    it === null && (key === 'labels' || key === 'annotations') ? {} : it,
  ]);
  return Object.fromEntries(entries);
}

/** The string values of a map; other values are left out. */
export function textsOf(map: JsonValue | undefined): StringMap {
  if (!isMap(map)) return {};
  return Object.fromEntries(Object.entries(map).filter((it): it is [string, string] => typeof it[1] === 'string'));
}
