import type { Kube } from '../../kube/kube';
import type { PolicyEngine } from '../engine/engine';
import type { OpenApi } from './openApi';
import type { AdmissionPolicies, ApiResource } from './policies';

/** What the engine needs to evaluate admission policies. */
export interface VapAdmission {
  readonly policies: AdmissionPolicies;
  readonly resources: readonly ApiResource[];
  /** Schemas of the custom resources that the workspace defines. */
  readonly custom: OpenApi;
  readonly kube: Kube;
  readonly engine: PolicyEngine;
}
