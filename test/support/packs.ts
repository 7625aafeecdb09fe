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

const known = new Map<string, KubeFacts>();

/** The result of `loadKube`, which never changes: read once for all tests of a process. */
export function kubeFacts(minor = '1.37', gates: Readonly<Record<string, boolean>> = {}): KubeFacts {
  const key = JSON.stringify([minor, gates]);
  const facts = known.get(key) ?? loadKube(minor, gates, readPack);
  known.set(key, facts);
  return facts;
}

// Facts that somebody holds are shared by all that load them.
kubeFacts();
