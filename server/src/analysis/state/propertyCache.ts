import type { PolicyResult } from '../../policy/result';

/** Results of rules that read a single object, by its `contentId`. Valid for one `Kube` and one set of rules. */
export type PropertyCache = WeakMap<object, readonly PolicyResult[]>;
