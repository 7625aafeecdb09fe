import { isObject, type UnknownObject } from '../base/json';
import { ApiFailure, type LiveWorld } from './api';
import { parsed, type ServedKind } from './discovery';
import { acceptOf, type Listed } from './list';
import { isSame, type StoredObject, toStored } from './store';

/** How long the server keeps a watch open; bookmarks come more often. */
const WATCH_SECONDS = 240;

interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: UnknownObject & {
    readonly metadata?: { readonly resourceVersion?: string };
    readonly code?: number;
    readonly message?: string;
  };
}

/** Why a watch ended: closed normally, at `resourceVersion`; expired, since that was too old (410); or failed. */
export type WatchEnd =
  | { readonly why: 'closed'; readonly resourceVersion: string }
  | { readonly why: 'expired' }
  | { readonly why: 'failed'; readonly reason: string };

/** Watches one kind from a list on and updates the store; calls `onChange` after each change. */
export async function watchKind(
  kind: ServedKind,
  from: NonNullable<Listed['from']>,
  store: Map<string, StoredObject>,
  world: LiveWorld,
  signal: AbortSignal,
  onChange: () => void,
): Promise<WatchEnd> {
  const query = `?watch=true&allowWatchBookmarks=true&timeoutSeconds=${WATCH_SECONDS}&resourceVersion=${from.resourceVersion}`;
  let { resourceVersion } = from;
  try {
    const answer = await world.get(from.path + query, {
      accept: acceptOf(kind, 'PartialObjectMetadata'),
      idleMilliseconds: (WATCH_SECONDS + 30) * 1000,
      signal,
    });
    if (answer.status === 410) return { why: 'expired' };
    if (answer.status !== 200) return { why: 'failed', reason: `the server answers ${answer.status} to a watch` };
    for await (const line of answer.lines()) {
      const { type, object } = parsed<WatchEvent>(line);
      if (!isObject(object)) return MALFORMED_EVENT;
      if (type === 'ERROR') return endedBy(object);
      resourceVersion = object.metadata?.resourceVersion ?? resourceVersion;
      if (type === 'BOOKMARK') continue;
      const it = toStored(kind, object, world);
      if (it === undefined) return MALFORMED_EVENT;
      if (changes(store, type, it)) onChange();
    }
    return { why: 'closed', resourceVersion };
  } catch (error) {
    if (error instanceof ApiFailure) return { why: 'failed', reason: error.message };
    throw error;
  }
}

const MALFORMED_EVENT: WatchEnd = {
  why: 'failed',
  reason: 'the watch tells of something that is no object with a name',
};

function endedBy({ code, message }: WatchEvent['object']): WatchEnd {
  return code === 410 ? { why: 'expired' } : { why: 'failed', reason: message ?? 'the watch ended with an error' };
}

/** Whether the stored part of an object has changed: most updates of a node are heartbeats. */
function changes(store: Map<string, StoredObject>, type: WatchEvent['type'], it: StoredObject): boolean {
  if (type === 'DELETED') return store.delete(it.key);
  if (isSame(store.get(it.key), it)) return false;
  store.set(it.key, it);
  return true;
}
