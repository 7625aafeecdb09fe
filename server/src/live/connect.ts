import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { elided } from '../base/shortened';
import { type ApiAnswer, ApiFailure, type ApiGet, isReadOnlyPath } from './api';

/** Which cluster to read, and what may be run to reach it. */
export interface LiveOptions {
  /** A context of the kubeconfig; absent: the current one. */
  readonly context?: string;
  /** A file that replaces KUBECONFIG and ~/.kube/config. */
  readonly kubeconfig?: string;
  /** Which annotations are kept; absent: those that decide placement. */
  readonly annotations?: 'decisive' | 'all';
  /** Whether programs and services that a kubeconfig names for credentials may be used; or the only one that may. */
  readonly plugins: 'allowed' | 'refused' | { readonly only: string };
}

/** Larger answers are aborted; no page of a list reaches this. */
const MAX_BYTES = 256 * 1024 * 1024;
const PLUGIN_PATIENCE = 60_000;

/**
 * The kubeconfig as kubectl finds it: the given file, those of KUBECONFIG, ~/.kube/config, or a Pod's service account.
 */
export function loadKubeconfig(path: string | undefined): KubeConfig {
  const config = new KubeConfig();
  const files = path === undefined ? defaultFiles() : [path];
  if (files.length === 0) {
    if (!process.env.KUBERNETES_SERVICE_HOST) throw new ApiFailure('there is no kubeconfig');
    config.loadFromCluster();
    return config;
  }
  const parts = files.map(loaded);
  // Of two entries with the same name the first counts, as in kubectl; the library would refuse them.
  config.loadFromOptions({
    clusters: firstOfEachName(parts.flatMap(it => it.getClusters())),
    users: firstOfEachName(parts.flatMap(it => it.getUsers())),
    contexts: firstOfEachName(parts.flatMap(it => it.getContexts())),
    currentContext: parts.map(it => it.getCurrentContext()).find(it => it),
  });
  return config;
}

function defaultFiles(): readonly string[] {
  const named = (process.env.KUBECONFIG ?? '').split(delimiter).filter(it => it !== '' && existsSync(it));
  const own = join(homedir(), '.kube', 'config');
  return named.length > 0 ? named : existsSync(own) ? [own] : [];
}

