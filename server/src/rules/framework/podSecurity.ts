import type { Policy } from './podSecurityLevels';

/**
 * What an API server is told of Pod security besides the labels of Namespaces, and who makes the requests. Upstream:
 * PodSecurityConfiguration.
 */
export interface PodSecurity {
  readonly defaults: Policy;
  readonly exemptions: {
    readonly usernames: readonly string[];
    readonly namespaces: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
  /** The user that applies the manifests; without one nobody is exempt by name. */
  readonly username?: string;
}
