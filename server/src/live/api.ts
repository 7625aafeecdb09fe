/** The answer of an API server. Its body is read once, as text or line by line. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: () => Promise<string>;
  readonly lines: () => AsyncIterable<string>;
}

export interface ApiAsk {
  /** The accepted media types. */
  readonly accept: string;
  /** How long the server may send nothing before the request is aborted. */
  readonly idleMilliseconds: number;
  readonly signal: AbortSignal;
}

/** Sends a GET request to the API server; no other verb is possible. Rejects with `ApiFailure` when no answer comes. */
export type ApiGet = (path: string, ask: ApiAsk) => Promise<ApiAnswer>;

/** The request failed; the message is half a sentence for the user. */
export class ApiFailure extends Error {
  /** @param program the program for credentials that would be needed and was not run */
  constructor(
    message: string,
    readonly program?: string,
  ) {
    super(message);
  }
}

/** What reading a cluster needs of the outside world. */
export interface LiveWorld {
  readonly get: ApiGet;
  /** Resolves after the time, or as soon as the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Which annotations are kept; absent: those that decide placement. */
  readonly annotations?: 'decisive' | 'all';
  /** The namespace of the kubeconfig's context, listed where listing the whole cluster is forbidden. */
  readonly namespace?: string;
}

/**
 * Whether a path can only read: discovery, the version, and lists of a kind. Everything else is never requested:
 * objects by name, and above all subresources such as exec and proxy, which also answer to GET.
 */
export function isReadOnlyPath(path: string): boolean {
  const [plain = ''] = path.split('?');
  return READ_ONLY.test(plain) && !/%|\.\./.test(plain);
}

const READ_ONLY =
  /^\/(?:version|apis?|apis\/[a-z0-9.-]+\/[a-z0-9]+|api\/v1|(?:api\/v1|apis\/[a-z0-9.-]+\/[a-z0-9]+)(?:\/namespaces\/[a-z0-9.-]+)?\/[a-z]+)$/;

export const JSON_TYPE = 'application/json';

export const REQUEST_PATIENCE = 30_000;
