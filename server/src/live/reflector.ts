import type { UnknownObject } from '../base/json';
import { type ClusterContent, type KindListing, loadingContent, unreachable } from '../cluster/sources/content';
import type { WantedKind } from '../cluster/sources/kinds';
import { ApiFailure, type LiveWorld } from './api';
import { type Discovery, discover, type ServedKind } from './discovery';
import { type Listed, listKind, MAX_OBJECTS } from './list';
import type { StoredObject } from './store';
import { watchKind } from './watch';

/** Lists that go on at the same time; an API server answers a client's requests in turn beyond a handful. */
const MAX_PARALLEL_LISTS = 6;
/** Changes that come close together are told together. */
const DEBOUNCE_MILLISECONDS = 300;
const INITIAL_BACKOFF = 1000;
const MAX_BACKOFF = 30_000;
/** A right that is missing now may be given later. */
const FORBIDDEN_BACKOFF = 120_000;

interface KindState {
  readonly kind: ServedKind;
  listing: Listed['listing'];
  store: Map<string, StoredObject>;
}

/** Lists everything once. Never rejects: an unreachable cluster is content, too. */
export async function readCluster(
  wanted: readonly WantedKind[],
  world: LiveWorld,
  signal: AbortSignal,
): Promise<ClusterContent> {
  try {
    const discovery = await discover(wanted, world, signal);
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
 * Follows a cluster until the session is closed: a list of each kind, then a watch, with growing pauses after failures
 * and a new list when a watch has expired. `onContent` gets the whole content after each change.
 */
export function followCluster(
  wanted: readonly WantedKind[],
  world: LiveWorld,
  onContent: (content: ClusterContent) => void,
): { readonly close: () => void } {
  const session = new AbortController();
  onContent(loadingContent);
  // What is wrong in here must not end the editor's server.
  reflect(wanted, world, onContent, session.signal).catch((error: unknown) => {
    if (!session.signal.aborted) onContent(unreachable(`Berth has a bug: ${String(error)}`));
  });
  return { close: () => session.abort() };
}

async function reflect(
  wanted: readonly WantedKind[],
  world: LiveWorld,
  onContent: (content: ClusterContent) => void,
  signal: AbortSignal,
): Promise<void> {
  const discovery = await discoverWithRetry(wanted, world, onContent, signal);
  if (discovery === undefined) return;
  const states = discovery.served.map(stateOf);
  const isWhole = (): boolean => states.every(it => it.listing.state !== 'loading');
  // Half a cluster would be taken for a small one.
  const notify = debounced(() => isWhole() && onContent(contentOf(discovery, states)), world, signal);
  const limit = limiter(MAX_PARALLEL_LISTS);
  await Promise.all(states.map(state => reflectKind(state, world, signal, notify, limit)));
}

/** Asks until the server answers. */
async function discoverWithRetry(
  wanted: readonly WantedKind[],
  world: LiveWorld,
  onContent: (content: ClusterContent) => void,
  signal: AbortSignal,
): Promise<Discovery | undefined> {
  for (let backoff = INITIAL_BACKOFF; !signal.aborted; backoff = Math.min(backoff * 2, MAX_BACKOFF)) {
    try {
      return await discover(wanted, world, signal);
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

/** Watches one kind for as long as that goes well. */
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
    // A server that ends each watch at once must not be asked without pause.
    await world.sleep(INITIAL_BACKOFF, signal);
  }
  return 'failed';
}

function stateOf(kind: ServedKind): KindState {
  return { kind, listing: { state: 'loading' }, store: new Map() };
}

/** What was known stays known while the server is away. */
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

/** A cluster is away when nothing that may be asked for can be had. */
function overallState(states: readonly KindState[]): Pick<ClusterContent, 'state' | 'reason'> {
  const listable = states.filter(it => it.listing.state !== 'forbidden' && it.listing.state !== 'unserved');
  const [limit] = listable;
  if (limit === undefined || listable.some(it => it.listing.state !== 'failed')) return { state: 'ready' };
  return { state: 'unreachable', reason: limit.listing.reason ?? 'it does not answer' };
}

/** Runs `tell` once for all calls that come within a short while. */
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

/** Lets so many works go on at the same time; the others wait for their turn. */
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
