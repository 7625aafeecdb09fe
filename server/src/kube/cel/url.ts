/** A URL as Go parses it, with the parts that CEL can read. */
export interface GoUrl {
  readonly text: string;
  readonly scheme: string;
  /** With its port, as written. */
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/**
 * An absolute URL or an absolute path; undefined for anything else. A fragment is parsed with the rest, and then
 * dropped. Upstream: library.stringToURL.
 */
export function parseUrl(text: string): GoUrl | undefined {
  const whole = parsed(text, 'of a request');
  const [plain = ''] = text.split('#');
  const parts = whole && parsed(plain, 'of anything');
  return parts && { ...parts, text };
}

/** Upstream: Go's url.ParseRequestURI and url.Parse. */
function parsed(text: string, where: 'of a request' | 'of anything'): GoUrl | undefined {
  if (text === '' || /[\x00-\x1f\x7f]/.test(text)) return undefined;
  if (text === '*') return { text, scheme: '', host: '', path: '*', query: '' };
  const [lead, scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  const rest = text.slice(lead?.length ?? 0);
  const mark = rest.indexOf('?');
  const [before, query] = mark < 0 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark + 1)];
  // A URL with a scheme and no slash is opaque and has no parts.
  if (!before.startsWith('/')) {
    return lead === undefined ? undefined : { text, scheme: scheme.toLowerCase(), host: '', path: '', query };
  }
  const isNamed = lead !== undefined || (where === 'of anything' && !before.startsWith('///'));
  const hasAuthority = isNamed && before.startsWith('//');
  const [, authority = '', path = ''] = hasAuthority ? (/^\/\/([^/]*)(.*)$/s.exec(before) ?? []) : ['', '', before];
  const host = hostOf(authority);
  if (host === undefined || !areEscapesWhole(path)) return undefined;
  return { text, scheme: scheme.toLowerCase(), host, path, query };
}

/** Upstream: url.parseAuthority and parseHost. */
function hostOf(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  const [user, host] = [authority.slice(0, Math.max(at, 0)), authority.slice(at + 1)];
  if (!/^(?:[A-Za-z0-9\-._:~!$&'()*+,;=@]|%[0-9A-Fa-f]{2})*$/.test(user)) return undefined;
  const isHost = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"]|[^\x00-\x7f]|%25|%[89A-Fa-f][0-9A-Fa-f])*$/.test(host);
  const isWhole = host.startsWith('[') ? /^\[[^\]]*\](?::\d*)?$/ : /^[^[:]*(?::\d*)?$/;
  return isHost && isWhole.test(host) ? host : undefined;
}

const areEscapesWhole = (text: string): boolean => !/%(?![0-9A-Fa-f]{2})/.test(text);

/** Upstream: URL.Hostname and URL.Port. */
export function hostnameOf({ host }: GoUrl): string {
  const name = host.replace(/:\d*$/, '');
  return name.replace(/^\[(.*)\]$/, '$1');
}

export const portOf = ({ host }: GoUrl): string => /:(\d*)$/.exec(host)?.[1] ?? '';

/** The path with invalid characters escaped. Upstream: URL.EscapedPath. */
export function escapedPath({ path }: GoUrl): string {
  if (/^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]]|%[0-9A-Fa-f]{2})*$/.test(path)) return path;
  const decoded = decodeURIComponent(path);
  return [...new TextEncoder().encode(decoded)]
    .map(byte => {
      const letter = String.fromCharCode(byte);
      return /[A-Za-z0-9\-._~$&+,/:;=@]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** Values by name; a pair with an invalid escape or a semicolon is skipped. Upstream: URL.Query. */
export function queryOf({ query }: GoUrl): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const part of query.split('&')) {
    if (part === '' || part.includes(';') || !areEscapesWhole(part)) continue;
    const equals = part.indexOf('=');
    const [name, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
    const key = unescaped(name);
    values.set(key, [...(values.get(key) ?? []), unescaped(value)]);
  }
  return values;
}

function unescaped(text: string): string {
  const plain = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** A URL or a reference to one, in parts; `user` is undefined where none is written. */
export interface UrlReference {
  readonly scheme: string;
  readonly host: string;
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

/** Upstream: Go's url.Parse; undefined for its errors. */
export function parseReference(text: string): UrlReference | undefined {
  const hash = text.indexOf('#');
  const [whole, fragment] = hash < 0 ? [text, ''] : [text.slice(0, hash), text.slice(hash + 1)];
  if (/[\x00-\x1f\x7f]/.test(whole) || whole.startsWith(':') || !areEscapesWhole(fragment)) return undefined;
  const [lead = '', scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(whole) ?? [];
  const rest = whole.slice(lead.length);
  const mark = rest.indexOf('?');
  const [before, query] = mark < 0 ? [rest, ''] : [rest.slice(0, mark), rest.slice(mark + 1)];
  const parts = { scheme: scheme.toLowerCase(), query, fragment };
  if (!before.startsWith('/') && lead !== '') return { ...parts, host: '', user: undefined };
  if (/^[^/]*:/.test(before)) return undefined;
  const hasAuthority = before.startsWith('//') && (lead !== '' || !before.startsWith('///'));
  const [, authority = '', path = ''] = hasAuthority ? (/^\/\/([^/]*)(.*)$/s.exec(before) ?? []) : ['', '', before];
  const host = hostOf(authority);
  if (host === undefined || !areEscapesWhole(path)) return undefined;
  const at = authority.lastIndexOf('@');
  return { ...parts, host, user: at < 0 ? undefined : authority.slice(0, at) };
}
