import type { JsonObject, JsonValue } from '../../base/json';
import type { ObjectSchema } from '../../kube/kube';
import type { StringMap } from '../../kube/types';
import type { CelEngine } from './cel/engine';
import type { PodSecurityChecks } from './engine/podSecurity';
import type { Jmespath } from './jmespath/jmespath';
import type { ClusterObjects } from './resource/clusterObjects';
import type { Operation, RequestInfo } from './resource/resource';

/** What Kyverno asks its cluster for, answered from what is known. */
export interface KyvernoWorld {
  readonly jmespath: Jmespath;
  /** For the expressions of rules. */
  readonly cel: CelEngine;
  /** For those of policies.kyverno.io. */
  readonly policyCel: CelEngine;
  /** For those of GeneratingPolicies, whose maps hold values of any type. */
  readonly generatingCel: CelEngine;
  readonly podSecurity: PodSecurityChecks;
  /** The whole object; undefined when it is nowhere. Without the function entries that read one are left out. */
  readonly configMap?: (namespace: string, name: string) => JsonObject | undefined;
  /** A Namespace as it is described. */
  readonly namespace: (name: string) => JsonObject | undefined;
  /** undefined for a namespace that nobody describes. */
  readonly namespaceLabels: (name: string) => StringMap | undefined;
  /** What a GET of a path of the API gives; undefined where that is not known. */
  readonly apiCall: (path: string) => JsonValue | undefined;
  /** What a GlobalContextEntry holds; undefined where that is not known. */
  readonly globalEntry?: (name: string) => JsonValue | undefined;
  readonly objectsOf: (apiVersion: string, kind: string) => readonly JsonObject[];
  readonly clusterObjects: ClusterObjects;
  /** `deployments` for a Deployment. */
  readonly resourceName: (group: string, version: string, kind: string) => string;
  /** undefined for a kind whose schema is not known. */
  readonly schemaOf: (apiVersion: string, kind: string) => ObjectSchema | undefined;
  readonly isNamespaced: (apiVersion: string, kind: string) => boolean;
  readonly exceptionsOf: ExceptionsOf;
  readonly celExceptionsOf: ExceptionsOf;
  readonly user?: RequestInfo;
  /** CREATE unless said otherwise. */
  readonly operation?: Operation;
  /** Values that a test suite gives for a policy and an object, by names with dots. */
  readonly valuesOf?: (policy: string, object: string) => Readonly<Record<string, JsonValue>>;
  /** Values that a test suite gives for a rule. */
  readonly ruleValuesOf?: (policy: string, rule: string) => Readonly<Record<string, JsonValue>>;
}

/** PolicyExceptions, told by the policy that one of their entries names. */
export type ExceptionsOf = (policy: string) => readonly JsonObject[];
