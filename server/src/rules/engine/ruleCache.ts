import { createSharedTexts, type SharedTexts } from '../../base/sharedTexts';
import type { AnyRule, RuleFinding, RuleMeta, RuleTarget } from '../framework/rule';

/**
 * Findings by `contentId` of the rules that look at one whole object alone, and by texts without names.
 * Valid for one `Kube` and one list of rules; a change of either needs a new cache, or `cacheForSchemas`. Severities are not
 * part of it.
 */
export interface RuleCache extends FoundAlone {
  /** Those of the kinds whose schemas changed, by `GROUP/KIND`. */
  readonly ofKinds: ReadonlyMap<string, FoundAlone>;
  /** The rules for each kind of object, in files of whole objects. */
  readonly rules: Map<string, RulesByCost>;
}

/** The rules of one kind of object by cost. Those of cost `typing` are two lists: `decode`, and the others. */
export interface RulesByCost extends Readonly<Record<RuleMeta['cost'], readonly AnyRule[]>> {
  readonly decode: readonly AnyRule[];
  /** Those of `typing` that do not say what the API server answers. */
  readonly notOfServer: readonly AnyRule[];
}

interface FoundAlone {
  readonly found: Pick<WeakMap<object, readonly RuleFinding[]>, 'get' | 'set'>;
  readonly alike: SharedTexts<readonly RuleFinding[]>;
  /** What the server says apart from values that it cannot decode; see `beyondUndecoded`. */
  readonly beyond: WeakMap<object, readonly RuleFinding[]>;
}

export function createRuleCache(): RuleCache {
  return { ...nothingFound(), ofKinds: new Map(), rules: new Map() };
}

const nothingFound = (): FoundAlone => ({
  found: new WeakMap(),
  alike: createSharedTexts(),
  beyond: new WeakMap(),
});

/**
 * The cache for a `Kube` that differs in the schemas of some custom kinds (`GROUP/KIND`). It shares with the earlier cache
 * all but what is known of objects of these kinds: no rule looks at the schema of another kind.
 */
export function cacheForSchemas(cache: RuleCache, kinds: readonly string[]): RuleCache {
  return { ...cache, ofKinds: new Map([...cache.ofKinds, ...kinds.map(it => [it, nothingFound()] as const)]) };
}

/**
 * A cache that keeps nothing, for objects that are checked once: keeping 200,000 findings costs more than finding them.
 */
export const NO_FINDINGS_CACHE: RuleCache['found'] = { get: () => undefined, set: () => NO_FINDINGS_CACHE as never };

export function foundAloneIn(cache: RuleCache, { object: { group, kind } }: RuleTarget): FoundAlone {
  return cache.ofKinds.size === 0 ? cache : (cache.ofKinds.get(`${group}/${kind}`) ?? cache);
}
