// Go for the build of the policy engine, on machines that have none: the pinned toolchain, as the Go module proxy serves it.
// It is kept in the user's cache folder by its version, and is used for this build alone.
import { createHash } from 'node:crypto';
import { chmodSync, createWriteStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';
import { cacheFolder, madeOnce } from './run.mjs';
import { unzip } from './unzip.mjs';

/** Built with, where the machine has no Go. */
export const PINNED_GO = [1, 26, 8];
const VERSION = PINNED_GO.join('.');
/** Of each zip, as Go's checksum database has it: the `h1:` hash of golang.org/x/mod/sumdb/dirhash. */
const SUMS = {
  'go1.26.8.linux-amd64': 'h1:ZOmGe1OnfREDMIdb1Qi4G9JSuDPBLGExZMQ4nis1RXM=',
  'go1.26.8.linux-arm64': 'h1:sYL/O6MqS68ML0kjsQ36WoYIpJqkw60TxizWUYUKQMc=',
  'go1.26.8.darwin-amd64': 'h1:7/9KPPN8PckcA9s91hm2jmQMhzW4KyTJXHIs45L0C9M=',
  'go1.26.8.darwin-arm64': 'h1:dFjGhY6f8DTsY8/rLchUTDRRfjJP4pCrGCwxvHFT2Fg=',
};
const DEFAULT_PROXY = 'https://proxy.golang.org,direct';
const SYSTEMS = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const MACHINES = { x64: 'amd64', arm64: 'arm64' };
const NOT_THERE = [404, 410];

/**
 * The folder of the toolchain (its GOROOT), fetched when it is not there yet. Rejects with one sentence where it cannot be had.
 * @param {{ env?: NodeJS.ProcessEnv, platform?: string, arch?: string }} options
 */
export async function goToolchain({ env = process.env, platform = process.platform, arch = process.arch } = {}) {
  const name = `go${VERSION}.${SYSTEMS[platform]}-${MACHINES[arch]}`;
  const sum = SUMS[name];
  if (sum === undefined) throw new Error(`Berth knows no Go to download for ${platform} on ${arch}`);
  const home = join(cacheFolder(env), name);
  await madeOnce(home, async fresh => {
    const archive = join(fresh, 'toolchain.zip');
    await fetchFrom(proxiesOf(env.GOPROXY), `golang.org/toolchain/@v/v0.0.1-${name}.zip`, archive);
    const found = await hashOf(archive);
    if (found !== sum) throw new Error(`the Go toolchain ${name} has the sum ${found}, not ${sum}`);
    const prefix = `golang.org/toolchain@v0.0.1-${name}/`;
    await unzip(archive, fresh, it => (it.startsWith(prefix) ? it.slice(prefix.length) : undefined));
    rmSync(archive);
    makeExecutable(fresh);
  });
  return home;
}

/** The proxies of a GOPROXY, each with whether the next one is asked after any failure, not only where a module is missing. */
export function proxiesOf(value) {
  const list = value === undefined || value === '' ? DEFAULT_PROXY : value;
  return [...list.matchAll(/([^,|]+)([,|]?)/g)].map(([, url, separator]) => ({
    url: url.trim().replace(/\/$/, ''),
    goesOn: separator === '|',
  }));
}

async function fetchFrom(proxies, path, file) {
  const failures = [];
  for (const { url, goesOn } of proxies) {
    if (url === 'off') throw new Error('GOPROXY=off forbids to download it');
    // Without a proxy a toolchain has no source: Go itself does not build one.
    if (url === 'direct') continue;
    console.log(`policy engine: no Go found; downloading Go ${VERSION} (72 MB, once)`);
    const failure = await download(`${url}/${path}`, file);
    if (failure === undefined) return;
    failures.push(failure.text);
    if (!goesOn && !NOT_THERE.includes(failure.status)) break;
  }
  throw new Error(
    failures.length === 0
      ? 'GOPROXY names no proxy to download it from'
      : `it cannot be downloaded: ${failures.join('; ')}`,
  );
}

/** undefined when the file is there. Addresses may hold passwords, so that messages name the host alone. */
async function download(address, file) {
  const { host } = new URL(address);
  try {
    const response = await fetch(address);
    if (!response.ok) return { status: response.status, text: `${host} answered ${response.status}` };
    await pipeline(Readable.fromWeb(response.body), createWriteStream(file));
    return undefined;
  } catch (error) {
    return { text: `${host}: ${error.cause?.code ?? error.message}` };
  }
}

/** Upstream: dirhash.HashZip with Hash1. */
async function hashOf(archive) {
  const zip = await yauzl.openPromise(archive);
  const lines = [];
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    const hash = createHash('sha256');
    await pipeline(await zip.openReadStreamPromise(entry), hash);
    lines.push([entry.fileName, hash.digest('hex')]);
  }
  zip.close();
  lines.sort(([a], [b]) => (a < b ? -1 : 1));
  const text = lines.map(([name, hash]) => `${hash}  ${name}\n`).join('');
  return `h1:${createHash('sha256').update(text).digest('base64')}`;
}

/** The zips of modules keep no permissions. */
function makeExecutable(home) {
  for (const folder of ['bin', 'pkg/tool']) {
    const entries = readdirSync(join(home, folder), { recursive: true, withFileTypes: true });
    for (const it of entries) if (it.isFile()) chmodSync(join(it.parentPath, it.name), 0o755);
  }
}
