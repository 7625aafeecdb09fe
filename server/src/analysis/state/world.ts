import type { PolicyEngine } from '../../policy/engine/engine';

/** What the host may ask of the outside. */
export interface AnalysisWorld {
  /** Bytes of a file of server/data/kubernetes. Throws when it is missing: the build is broken then. */
  readonly readPack: (name: string) => Uint8Array;
  /** The full path of a file that has a relative one, as it stands in folders; absent: uris are full ones. */
  readonly absolute?: (uri: string) => string;
  /** Told of every exception inside a rule, with the rule's code. */
  readonly onBug: (code: string, error: unknown) => void;
  /** What evaluates the policies that users bring; without it they are not looked at. */
  readonly policyEngine?: PolicyEngine;
  /**
   * once: problems are asked for when everything is known, so that what they hang on is not kept. After a change all are found
   * anew, and `apply` does not tell whose may be others. Absent: what a change touches is known.
   */
  readonly problems?: 'once';
  /** Is told when a placement wants to know something of mutating policies that `judgePolicies` would find out. */
  readonly onPoliciesAsked?: () => void;
}
