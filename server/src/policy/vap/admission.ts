import type { Kube } from '../../kube/kube';
import type { Snapshot } from '../../workspace/workspace';
import type { PolicyEngine } from '../engine/engine';
import { customSchemasOf, type OpenApi } from './openApi';
import { type AdmissionPolicies, type ApiResource, apiResourcesOf } from './policies';

/** What the engine needs to evaluate admission policies. */
export interface VapAdmission {
  readonly policies: AdmissionPolicies;
  readonly resources: readonly ApiResource[];
  /** Schemas of the custom resources that the workspace defines. */
  readonly custom: OpenApi;
  /** The contents of their definitions: where these are the same, so are the schemas. */
  readonly definitions: readonly object[];
  readonly kube: Kube;
  readonly engine: PolicyEngine;
}

export function vapAdmission(
  policies: AdmissionPolicies,
  snapshot: Snapshot,
  kube: Kube,
  engine: PolicyEngine,
): VapAdmission {
  const definitions = snapshot.objectsOf('apiextensions.k8s.io', 'CustomResourceDefinition');
  return {
    policies,
    resources: apiResourcesOf(kube, snapshot),
    custom: customSchemasOf(snapshot, kube),
    definitions: definitions.map(it => it.manifest.contentId),
    kube,
    engine,
  };
}
