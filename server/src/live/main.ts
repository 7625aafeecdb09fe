import { setTimeout as wait } from 'node:timers/promises';
import { type ClusterContent, unreachable } from '../cluster/sources/content';
import { WANTED_KINDS } from '../cluster/sources/kinds';
import { ApiFailure, type LiveWorld } from './api';
import { connect, type LiveOptions, loadKubeconfig } from './connect';
import { followCluster, readCluster } from './reflector';

export type { LiveOptions } from './connect';

/** A cluster that is being followed. */
export interface LiveSession {
  /** Reads everything again, for example when the server is back. */
  refresh(): void;
  close(): void;
}

/** The contexts of a kubeconfig. Throws an Error whose message is half a sentence when it cannot be read. */
export function contextsOf(kubeconfig?: string): { readonly contexts: readonly string[]; readonly current?: string } {
  const config = loadKubeconfig(kubeconfig);
  const current = config.getCurrentContext();
  return { contexts: config.getContexts().map(it => it.name), ...(current && { current }) };
}

/** The current content of a live cluster. Never rejects. */
export async function readLive(options: LiveOptions): Promise<ClusterContent> {
  const world = reached(options);
  return 'failure' in world
    ? unreachable(world.failure, world.program)
    : readCluster(WANTED_KINDS, world, new AbortController().signal);
}

/** Follows a live cluster until the session is closed. A refresh also reads the kubeconfig again. */
export function followLive(options: LiveOptions, onContent: (content: ClusterContent) => void): LiveSession {
  let session = opened(options, onContent);
  return {
    refresh() {
      session.close();
      // The old content stays until there is newer content.
      session = opened(options, it => it.state !== 'loading' && onContent(it));
    },
    close: () => session.close(),
  };
}

function opened(
  options: LiveOptions,
  onContent: (content: ClusterContent) => unknown,
): ReturnType<typeof followCluster> {
  const world = reached(options);
  if (!('failure' in world)) return followCluster(WANTED_KINDS, world, onContent);
  onContent(unreachable(world.failure, world.program));
  return { close: () => undefined };
}

function reached(options: LiveOptions): LiveWorld | { readonly failure: string; readonly program?: string } {
  try {
    return { ...connect(options), ...(options.annotations && { annotations: options.annotations }), sleep };
  } catch (error) {
    if (error instanceof ApiFailure)
      return { failure: error.message, ...(error.program !== undefined && { program: error.program }) };
    throw error;
  }
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
