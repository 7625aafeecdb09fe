import type { UnknownObject } from '../base/json';
import { type ClusterContent, type KindListing, loadingContent, unreachable } from '../cluster/sources/content';
import type { WantedKind } from '../cluster/sources/kinds';
import { ApiFailure, type LiveWorld } from './api';
import { type Discovery, discover, type ServedKind } from './discovery';
import { type Listed, listKind, MAX_OBJECTS } from './list';
import type { StoredObject } from './store';
import { watchKind } from './watch';

/** Parallel lists; with more than a few, an API server queues a client's requests. */
const MAX_PARALLEL_LISTS = 6;
/** Changes within this time are reported together. */
const DEBOUNCE_MILLISECONDS = 300;
const INITIAL_BACKOFF = 1000;
const MAX_BACKOFF = 30_000;
/** A missing permission may be granted later. */
const FORBIDDEN_BACKOFF = 120_000;

interface KindState {
  readonly kind: ServedKind;
  listing: Listed['listing'];
  store: Map<string, StoredObject>;
}

/** Lists everything once. Never rejects: an unreachable cluster is a valid result. */
export async function readCluster(
  kinds: readonly WantedKind[],
  world: LiveWorld,
  signal: AbortSignal,
): Promise<ClusterContent> {
  try {
    const discovery = await discover(kinds, world, signal);
    const states = discovery.served.map(stateOf);
    const queue = [...states];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        replace(next, await listKind(next.kind, world, signal));
    };
    await Promise.all(Array.from({ length: MAX_PARALLEL_LISTS }, work));
    return contentOf(discovery, states);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return unreachable(error.message);
  }
}

/**
 * Follows a cluster until it is closed: lists each kind, then watches it, with growing pauses after failures and a new
 * list when a watch has expired. `onContent` gets the whole content after each change. Upstream: client-go's Reflector.
 */
export function followCluster(
  kinds: readonly WantedKind[],
  world: LiveWorld,
  onContent: (content: ClusterContent) => void,
): { readonly close: () => void } {
  const session = new AbortController();
  onContent(loadingContent);
  // A bug in here must not end the editor's server.
  reflect(kinds, world, onContent, session.signal).catch((error: unknown) => {
    if (!session.signal.aborted) onContent(unreachable(`Berth has a bug: ${String(error)}`));
  });
  return { close: () => session.abort() };
}

async function reflect(
  kinds: readonly WantedKind[],
  world: LiveWorld,
  onContent: (content: ClusterContent) => void,
  signal: AbortSignal,
): Promise<void> {
  const discovery = await discoverWithRetry(kinds, world, onContent, signal);
  if (discovery === undefined) return;
  const states = discovery.served.map(stateOf);
  const isWhole = (): boolean => states.every(it => it.listing.state !== 'loading');
  // A part of the cluster would look like a small cluster.
  const notify = debounced(() => isWhole() && onContent(contentOf(discovery, states)), world, signal);
  const limit = limiter(MAX_PARALLEL_LISTS);
  await Promise.all(states.map(state => reflectKind(state, world, signal, notify, limit)));
}

/** Retries until the server answers. */
async function discoverWithRetry(
  kinds: readonly WantedKind[],
  world: LiveWorld,
  onContent: (content: ClusterContent) => void,
  signal: AbortSignal,
): Promise<Discovery | undefined> {
  for (let backoff = INITIAL_BACKOFF; !signal.aborted; backoff = Math.min(backoff * 2, MAX_BACKOFF)) {
    try {
      return await discover(kinds, world, signal);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (!signal.aborted) onContent(unreachable(error.message));
      await world.sleep(backoff, signal);
    }
  }
  return undefined;
}

async function reflectKind(
  state: KindState,
  world: LiveWorld,
  signal: AbortSignal,
  notify: () => void,
  limit: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  for (let backoff = INITIAL_BACKOFF; !signal.aborted; ) {
    const listed = await limit(() => listKind(state.kind, world, signal));
    if (signal.aborted) return;
    replace(state, listed);
    notify();
    if (listed.listing.state === 'unserved') return;
    if (listed.from !== undefined) {
      backoff = INITIAL_BACKOFF;
      const end = await followFrom(state, listed.from, world, signal, notify);
      if (end === 'expired') continue;
    }
    await world.sleep(listed.listing.state === 'forbidden' ? FORBIDDEN_BACKOFF : backoff, signal);
    backoff = Math.min(backoff * 2, MAX_BACKOFF);
  }
}

/** Watches one kind until the watch expires or fails. */
async function followFrom(
  state: KindState,
  from: NonNullable<Listed['from']>,
  world: LiveWorld,
  signal: AbortSignal,
  notify: () => void,
): Promise<'expired' | 'failed'> {
  const onChange = (): void => {
    if (state.store.size > MAX_OBJECTS) state.listing = { ...state.listing, state: 'partial' };
    notify();
  };
  let resumeFrom = from;
  while (!signal.aborted) {
    const end = await watchKind(state.kind, resumeFrom, state.store, world, signal, onChange);
    if (end.why === 'expired') return 'expired';
    if (end.why === 'failed') {
      state.listing = { ...state.listing, state: 'failed', reason: end.reason };
      if (!signal.aborted) notify();
      return 'failed';
    }
    resumeFrom = { ...resumeFrom, resourceVersion: end.resourceVersion };
    // A server that ends each watch immediately must not be asked without a pause.
    await world.sleep(INITIAL_BACKOFF, signal);
  }
  return 'failed';
}

function stateOf(kind: ServedKind): KindState {
  return { kind, listing: { state: 'loading' }, store: new Map() };
}

/** Old objects stay in the store while the server is unreachable. */
function replace(state: KindState, { listing, store }: Listed): void {
  state.listing = listing;
  if (listing.state !== 'failed') state.store = new Map(store);
}

function contentOf(discovery: Discovery, states: readonly KindState[]): ClusterContent {
  const store = states.flatMap(it => [...it.store.values()]);
  const { kubernetesVersion } = discovery;
  return {
    ...overallState(states),
    objects: store.flatMap((it): readonly UnknownObject[] => (it.object ? [it.object] : [])),
    names: store.flatMap(it => it.named ?? []),
    listings: [
      ...states.map(({ kind: { group, kind }, listing }): KindListing => ({ group, kind, ...listing })),
      ...discovery.unserved.map(({ group, kind }): KindListing => ({ group, kind, state: 'unserved' })),
    ],
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    notes: [],
  };
}

/** A cluster is unreachable when every kind that may be listed has failed. */
function overallState(states: readonly KindState[]): Pick<ClusterContent, 'state' | 'reason'> {
  const listable = states.filter(it => it.listing.state !== 'forbidden' && it.listing.state !== 'unserved');
  const [limit] = listable;
  if (limit === undefined || listable.some(it => it.listing.state !== 'failed')) return { state: 'ready' };
  return { state: 'unreachable', reason: limit.listing.reason ?? 'it does not answer' };
}

/** Runs `notify` once for all calls within a short time. */
function debounced(notify: () => unknown, world: LiveWorld, signal: AbortSignal): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    void world.sleep(DEBOUNCE_MILLISECONDS, signal).then(() => {
      isWaiting = false;
      if (!signal.aborted) notify();
    });
  };
}

/** Limits the number of parallel tasks; further tasks wait in order. */
function limiter(permits: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = permits;
  const waiting: (() => void)[] = [];
  return async work => {
    if (free > 0) free -= 1;
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
