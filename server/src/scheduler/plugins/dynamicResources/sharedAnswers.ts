import type { ResourceClaimModel } from '../../../cluster/devices/claims';
import { mostRecent } from '../../framework/sharedWork';
import type { AllocatedState } from './allocatedState';
import type { AllocatorAnswer } from './allocator';
import type { Pool } from './pools';

type Pools = readonly Pool[];
type AskPools = (pools: Pools, answer: () => AllocatorAnswer) => AllocatorAnswer;

/**
 * Answers of one run. Pods whose claims come from the same templates get the same devices of a node as long as its
 * pools are unchanged.
 */
export interface SharedAnswers {
  /** For claims without an allocation, given what others have allocated. */
  askerFor(claims: readonly ResourceClaimModel[], allocated: AllocatedState): AskPools;
}

interface KindAnswers {
  readonly stamp: number;
  readonly answer: AllocatorAnswer;
}

/** Limit on the kinds of claims that are cached. */
const MAX_KINDS = 64;

export function sharedAnswers(): SharedAnswers {
  const ids = new Map<object, number>();
  const kinds = mostRecent(MAX_KINDS, () => new Map<Pools, KindAnswers>());
  /** Pool → number of changes. The numbers only grow, so an unchanged sum means that none has changed. */
  const changes = new Map<string, number>();
  let latest: AllocatedState = { devices: new Set(), shared: new Set(), capacity: new Map() };

  const idOf = (it: object): number => {
    const found = ids.get(it) ?? ids.size;
    ids.set(it, found);
    return found;
  };
  // A template is decoded once, so its claims share the same lists.
  const kindOf = (claims: readonly ResourceClaimModel[]): Map<Pools, KindAnswers> =>
    kinds(claims.map(it => `${idOf(it.requests)}.${idOf(it.constraints)}`).join());
  const changed = (device: string): void => {
    const pool = device.slice(0, device.lastIndexOf('/'));
    changes.set(pool, (changes.get(pool) ?? 0) + 1);
  };
  const follow = (now: AllocatedState): void => {
    for (const it of now.devices) if (!latest.devices.has(it)) changed(it);
    for (const it of latest.devices) if (!now.devices.has(it)) changed(it);
    // The consumed capacity of a shared device may differ each time.
    for (const it of latest.shared) changed(it);
    for (const it of now.shared) changed(it);
    latest = now;
  };
  return {
    askerFor(claims, allocated) {
      follow(allocated);
      const cached = kindOf(claims);
      return (pools, ask) => {
        const stamp = pools.reduce((sum, it) => sum + (changes.get(it.id) ?? 0), 0);
        const before = cached.get(pools);
        if (before?.stamp === stamp) return before.answer;
        const answer = ask();
        // An error contains the name of the claim, so it is not shared.
        if (!('error' in answer)) cached.set(pools, { stamp, answer });
        return answer;
      };
    },
  };
}
