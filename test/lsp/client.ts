import { PassThrough } from 'node:stream';
import {
  createConnection,
  createMessageConnection,
  type InitializeParams,
  type InitializeResult,
  LSPErrorCodes,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import {
  policyLocationsCommand,
  previewCommand,
  type StartParams,
  stateGraphCommand,
} from '../../server/src/lsp/protocol';
import { startServer } from '../../server/src/lsp/server';
import type { ServerWorld } from '../../server/src/lsp/world';
import { readPack } from '../support/packs';

interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
  readonly relatedInformation?: readonly { readonly message: string }[];
}

/** A language client in memory: what it was told is kept, and can be waited for. */
export interface TestClient {
  readonly connection: MessageConnection;
  readonly capabilities: InitializeResult['capabilities'];
  open(uri: string, text: string): void;
  change(uri: string, version: number, text: string): void;
  /** Waits until the newest diagnostics of a file satisfy a condition. */
  diagnostics(uri: string, isThere: (all: readonly Diagnostic[]) => boolean): Promise<readonly Diagnostic[]>;
}

export interface ClientOptions {
  readonly files?: Readonly<Record<string, string>>;
  /** The settings under `berth`, or how they are answered. */
  readonly configuration?: Record<string, unknown> | (() => Promise<unknown>);
  /** What else `initialize` says. */
  readonly initialize?: Partial<InitializeParams>;
  /** Requests of the server that the client refuses. */
  readonly refused?: readonly string[];
  readonly isTrusted?: boolean;
  /** What the client says of earlier ends of the server. */
  readonly start?: Omit<StartParams, 'isTrusted'>;
  readonly noteFiles?: ServerWorld['noteFiles'];
  /** The language of the editor; English when it is not given. */
  readonly locale?: string;
  readonly messagesIn?: ServerWorld['messagesIn'];
  readonly rendering?: ServerWorld['rendering'];
  readonly clusters?: ServerWorld['clusters'];
  readonly policyEngine?: ServerWorld['policyEngine'];
  readonly startComparing?: ServerWorld['startComparing'];
  readonly layOut?: ServerWorld['layOut'];
  /** In place of this machine's time and turns. */
  readonly world?: Partial<
    Pick<
      ServerWorld,
      'now' | 'yieldToEventLoop' | 'pause' | 'readText' | 'manifestsBelow' | 'excludedFrom' | 'canonicalUri'
    >
  >;
  /** The commands that the client says it runs; those of the extension when not given. */
  readonly commands?: readonly string[];
  /** Opens what the server names; absent: the client cannot. */
  readonly onShowDocument?: (shown: { readonly uri: string; readonly selection: { readonly start: object } }) => void;
  /** The server asks for the lenses to be asked for anew; absent: the client has no such request. */
  readonly onLensesAged?: (() => void) | 'unsupported';
  /** Uris of the folders that are open; `file:///ws` when not given. */
  readonly folders?: readonly string[];
  /** Hears of the progress that the server shows; what it returns ends the work. */
  readonly onProgress?: (value: { readonly kind: string; readonly message?: string }) => 'cancel' | undefined;
  /** Hears of each notification with the problems of a file. */
  readonly onDiagnostics?: (told: { readonly uri: string; readonly diagnostics: readonly Diagnostic[] }) => void;
  readonly onStatus?: (status: { readonly problems: readonly string[] }) => void;
}

