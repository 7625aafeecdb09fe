import type { PropertyResults } from '../../policy/property/property';

/** Results of rules that read a single object, by its `contentId`. Valid for one `Kube` and one set of rules. */
export type PropertyCache = WeakMap<object, PropertyResults>;
