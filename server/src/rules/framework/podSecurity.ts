import type { Policy } from './podSecurityLevels';

/**
 * How an API server is configured for Pod security besides the labels of Namespaces, and which user makes the requests.
 * Upstream: PodSecurityConfiguration.
 */
export interface PodSecurity {
  readonly defaults: Policy;
  readonly exemptions: {
    readonly usernames: readonly string[];
    readonly namespaces: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
  /** The user that applies the manifests; when absent, no exemption by user name holds. */
  readonly username?: string;
}