/** Starts a server on two pipes and makes the handshake. `files` is the disk, by uri, all below `file:///ws`. */
export async function startClient(options: ClientOptions = {}): Promise<TestClient> {
  const { isTrusted = false, locale, folders = ['file:///ws'], onProgress, onShowDocument, onLensesAged } = options;
  const { commands = [previewCommand, policyLocationsCommand, stateGraphCommand] } = options;
  const [up, down] = [new PassThrough(), new PassThrough()];
  startServer(createConnection(new StreamMessageReader(up), new StreamMessageWriter(down)), worldOf(options));
  const connection = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  const diagnostics = listenToDiagnostics(connection, options.onDiagnostics);
  answerServer(connection, options);
  connection.listen();
  const { capabilities } = await connection.sendRequest<InitializeResult>('initialize', {
    processId: null,
    rootUri: null,
    ...(locale !== undefined && { locale }),
    initializationOptions: { isTrusted, commands, ...options.start },
    workspaceFolders: folders.map(it => ({ uri: it, name: it })),
    capabilities: {
      workspace: {
        configuration: true,
        workspaceFolders: true,
        codeLens: { refreshSupport: onLensesAged !== 'unsupported' },
      },
      window: { workDoneProgress: onProgress !== undefined, showDocument: { support: onShowDocument !== undefined } },
    },
    ...options.initialize,
  });
  await connection.sendNotification('initialized', {});
  return {
    connection,
    capabilities,
    open: (uri, text) =>
      void connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'yaml', version: 1, text },
      }),
    change: (uri, version, text) =>
      void connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      }),
    diagnostics,
  };
}

/** A pause for a person who types, which nobody does here: what is longer than the wait for an answer is hardly longer. */
const shortened = (milliseconds: number): number =>
  milliseconds > ANSWERED_SOON ? ANSWERED_SOON + (milliseconds - ANSWERED_SOON) / 10 : milliseconds;
const ANSWERED_SOON = 100;

function worldOf(options: ClientOptions): ServerWorld {
  const { files = {}, messagesIn, rendering, clusters, policyEngine, startComparing, layOut, world } = options;
  return {
    readPack,
    ...(messagesIn && { messagesIn }),
    ...(options.noteFiles && { noteFiles: options.noteFiles }),
    ...(rendering && { rendering }),
    ...(clusters && { clusters }),
    ...(policyEngine && { policyEngine }),
    ...(startComparing && { startComparing }),
    ...(layOut && { layOut }),
    canonicalUri: uri => uri,
    async *manifestsBelow(folder) {
      yield Object.keys(files).filter(it => it.startsWith(`${folder}/`));
    },
    excludedFrom:
      ({ folderUris }) =>
      async uri =>
        !folderUris.some(it => uri.startsWith(`${it}/`)) || uri.includes('/node_modules/'),
    readText: async uri => files[uri],
    yieldToEventLoop: () => new Promise(resolve => setImmediate(resolve)),
    pause: milliseconds => new Promise(resolve => setTimeout(resolve, shortened(milliseconds))),
    now: () => performance.now(),
    ...world,
  };
}

/** What the server asks of an editor, and tells it. */
function answerServer(
  connection: MessageConnection,
  { configuration = {}, refused = [], onProgress, onStatus, onShowDocument, onLensesAged }: ClientOptions,
): void {
  connection.onRequest('workspace/configuration', async () => [
    typeof configuration === 'function' ? await configuration() : configuration,
  ]);
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('workspace/codeLens/refresh', () => {
    if (onLensesAged !== 'unsupported') onLensesAged?.();
    return null;
  });
  connection.onRequest('window/showDocument', shown => {
    onShowDocument?.(shown);
    return { success: true };
  });
  connection.onNotification('berth/status', status => onStatus?.(status));
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.onNotification('$/progress', ({ token, value }) => {
    const wish = onProgress?.(value);
    if (wish === 'cancel') void connection.sendNotification('window/workDoneProgress/cancel', { token });
  });
  for (const it of refused)
    connection.onRequest(it, () => {
      throw new ResponseError(LSPErrorCodes.RequestFailed, 'no');
    });
}

function listenToDiagnostics(
  connection: MessageConnection,
  onDiagnostics: NonNullable<ClientOptions['onDiagnostics']> = () => undefined,
): TestClient['diagnostics'] {
  const told = new Map<string, readonly Diagnostic[]>();
  const waiting = new Set<() => void>();
  connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
    told.set(uri, diagnostics);
    onDiagnostics({ uri, diagnostics });
    for (const check of waiting) check();
  });
  return (uri, isThere) =>
    new Promise(resolve => {
      const check = (): void => {
        const all = told.get(uri) ?? [];
        if (!told.has(uri) || !isThere(all)) return;
        waiting.delete(check);
        resolve(all);
      };
      waiting.add(check);
      check();
    });
}
