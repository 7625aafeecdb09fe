import { existsSync, readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import type * as Live from '../live/main';
import { createPolicyEngine } from '../policy/engine/engine';
import { engineWorld } from '../policy/engine/process';
import { runProcess } from '../workspace/rendered/process';
import { startComparing } from './comparing/thread';
import { findManifests, passedBy } from './files';
import { startServer } from './server';

/** Larger files are not read; `syntax/too-large` of the manifest room speaks of those that an editor hands over. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Starts the language server on the transport that the arguments name (`--stdio`, `--node-ipc`, `--socket=N`). */
export function main(): void {
  const packs = join(__dirname, 'data');
  const connection = createConnection(ProposedFeatures.all);
  startServer(connection, {
    canonicalUri: uri => (uri.startsWith('file:') ? pathToFileURL(fileURLToPath(uri)).href : uri),
    readPack: name => readFileSync(join(packs, name)),
    messagesIn,
    policyEngine: createPolicyEngine(engineWorld(__dirname, line => connection.console.log(line))),
    async *manifestsBelow(folderUri) {
      if (!folderUri.startsWith('file:')) return;
      for await (const paths of findManifests(fileURLToPath(folderUri))) {
        yield paths.map(it => pathToFileURL(it).href);
      }
    },
    passedBy(folderUris) {
      const isOut = passedBy(folderUris.filter(it => it.startsWith('file:')).map(it => fileURLToPath(it)));
      return async uri => !uri.startsWith('file:') || isOut(fileURLToPath(uri));
    },
    async readText(uri) {
      if (!uri.startsWith('file:')) return undefined;
      try {
        const path = fileURLToPath(uri);
        const { size } = await stat(path);
        return size > MAX_BYTES ? undefined : await readFile(path, 'utf8');
      } catch {
        // The file went away, or may not be read: for the workspace it does not exist.
        return undefined;
      }
    },
    breathe: () => new Promise(resolve => setImmediate(resolve)),
    clusters: {
      readSource,
      follow: (options, onContent) => live().followLive(options, onContent),
      contexts: () => live().contextsOf(),
      hasKubeconfig: () =>
        (process.env.KUBECONFIG || join(homedir(), '.kube', 'config')).split(delimiter).some(it => existsSync(it)),
    },
    rendering: {
      run: (command, args, options) => runProcess(command, args, { ...options, cwd: fileURLToPath(options.cwd) }),
      lookAt,
    },
    startComparing: listener => startComparing(__dirname, listener),
    pause: milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds)),
  });
}

/** The extension's own messages beside its bundles: those of ja for ja-JP, too. */
function messagesIn(locale: string): Readonly<Record<string, string>> | undefined {
  const [language = ''] = locale.split('-');
  const file = join(__dirname, '../l10n', `bundle.l10n.${language}.json`);
  return /^[a-z]+$/.test(language) && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** The client of live clusters is large, and most sessions never need it. */
function live(): Pick<typeof Live, 'followLive' | 'contextsOf'> {
  return require(join(__dirname, 'cluster.js')) as typeof Live;
}

async function readSource(file: string): Promise<{ readonly text: string } | { readonly failure: string }> {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file.replace(/^~(?=[\\/])/, homedir());
  try {
    const { size } = await stat(path);
    return size > MAX_BYTES ? { failure: `${path} is too large` } : { text: await readFile(path, 'utf8') };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { failure: isMissing ? `there is no file ${path}` : `${path} cannot be read` };
  }
}

async function lookAt(uri: string): Promise<'file' | 'folder' | 'nothing'> {
  try {
    return (await stat(fileURLToPath(uri))).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
}

main();
