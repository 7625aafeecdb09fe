import type { JsonObject } from '../../../../../manifest/manifest';
import { type Fields, has, optionalText, record, records, text } from '../../read';

/** A file that a volume makes, and whose it is where the volume has several sources. */
interface VirtualPath {
  readonly path: string;
  readonly source: string;
}

/** Files of one volume that would lie over each other. Upstream: warningsForOverlappingVirtualPaths. */
export function virtualPathWarnings(spec: JsonObject): readonly string[] {
  return records(spec, 'volumes').flatMap(volume => {
    const name = JSON.stringify(text(volume, 'name'));
    const told = (source: string, paths: readonly VirtualPath[]) =>
      overlaps(paths).map(it => `volume ${name} (${source}): overlapping paths: ${it}`);
    const configMap = record(volume, 'configMap');
    const secret = record(volume, 'secret');
    const projections = records(record(volume, 'projected'), 'sources');
    return [
      ...told(`ConfigMap ${JSON.stringify(text(configMap, 'name'))}`, itemPaths(configMap, '')),
      ...told(`Secret ${JSON.stringify(text(secret, 'secretName'))}`, itemPaths(secret, '')),
      ...told('DownwardAPI', itemPaths(record(volume, 'downwardAPI'), '')),
      ...projections.filter(isWithoutSource).map(() => `volume ${name} (Projected) has no sources provided`),
      ...told('Projected', projections.flatMap(projectedPaths)),
    ];
  });
}

const SOURCES = ['secret', 'downwardAPI', 'configMap', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'];

function isWithoutSource(projection: JsonObject): boolean {
  return !SOURCES.some(it => has(projection, it));
}

function itemPaths(source: Fields, name: string): readonly VirtualPath[] {
  return records(source, 'items').map(it => ({ path: text(it, 'path'), source: name }));
}

/** The files of the first source that makes known ones. */
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

/** Upstream: checkVolumeMappingForOverlap. */
function overlaps(written: readonly VirtualPath[]): readonly string[] {
  const paths = written.map(it => ({ ...it, path: it.path.replace(/\/+$/, '') }));
  return paths.flatMap((it, i) =>
    paths
      .slice(0, i)
      .filter(before => doOverlap(it.path, before.path))
      .map(before => `${shown(it)} with ${shown(before)}`),
  );
}

function doOverlap(a: string, b: string): boolean {
  if (a === '' || b === '') return false;
  return `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
}

function shown({ path, source }: VirtualPath): string {
  return source === '' ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
}
