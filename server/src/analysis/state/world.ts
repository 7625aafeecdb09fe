import type { PolicyEngine } from '../../policy/engine/engine';

/** What the analysis host needs from outside. */
export interface AnalysisWorld {
  /** Bytes of a file of server/data/kubernetes. Throws when it is missing, which means a broken build. */
  readonly readPack: (name: string) => Uint8Array;
  /** The absolute path of a file with a relative one; absent: uris are absolute. */
  readonly absolute?: (uri: string) => string;
  /** Called for every exception inside a rule, with the rule's code. */
  readonly onBug: (code: string, error: unknown) => void;
  /** Evaluates the policies of users; absent: they are not evaluated. */
  readonly policyEngine?: PolicyEngine;
  /**
   * once: problems are requested only when all files are known, so that their dependencies are not recorded. After a change
   * all problems are computed again, and `apply` does not limit the files. Absent: dependencies are recorded.
   */
  readonly problems?: 'once';
  /** Called when a placement needs a verdict of mutating policies that `evaluatePolicies` would find out. */
  readonly onPolicyQuestion?: () => void;
}
