import type { Holdings } from './holdings';
import type { Pool } from './pools';
import { capacityFailure, type DeviceWork, MAX_DEVICES_OF_CLAIM } from './requests';

/** The requests of all claims, prepared for the search: by claim, request and alternative. */
export type RequestGroups = readonly (readonly (readonly DeviceWork[])[])[];

/** One search on one node. */
export interface Search {
  readonly requestGroups: RequestGroups;
  readonly pools: readonly Pool[];
  readonly holdings: Holdings;
  /** Whether shared devices are limited by their remaining capacity. */
  readonly countsCapacity: boolean;
  /** The steps that the search may take, and has taken. */
  readonly allowed: number;
  steps: number;
}

/** `tooMany`: the claim would exceed its limit of devices, so alternatives with fewer devices are tried. */
export type SearchOutcome = 'done' | 'none' | 'tooMany' | 'gaveUp' | { readonly error: string };

/** The position of the search. */
interface Position {
  readonly claim: number;
  readonly request: number;
  readonly alternative: number;
  readonly device: number;
}

/** Where the search for the next device of the same request begins, so that no set of devices is tried twice. */
interface SearchStart {
  readonly pool: number;
  readonly slice: number;
  readonly device: number;
}

type Chosen = 'any alternative' | 'this alternative';

const FIRST_DEVICE: SearchStart = { pool: 0, slice: 0, device: 0 };

/**
 * Tries every request against every device in a fixed order until the first complete solution, which stays in the
 * holdings.
 */
export function searchAll(search: Search): SearchOutcome {
  return searchFrom(search, { claim: 0, request: 0, alternative: 0, device: 0 }, 'any alternative', FIRST_DEVICE);
}

/** Upstream: allocateOne. */
function searchFrom(search: Search, at: Position, chosen: Chosen, from: SearchStart): SearchOutcome {
  search.steps++;
  if (search.steps > search.allowed) return 'gaveUp';
  const requests = search.requestGroups[at.claim];
  if (!requests) return 'done';
  const alternatives = requests[at.request];
  if (!alternatives) {
    const next: Position = { claim: at.claim + 1, request: 0, alternative: 0, device: 0 };
    const outcome = searchFrom(search, next, 'any alternative', FIRST_DEVICE);
    return outcome === 'tooMany' ? 'none' : outcome;
  }
  if (chosen === 'any alternative' && alternatives[0]?.alternative !== '') {
    return searchAlternatives(search, at, alternatives.length);
  }
  const work = alternatives[at.alternative]!;
  if (work.all?.length === 0) return 'none';
  if (at.device >= work.count) {
    const next: Position = { claim: at.claim, request: at.request + 1, alternative: 0, device: 0 };
    return searchFrom(search, next, 'any alternative', FIRST_DEVICE);
  }
  const has = search.holdings.taken[at.claim]!.length;
  if (work.count - at.device > MAX_DEVICES_OF_CLAIM - has) return 'tooMany';
  return work.all ? searchNextOfAll(search, work, at, chosen) : searchPools(search, work, at, chosen, from);
}

function searchAlternatives(search: Search, at: Position, count: number): SearchOutcome {
  let allTooMany = true;
  for (let alternative = 0; alternative < count; alternative++) {
    const outcome = searchFrom(search, { ...at, alternative }, 'this alternative', FIRST_DEVICE);
    if (outcome === 'tooMany') continue;
    if (outcome !== 'none') return outcome;
    allTooMany = false;
  }
  return allTooMany ? 'tooMany' : 'none';
}

/** A request for all devices has its devices listed beforehand. */
function searchNextOfAll(search: Search, work: DeviceWork, at: Position, chosen: Chosen): SearchOutcome {
  const release = search.holdings.allocate(work, at.claim, work.all![at.device]!);
  if (release === undefined) return 'none';
  if (typeof release === 'object') return release;
  const outcome = searchFrom(search, { ...at, device: at.device + 1 }, chosen, FIRST_DEVICE);
  if (outcome !== 'done') release();
  return outcome;
}

function searchPools(search: Search, work: DeviceWork, at: Position, chosen: Chosen, from: SearchStart): SearchOutcome {
  const { pools } = search;
  for (let p = from.pool; p < pools.length; p++) {
    const { slices } = pools[p]!;
    for (let s = p === from.pool ? from.slice : 0; s < slices.length; s++) {
      const first = p === from.pool && s === from.slice ? from.device : 0;
      for (let d = first; d < slices[s]!.devices.length; d++) {
        const outcome = tryDevice(search, work, at, chosen, { pool: p, slice: s, device: d });
        if (outcome !== 'none') return outcome;
      }
    }
  }
  return 'none';
}

function tryDevice(search: Search, work: DeviceWork, at: Position, chosen: Chosen, here: SearchStart): SearchOutcome {
  const { holdings, pools, countsCapacity } = search;
  const pool = pools[here.pool]!;
  const slice = pool.slices[here.slice]!;
  const device = slice.devices[here.device]!;
  if (holdings.isHeld(work, at.claim, device)) return 'none';
  const selected = work.selects(device, slice);
  if (typeof selected === 'object') return selected;
  if (!selected) return 'none';
  const fits = !countsCapacity || holdings.remaining(work, device);
  if (typeof fits === 'object') return capacityFailure(work, device.id, fits);
  if (!fits) return 'none';
  search.steps++;
  const release = holdings.allocate(work, at.claim, { device, slice, pool });
  if (release === undefined) return 'none';
  if (typeof release === 'object') return release;
  const outcome = searchFrom(search, { ...at, device: at.device + 1 }, chosen, { ...here, device: here.device + 1 });
  if (outcome !== 'done') release();
  return outcome;
}
