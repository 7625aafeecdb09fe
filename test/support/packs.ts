import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type KubeFacts, loadKube } from '../../server/src/kube/load';

const folder = join(import.meta.dirname, '../../server/data/kubernetes');

const packs = new Map<string, Uint8Array>();

/**
 * Provides a generated pack of facts as the build does for the newest one: decompressed, which is slow for a short
 * test.
 */
export function readPack(name: string): Uint8Array {
  const pack = packs.get(name) ?? brotliDecompressSync(readFileSync(join(folder, name)));
  packs.set(name, pack);
  return pack;
}

/** `loadKube` makes no facts again that somebody holds. */
const held = new Set<KubeFacts>();

/** The result of `loadKube`, which never changes: read once for all tests of a process. */
export function kubeFacts(minor = '1.37', gates: Readonly<Record<string, boolean>> = {}): KubeFacts {
  const facts = loadKube(minor, gates, readPack);
  held.add(facts);
  return facts;
}

// The newest ones are shared with all tests that load them by themselves.
kubeFacts();
