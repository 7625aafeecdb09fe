import type { JsonObject, JsonValue } from '../../base/json';
import type { ObjectSchema } from '../../kube/kube';
import type { StringMap } from '../../kube/types';
import type { CelEngine } from './cel/engine';
import type { ClusterLibrary } from './cel/libraries';
import type { PodSecurityChecks } from './engine/podSecurity';
import type { Jmespath } from './jmespath/jmespath';
import type { ClusterObjects } from './resource/clusterObjects';
import type { Operation, RequestInfo } from './resource/resource';

/** The cluster as Kyverno queries it, answered from what is known offline. */
export interface KyvernoWorld {
  readonly jmespath: Jmespath;
  /** For CEL in kyverno.io rules. */
  readonly cel: CelEngine;
  /** For policies.kyverno.io. */
  readonly policyCel: CelEngine;
  /** For GeneratingPolicies, whose maps may hold values of any type. */
  readonly generatingCel: CelEngine;
  readonly podSecurity: PodSecurityChecks;
  /**
   * The whole ConfigMap; undefined when it does not exist. When the function is absent, entries that read ConfigMaps
   * are left out.
   */
  readonly configMap?: (namespace: string, name: string) => JsonObject | undefined;
  /** A Namespace as it is described. */
  readonly namespace: (name: string) => JsonObject | undefined;
  /** undefined for a namespace that nothing describes. */
  readonly namespaceLabels: (name: string) => StringMap | undefined;
  /** The response to a GET of an API path; undefined when unknown. */
  readonly apiCall: (path: string) => JsonValue | undefined;
  /** What the functions of CEL read of the cluster. */
  readonly library: Pick<ClusterLibrary, 'get' | 'list'>;
  /** The value of a GlobalContextEntry; undefined when unknown. */
  readonly globalEntry?: (name: string) => JsonValue | undefined;
  readonly objectsOf: (apiVersion: string, kind: string) => readonly JsonObject[];
  readonly clusterObjects: ClusterObjects;
  /** `deployments` for a Deployment. */
  readonly resourceName: (group: string, version: string, kind: string) => string;
  /**
   * The kind of a group, `*` for any, that is meant by its name in other letters or by the name of its resource; undefined: the
   * name is that of a kind, or not known at all.
   */
  readonly kindLike: (group: string, name: string) => string | undefined;
  /** undefined for a kind whose schema is unknown. */
  readonly schemaOf: (apiVersion: string, kind: string) => ObjectSchema | undefined;
  readonly isNamespaced: (apiVersion: string, kind: string) => boolean;
  readonly exceptionsOf: ExceptionsOf;
  readonly celExceptionsOf: ExceptionsOf;
  readonly user?: RequestInfo;
  /** Defaults to CREATE. */
  readonly operation?: Operation;
  /** A test suite's values for a policy and a resource, by dotted names. */
  readonly valuesOf?: (policy: string, object: string) => Readonly<Record<string, JsonValue>>;
  /** A test suite's values for a rule. */
  readonly ruleValuesOf?: (policy: string, rule: string) => Readonly<Record<string, JsonValue>>;
}

/** The PolicyExceptions that name a policy. */
export type ExceptionsOf = (policy: string) => readonly JsonObject[];
