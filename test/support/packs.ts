import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type KubeFacts, loadKube } from '../../server/src/kube/load';

const folder = join(import.meta.dirname, '../../server/data/kubernetes');

const packs = new Map<string, Uint8Array>();

/** Gives a generated pack of facts as the build leaves the newest one: decompressed, which takes long beside a short test. */
export function readPack(name: string): Uint8Array {
  const pack = packs.get(name) ?? brotliDecompressSync(readFileSync(join(folder, name)));
  packs.set(name, pack);
  return pack;
}

const known = new Map<string, KubeFacts>();

/** What `loadKube` gives, which never changes: read once for all tests of a process. */
export function kubeFacts(minor = '1.37', gates: Readonly<Record<string, boolean>> = {}): KubeFacts {
  const key = JSON.stringify([minor, gates]);
  const facts = known.get(key) ?? loadKube(minor, gates, readPack);
  known.set(key, facts);
  return facts;
}
