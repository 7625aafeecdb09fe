import { type GoUrl, parseGoUrl, parseRequestUri } from '../goUrl';

/**
 * An absolute URL or an absolute path; undefined for anything else. A fragment is parsed with the rest, and then
 * dropped. Upstream: library.stringToURL.
 */
export function parseUrl(text: string): GoUrl | undefined {
  if ('problem' in parseRequestUri(text)) return undefined;
  const parsed = parseGoUrl(text);
  return 'problem' in parsed ? undefined : parsed;
}

/** Why a text is none. */
export function urlComplaint(text: string): string {
  const parsed = parseRequestUri(text);
  const problem = 'problem' in parsed ? parsed : parseGoUrl(text);
  return 'problem' in problem ? `parse ${JSON.stringify(problem.of)}: ${problem.problem}` : JSON.stringify(text);
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
