import type { StringMap } from '../../kube/types';
import type { JsonObject, JsonValue } from '../../manifest/manifest';
import type { Jmespath } from './jmespath/jmespath';
import type { Operation, RequestInfo } from './subject';

/** What Kyverno asks its cluster for, answered from what is known. */
export interface KyvernoWorld {
  readonly jmespath: Jmespath;
  /** The whole object; undefined when it is nowhere. Without the function entries that read one are left out. */
  readonly configMap?: (namespace: string, name: string) => JsonObject | undefined;
  /** undefined for a namespace that nobody describes. */
  readonly namespaceLabels: (name: string) => StringMap | undefined;
  /** PolicyExceptions, as objects. */
  readonly exceptions: readonly JsonObject[];
  readonly user?: RequestInfo;
  /** CREATE unless said otherwise. */
  readonly operation?: Operation;
  /** Values that a test suite gives for a policy and an object, by names with dots. */
  readonly valuesOf?: (policy: string, object: string) => Readonly<Record<string, JsonValue>>;
  /** Values that a test suite gives for a rule. */
  readonly ruleValuesOf?: (policy: string, rule: string) => Readonly<Record<string, JsonValue>>;
}
