import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeFacts, loadKube } from '../../server/src/kube/load';

const folder = join(import.meta.dirname, '../../server/data/kubernetes');

/** Reads a generated pack of facts as the program's entries do. */
export const readPack = (name: string): Uint8Array => readFileSync(join(folder, name));

const known = new Map<string, KubeFacts>();

/** What `loadKube` gives, which never changes: read once for all tests of a process. */
export function kubeFacts(minor = '1.37', gates: Readonly<Record<string, boolean>> = {}): KubeFacts {
  const key = JSON.stringify([minor, gates]);
  const facts = known.get(key) ?? loadKube(minor, gates, readPack);
  known.set(key, facts);
  return facts;
}
