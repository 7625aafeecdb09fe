import type { JsonObject } from '../../../../../base/json';
import { type GoFields, has, optionalText, record, records, text } from '../../../../../kube/goFields';
import type { Warning } from '../../errors';

/** A file in a volume, and its source if the volume has several. */
interface VirtualPath {
  readonly path: string;
  readonly source: string;
}

/** Files of one volume whose paths overlap. Upstream: warningsForOverlappingVirtualPaths. */
export function virtualPathWarnings(spec: JsonObject): readonly Warning[] {
  return records(spec, 'volumes').flatMap(volume => {
    const name = JSON.stringify(text(volume, 'name'));
    const warningsOf = (source: string, paths: readonly VirtualPath[]) =>
      overlaps(paths, it => `volume ${name} (${source}): overlapping paths: ${it}`);
    const configMap = record(volume, 'configMap');
    const secret = record(volume, 'secret');
    const projections = records(record(volume, 'projected'), 'sources');
    return [
      ...warningsOf(`ConfigMap ${JSON.stringify(text(configMap, 'name'))}`, itemPaths(configMap, '')),
      ...warningsOf(`Secret ${JSON.stringify(text(secret, 'secretName'))}`, itemPaths(secret, '')),
      ...warningsOf('DownwardAPI', itemPaths(record(volume, 'downwardAPI'), '')),
      ...projections.filter(isWithoutSource).map(() => `volume ${name} (Projected) has no sources provided`),
      ...warningsOf('Projected', projections.flatMap(projectedPaths)),
    ];
  });
}

const SOURCES = ['secret', 'downwardAPI', 'configMap', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'];

function isWithoutSource(projection: JsonObject): boolean {
  return !SOURCES.some(it => has(projection, it));
}

function itemPaths(source: GoFields, name: string): readonly VirtualPath[] {
  return records(source, 'items').map(it => ({ path: text(it, 'path'), source: name }));
}

/** The files of a projected volume's first source whose files are known. */
function projectedPaths(projection: JsonObject): readonly VirtualPath[] {
  const [configMap, secret, downwardApi, token, bundle, certificate] = [
    'configMap',
    'secret',
    'downwardAPI',
    'serviceAccountToken',
    'clusterTrustBundle',
    'podCertificate',
  ].map(it => record(projection, it));
  if (has(configMap, 'items')) return itemPaths(configMap, `ConfigMap ${JSON.stringify(text(configMap, 'name'))}`);
  if (has(secret, 'items')) return itemPaths(secret, `Secret ${JSON.stringify(text(secret, 'name'))}`);
  if (has(downwardApi, 'items')) return itemPaths(downwardApi, 'DownwardAPI');
  if (token !== undefined) return [{ path: text(token, 'path'), source: 'ServiceAccountToken' }];
  if (bundle !== undefined) {
    const name = optionalText(bundle, 'name') ?? text(bundle, 'signerName');
    return [{ path: text(bundle, 'path'), source: `ClusterTrustBundle ${JSON.stringify(name)}` }];
  }
  return CERTIFICATE_FILES.map(([field, source]) => ({ path: text(certificate, field), source })).filter(
    it => it.path !== '',
  );
}

const CERTIFICATE_FILES: readonly (readonly [string, string])[] = [
  ['certificateChainPath', 'PodCertificate chain'],
  ['keyPath', 'PodCertificate key'],
  ['credentialBundlePath', 'PodCertificate credential bundle'],
];

/**
 * How many overlaps of one volume are listed. Each pair of paths may overlap, so a full list could exhaust the memory.
 */
const MOST_OVERLAPS = 1_000;

/** Upstream: checkVolumeMappingForOverlap. */
function overlaps(written: readonly VirtualPath[], textOf: (overlap: string) => string): readonly Warning[] {
  const paths = written.map(it => ({ ...it, path: it.path.replace(/(?<!\/)\/+$/, '') }));
  const count = createOverlapCount();
  const texts: string[] = [];
  let all = 0;
  for (const [i, it] of paths.entries()) {
    const own = count(it.path);
    all += own;
    if (own === 0) continue;
    for (let j = 0; j < i && texts.length < Math.min(all, MOST_OVERLAPS); j++) {
      const before = paths[j]!;
      if (doOverlap(it.path, before.path)) texts.push(textOf(`${shown(it)} with ${shown(before)}`));
    }
  }
  const last = texts.at(-1);
  if (last === undefined || all === texts.length) return texts;
  return [...texts.slice(0, -1), { text: last, more: all - texts.length }];
}

/** Counts for each path the earlier paths that it overlaps, and adds it to them. */
function createOverlapCount(): (path: string) => number {
  const equal = new Map<string, number>();
  const below = new Map<string, number>();
  const lengths = new Set<number>();
  return path => {
    if (path === '') return 0;
    const above = foldersOf(path)
      .filter(it => lengths.has(it))
      .map(it => path.slice(0, it));
    const count = [path, ...above].reduce((sum, it) => sum + (equal.get(it) ?? 0), below.get(path) ?? 0);
    equal.set(path, (equal.get(path) ?? 0) + 1);
    lengths.add(path.length);
    // A path longer than Linux allows is not counted as a parent.
    for (const it of foldersOf(path).filter(end => end <= LONGEST_PATH)) {
      const folder = path.slice(0, it);
      below.set(folder, (below.get(folder) ?? 0) + 1);
    }
    return count;
  };
}

const LONGEST_PATH = 4_096;

/** The offsets at which the folders of a path end. */
function foldersOf(path: string): readonly number[] {
  const ends: number[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) ends.push(at);
  return ends;
}

function doOverlap(a: string, b: string): boolean {
  if (a === '' || b === '') return false;
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

function shown({ path, source }: VirtualPath): string {
  return source === '' ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
}