function loaded(path: string): KubeConfig {
  const config = new KubeConfig();
  try {
    config.loadFromFile(path);
  } catch (error) {
    throw new ApiFailure(
      `the kubeconfig ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return config;
}

function firstOfEachName<T extends { readonly name: string }>(all: readonly T[]): T[] {
  return all.filter((it, index) => all.findIndex(other => other.name === it.name) === index);
}

/** The GET function for a context's API server, and the context's namespace. Throws ApiFailure. */
export function connect(options: LiveOptions): { readonly get: ApiGet; readonly namespace?: string } {
  const config = loadKubeconfig(options.kubeconfig);
  if (options.context !== undefined) config.setCurrentContext(options.context);
  const context = config.getContextObject(config.getCurrentContext() ?? '');
  const cluster = config.getCurrentCluster();
  if (!context || !cluster) throw new ApiFailure(noContext(options.context));
  if (!URL.canParse(cluster.server)) throw new ApiFailure(`"${cluster.server}" is no address of a server`);
  const user = config.getCurrentUser();
  const program = programOf(user);
  if (program !== undefined && !mayRun(program, options.plugins)) {
    throw new ApiFailure(
      `the context ${context.name} gets its credentials from a program that was not run: ${elided(program, MAX_SHOWN)}`,
      program,
    );
  }
  const agents = new Map<string, RequestOptions['agent']>();
  const current = remembered(() => credentialsOf(config));
  return {
    ...(context.namespace !== undefined && { namespace: context.namespace }),
    async get(path, { accept, idleMilliseconds, signal }) {
      if (!isReadOnlyPath(path)) throw new Error(`Berth does not ask for ${path}`);
      // Each kind has a request of its own that ends with the signal.
      setMaxListeners(0, signal);
      const url = new URL(cluster.server + path);
      const credentials = await current.get();
      const key = [credentials.ca, credentials.cert, credentials.key].map(String).join();
      const agent = agents.get(key) ?? credentials.agent;
      agents.set(key, agent);
      const headers = { ...credentials.headers, accept, 'user-agent': 'berth' };
      const { auth } = credentials;
      // The only place that makes requests, with a single verb.
      const answer = await send(url, {
        method: 'GET',
        headers,
        agent,
        signal,
        timeout: idleMilliseconds,
        ...(auth && { auth }),
      });
      if (answer.status === 401) current.forget();
      return answer;
    },
  };
}

/** How many characters of a command a message shows. */
const MAX_SHOWN = 200;

/** The program for a user's credentials with its arguments, or the service; undefined: none is needed. */
function programOf(user: ReturnType<KubeConfig['getCurrentUser']>): string | undefined {
  const { exec, authProvider } = user ?? {};
  const provider: Readonly<Record<string, unknown>> = authProvider?.config ?? {};
  const named = (exec ?? provider.exec) as { readonly command?: unknown; readonly args?: unknown } | undefined;
  if (named !== undefined)
    return [named.command, ...(Array.isArray(named.args) ? named.args : [])].map(String).join(' ');
  if (authProvider === undefined) return undefined;
  const path = provider['cmd-path'];
  const args = provider['cmd-args'];
  if (path === undefined) return `auth-provider ${authProvider.name}`;
  return [path, ...(args === undefined ? [] : [args])].map(String).join(' ');
}

const mayRun = (program: string, plugins: LiveOptions['plugins']): boolean =>
  plugins === 'allowed' || (plugins !== 'refused' && plugins.only === program);

function noContext(context: string | undefined): string {
  return context === undefined
    ? 'the kubeconfig has no current context'
    : `the kubeconfig has no context "${context}" with a cluster`;
}

/** How long credentials are reused: a plugin that gives no expiry would otherwise run for each request. */
const REMEMBERED = 60_000;

interface Remembered<T> {
  get(): Promise<T>;
  forget(): void;
}

function remembered<T>(make: () => Promise<T>): Remembered<T> {
  let last: { readonly value: Promise<T>; readonly until: number } | undefined;
  return {
    get() {
      if (last === undefined || performance.now() > last.until) {
        const value = make();
        last = { value, until: performance.now() + REMEMBERED };
        value.catch(() => {
          last = undefined;
        });
      }
      return last.value;
    },
    forget() {
      last = undefined;
    },
  };
}

type Credentials = Parameters<KubeConfig['applyToHTTPSOptions']>[0];

async function credentialsOf(config: KubeConfig): Promise<Credentials> {
  const options: Credentials = {};
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`no credentials within ${PLUGIN_PATIENCE / 1000} s`)), PLUGIN_PATIENCE).unref();
  });
  try {
    await Promise.race([config.applyToHTTPSOptions(options), late]);
  } catch (error) {
    throw new ApiFailure(`there are no credentials: ${error instanceof Error ? error.message.trim() : String(error)}`);
  }
  return options;
}

function send(url: URL, options: RequestOptions & { readonly method: 'GET' }): Promise<ApiAnswer> {
  return new Promise((resolve, reject) => {
    const ask = url.protocol === 'http:' ? requestHttp : requestHttps;
    const request = ask(url, options, response => resolve(answerOf(response)));
    request.on('timeout', () => request.destroy(new ApiFailure(`${url.host} does not answer`)));
    request.on('error', error => reject(failureOf(error, url.host)));
    request.end();
  });
}

function answerOf(response: IncomingMessage): ApiAnswer {
  response.setEncoding('utf8');
  return {
    status: response.statusCode ?? 0,
    async text() {
      let text = '';
      for await (const part of chunks(response)) text = bounded(text + part);
      return text;
    },
    async *lines() {
      let rest = '';
      for await (const part of chunks(response)) {
        const lines = bounded(rest + part).split('\n');
        rest = lines.pop() ?? '';
        yield* lines.filter(it => it !== '');
      }
    },
  };
}

async function* chunks(response: IncomingMessage): AsyncGenerator<string> {
  try {
    for await (const part of response) yield part as string;
  } catch (error) {
    throw failureOf(error, 'the server');
  }
}

function bounded(text: string): string {
  if (text.length > MAX_BYTES) throw new ApiFailure('the answer of the server is too large');
  return text;
}

/** Texts for the error codes of Node that users may meet. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  ETIMEDOUT: 'it does not answer',
  ENETUNREACH: 'there is no way to that network',
  EHOSTUNREACH: 'there is no way to that host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by an authority of the kubeconfig',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by an authority of the kubeconfig',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by an authority of the kubeconfig',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

function failureOf(error: unknown, host: string): ApiFailure {
  if (error instanceof ApiFailure) return error;
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  return new ApiFailure(`${host} cannot be reached: ${REASONS[code] ?? message}`);
}
