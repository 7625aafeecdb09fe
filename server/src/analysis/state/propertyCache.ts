import type { PolicyResult } from '../../policy/result';

/** Results of policies that look at one object alone, by its `contentId`. Valid for one `Kube` and one set of rules. */
export type PropertyCache = WeakMap<object, readonly PolicyResult[]>;
