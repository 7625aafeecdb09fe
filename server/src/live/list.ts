import type { KindListing } from '../cluster/sources/content';
import { ApiFailure, JSON_TYPE, type LiveWorld, REQUEST_PATIENCE } from './api';
import { parsed, type ServedKind } from './discovery';
import { type StoredObject, toStored } from './store';

/** Objects in one page: few enough that reading a page does not block. */
const PAGE = 250;

/** Limit on the objects of one kind; the listing says when objects are left out. */
export const MAX_OBJECTS = 50_000;

/** The result of listing one kind. */
export interface Listed {
  readonly listing: Pick<KindListing, 'state' | 'namespaces' | 'reason'>;
  readonly store: ReadonlyMap<string, StoredObject>;
  /** Where a watch continues; absent when there is nothing to watch. */
  readonly from?: { readonly path: string; readonly resourceVersion: string };
}

interface ListAnswer {
  readonly metadata?: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items?: unknown;
  readonly message?: string;
}

const NOTHING: ReadonlyMap<string, StoredObject> = new Map();

/** For names, metadata only, so that the data of Secrets never leaves the server; whole objects in JSON. */
export function acceptOf({ detail }: ServedKind, form: 'PartialObjectMetadataList' | 'PartialObjectMetadata'): string {
  return detail === 'names' ? `${JSON_TYPE};as=${form};g=meta.k8s.io;v=v1` : JSON_TYPE;
}

/**
 * Lists a kind in the whole cluster or, where that is forbidden, in the namespace of the kubeconfig's context. Never
 * rejects: errors are in the listing.
 */
export async function listKind(kind: ServedKind, world: LiveWorld, signal: AbortSignal): Promise<Listed> {
  const root = kind.group === '' ? `/api/${kind.apiVersion}` : `/apis/${kind.apiVersion}`;
  const everywhere = await listPath(kind, `${root}/${kind.resource}`, world, signal);
  const { namespace } = world;
  if (everywhere.listing.state !== 'forbidden' || kind.scope === 'cluster' || namespace === undefined)
    return everywhere;
  const here = await listPath(kind, `${root}/namespaces/${namespace}/${kind.resource}`, world, signal);
  if (here.listing.state !== 'listed') return everywhere;
  return { ...here, listing: { ...here.listing, namespaces: [namespace] } };
}

async function listPath(kind: ServedKind, path: string, world: LiveWorld, signal: AbortSignal): Promise<Listed> {
  try {
    return await pages(kind, path, world, signal);
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return failed('failed', error.message);
  }
}

async function pages(kind: ServedKind, path: string, world: LiveWorld, signal: AbortSignal): Promise<Listed> {
  const store = new Map<string, StoredObject>();
  let next = '';
  let malformed = 0;
  for (;;) {
    const query = `?limit=${PAGE}${next === '' ? '' : `&continue=${encodeURIComponent(next)}`}`;
    const answer = await world.get(path + query, {
      accept: acceptOf(kind, 'PartialObjectMetadataList'),
      idleMilliseconds: REQUEST_PATIENCE,
      signal,
    });
    const text = await answer.text();
    if (answer.status === 410 && next !== '') {
      // The continue token has expired: list again from the start.
      store.clear();
      malformed = 0;
      next = '';
      continue;
    }
    if (answer.status !== 200) return refused(answer.status, text);
    const { items, metadata } = parsed<ListAnswer>(text);
    if (!Array.isArray(items ?? [])) return failed('failed', 'what answers is no API server: its list has no items');
    for (const item of (items ?? []) as readonly unknown[]) {
      const it = toStored(kind, item, world);
      if (it === undefined) malformed += 1;
      else store.set(it.key, it);
    }
    next = metadata?.continue ?? '';
    if (next !== '' && store.size >= MAX_OBJECTS) return tooMany(store);
    if (next === '') {
      const from = { path, resourceVersion: metadata?.resourceVersion ?? '' };
      return { listing: listingOf(malformed), store, from };
    }
  }
}

function listingOf(malformed: number): Listed['listing'] {
  if (malformed === 0) return { state: 'listed' };
  const what =
    malformed === 1
      ? '1 item is no object with a name; it is'
      : `${malformed} items are no objects with a name; they are`;
  return { state: 'partial', reason: `${what} left out` };
}

function refused(status: number, text: string): Listed {
  const message = messageOf(text) ?? `the server answers ${status}`;
  if (status === 403) return failed('forbidden', message);
  if (status === 404) return failed('unserved', message);
  return failed('failed', message);
}

/** The message of a Status object. */
function messageOf(text: string): string | undefined {
  try {
    const { message } = parsed<ListAnswer>(text);
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

function tooMany(store: ReadonlyMap<string, StoredObject>): Listed {
  return {
    listing: { state: 'partial', reason: `there are more than ${MAX_OBJECTS}; the others are left out` },
    store,
  };
}

function failed(state: KindListing['state'], reason: string): Listed {
  return { listing: { state, reason }, store: NOTHING };
}
