import { addressComplaint } from './netip';

/** A URL or a reference to one as Go parses it: parts as written, but the host and the fragment with escapes read. */
export interface GoUrl {
  readonly text: string;
  readonly scheme: string;
  /** undefined where none is written. */
  readonly user: string | undefined;
  /** With its port. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

/** The cause of an error, and what could not be parsed. Upstream: url.Error. */
export interface UrlProblem {
  readonly problem: string;
  readonly of: string;
}

/** Thrown for a part that cannot be parsed. */
class UrlError extends Error {}

/** Upstream: Go's url.Parse. */
export function parseGoUrl(text: string): GoUrl | UrlProblem {
  const hash = text.indexOf('#');
  const [bare, fragment] = hash < 0 ? [text, ''] : [text.slice(0, hash), text.slice(hash + 1)];
  const parsed = attempt(bare, () => parse(bare, 'anything'));
  if ('problem' in parsed) return parsed;
  return attempt(text, () => ({ ...parsed, text, fragment: unescaped(fragment, 'path') }));
}

/** Upstream: Go's url.ParseRequestURI, to which a fragment is a part of the rest. */
export const parseRequestUri = (text: string): GoUrl | UrlProblem => attempt(text, () => parse(text, 'a request'));

function attempt(text: string, run: () => GoUrl): GoUrl | UrlProblem {
  try {
    return run();
  } catch (error) {
    if (error instanceof UrlError) return { problem: error.message, of: text };
    throw error;
  }
}

function parse(text: string, via: 'a request' | 'anything'): GoUrl {
  if (/[\x00-\x1f\x7f]/.test(text)) throw new UrlError('net/url: invalid control character in URL');
  if (text === '' && via === 'a request') throw new UrlError('empty url');
  const nothing = { text, scheme: '', user: undefined, host: '', path: '', query: '', fragment: '' };
  if (text === '*') return { ...nothing, path: '*' };
  if (text.startsWith(':')) throw new UrlError('missing protocol scheme');
  const [lead = '', written = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const scheme = written.toLowerCase();
  const rest = text.slice(lead.length);
  const mark = rest.indexOf('?');
  const [before, query] = mark < 0 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark + 1)];
  if (!before.startsWith('/')) {
    // A URL with a scheme and no slash is opaque and has no parts.
    if (scheme !== '') return { ...nothing, scheme, query };
    if (via === 'a request') throw new UrlError('invalid URI for request');
    if (/^[^/]*:/.test(before)) throw new UrlError('first path segment in URL cannot contain colon');
  }
  const isNamed = scheme !== '' || (via === 'anything' && !before.startsWith('///'));
  const [, authority = '', path = ''] =
    isNamed && before.startsWith('//') ? (/^\/\/([^/]*)(.*)$/s.exec(before) ?? []) : ['', '', before];
  const at = authority.lastIndexOf('@');
  const host = hostOf(scheme, authority.slice(at + 1));
  const user = at < 0 ? undefined : userOf(authority.slice(0, at));
  unescaped(path, 'path');
  return { text, scheme, user, host, path, query, fragment: '' };
}

/** Upstream: validUserinfo. */
function userOf(text: string): string {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) throw new UrlError('net/url: invalid userinfo');
  for (const it of text.split(':')) unescaped(it, 'path');
  return text;
}

/** Upstream: parseHost, which reads only the first colon as that of a port where the scheme is http or https. */
function hostOf(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new UrlError('invalid IP-literal');
  if (open === 0) return literalOf(host);
  const isWeb = scheme === 'http' || scheme === 'https';
  const colon = isWeb ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0) checkPort(host.slice(colon));
  return unescaped(host, 'host');
}

/** An address of version 6 in brackets, which may have a zone. */
function literalOf(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlError("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const address =
    zone < 0 ? unescaped(name, 'host') : unescaped(name.slice(0, zone), 'host') + unescaped(name.slice(zone), 'zone');
  const [, plain = address, suffix] = /^([^.%]*:[^%]*)%(.*)$/s.exec(address) ?? [];
  const problem = suffix === '' ? NO_ZONE : addressComplaint(plain);
  if (problem !== undefined) throw new UrlError(`invalid host: ${problem}`);
  if (!address.includes(':')) throw new UrlError('invalid IP-literal');
  return `[${address}]${port}`;
}

const NO_ZONE = 'zone must be a non-empty string';

function checkPort(text: string): void {
  if (!/^(?::[0-9]*)?$/.test(text)) throw new UrlError(`invalid port ${JSON.stringify(text)} after host`);
}

const ESCAPE = /^%[0-9A-Fa-f]{2}/;
const HOST_LETTER = /[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"]|[^\x00-\x7f]/;

/** A part without its escapes. In a host only bytes beyond ASCII are escaped, or a percent sign. Upstream: unescape. */
function unescaped(text: string, part: 'path' | 'host' | 'zone'): string {
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!;
    if (letter !== '%') {
      if (part === 'path' || HOST_LETTER.test(letter)) continue;
      throw new UrlError(`invalid character ${JSON.stringify(letter)} in host name`);
    }
    const escaped = text.slice(i, i + 3);
    if (!ESCAPE.test(escaped) || !isEscapable(escaped, part)) {
      throw new UrlError(`invalid URL escape ${JSON.stringify(escaped)}`);
    }
    i += 2;
  }
  return text.includes('%') ? new TextDecoder().decode(bytesOf(text)) : text;
}

function isEscapable(escaped: string, part: 'path' | 'host' | 'zone'): boolean {
  if (part === 'path' || escaped === '%25') return true;
  const byte = Number.parseInt(escaped.slice(1), 16);
  if (part === 'host') return byte >= 0x80;
  return byte === 0x20 || (byte < 0x80 && HOST_LETTER.test(String.fromCharCode(byte)));
}

function bytesOf(text: string): Uint8Array {
  const parts = text.match(/%..|[^%]+/gs) ?? [];
  return Buffer.concat(parts.map(it => (it.startsWith('%') ? Buffer.from(it.slice(1), 'hex') : Buffer.from(it))));
}
