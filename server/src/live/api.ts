/** The answer of an API server. Its body is read once, as text or line by line. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: () => Promise<string>;
  readonly lines: () => AsyncIterable<string>;
}

export interface ApiAsk {
  /** The wanted media types. */
  readonly accept: string;
  /** How long nothing may come before the request is given up. */
  readonly idleMilliseconds: number;
  readonly signal: AbortSignal;
}

/** Asks the API server; there is no other verb than GET. Rejects with `ApiFailure` when no answer comes. */
export type ApiGet = (path: string, ask: ApiAsk) => Promise<ApiAnswer>;

/** The server could not be asked; the message is half a sentence for the user. */
export class ApiFailure extends Error {
  /** @param program what would have to be run for credentials, and was not */
  constructor(
    message: string,
    readonly program?: string,
  ) {
    super(message);
  }
}

/** What a session with a cluster needs of the outside. */
export interface LiveWorld {
  readonly get: ApiGet;
  /** Resolves after a time, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Which annotations are kept; those that decide placement when it is not said. */
  readonly annotations?: 'decisive' | 'all';
  /** The namespace of the kubeconfig's context, listed where the whole cluster may not be. */
  readonly namespace?: string;
}

/**
 * Whether a path can only read: discovery, the version, and lists of a kind. Everything else, objects by name and above
 * all subresources such as exec and proxy, which answer to GET as well, is never asked for.
 */
export function isReadOnlyPath(path: string): boolean {
  const [plain = ''] = path.split('?');
  return READ_ONLY.test(plain) && !/%|\.\./.test(plain);
}

const READ_ONLY =
  /^\/(?:version|apis?|apis\/[a-z0-9.-]+\/[a-z0-9]+|api\/v1|(?:api\/v1|apis\/[a-z0-9.-]+\/[a-z0-9]+)(?:\/namespaces\/[a-z0-9.-]+)?\/[a-z]+)$/;

export const JSON_TYPE = 'application/json';

export const REQUEST_PATIENCE = 30_000;
