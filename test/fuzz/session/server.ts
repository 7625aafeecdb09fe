import type { Diagnostic, MessageConnection } from 'vscode-languageserver/node';

export interface Memory {
  readonly heapUsed: number;
  readonly rss: number;
}

/** A language server, with the messages received from it. */
export interface Server {
  readonly connection: MessageConnection;
  /** The newest diagnostics of each file, by path. */
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>;
  readonly uriOf: (path: string) => string;
  /** Resolves when the server is idle. */
  readonly settled: () => Promise<void>;
  /** Lets the server work for a while. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** After a collection; undefined where the server has no process of its own. */
  readonly memory: () => Promise<Memory | undefined>;
  readonly close: () => Promise<void>;
}

export interface ServerOptions {
  readonly isTrusted: boolean;
  readonly settings: () => unknown;
  /** Called with failures: an error in the log, output on standard error, an exit, a long task. */
  readonly failed: (what: string) => void;
}

/** Where servers run, and their disk. Paths are relative to the open folder. */
export interface Backend {
  readonly start: (options: ServerOptions) => Promise<Server>;
  /** Makes the disk hold exactly these files. */
  readonly fill: (files: ReadonlyMap<string, string>) => void;
  readonly put: (path: string, text: string) => void;
  readonly remove: (path: string) => void;
  /** The same environment with its own disk. */
  readonly another: () => Backend;
  readonly close: () => void;
}

const CAPABILITIES = {
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    codeLens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
  },
  textDocument: { publishDiagnostics: { versionSupport: true } },
  window: { workDoneProgress: true },
};

const SERVER_REQUESTS = [
  'client/registerCapability',
  'client/unregisterCapability',
  'workspace/codeLens/refresh',
  'workspace/inlayHint/refresh',
  'window/workDoneProgress/create',
];

export interface Heard {
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>;
  /** Number of diagnostics messages received. */
  readonly messages: () => number;
}

/** Connects to a server and answers its requests as an editor. `base` is the folder's uri with a trailing slash. */
export function listening(
  connection: MessageConnection,
  base: string,
  { settings, failed }: Pick<ServerOptions, 'settings' | 'failed'>,
): Heard {
  const diagnostics = new Map<string, readonly Diagnostic[]>();
  const state = { messages: 0 };
  connection.onError(() => undefined);
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics: all }) => {
    state.messages += 1;
    diagnostics.set(decodeURIComponent(String(uri).replace(base, '')), all);
  });
  connection.onNotification('window/logMessage', ({ type, message }) => {
    if (type === 1) failed(`error in the log: ${message}`);
  });
  connection.onRequest('workspace/configuration', ({ items }: { readonly items: readonly unknown[] }) =>
    items.map(settings),
  );
  for (const it of SERVER_REQUESTS) connection.onRequest(it, () => null);
  connection.listen();
  return { diagnostics, messages: () => state.messages };
}

export async function initialized(connection: MessageConnection, base: string, isTrusted: boolean): Promise<void> {
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    initializationOptions: { isTrusted },
    workspaceFolders: [{ uri: base.slice(0, -1), name: 'fuzz' }],
    capabilities: CAPABILITIES,
  });
  await connection.sendNotification('initialized', {});
}

export const uriIn = (base: string, path: string): string => base + path.split('/').map(encodeURIComponent).join('/');
