import { type GoFields, optionalInt, optionalText, text } from '../../../../kube/goFields';
import { dns1123SubdomainErrors, portNumberErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, required } from '../errors';

const FORM = '; desired format: https://host[/path]';

/** Upstream: k8s.io/apiserver/pkg/util/webhook.ValidateWebhookURL with https required. */
export function* webhookUrlErrors(url: string, at: FieldPath): Iterable<FieldError> {
  const problem = urlProblem(url);
  if (problem !== undefined) {
    yield required(at, `url must be a valid URL: parse ${JSON.stringify(url)}: ${problem}${FORM}`);
    return;
  }
  const [bare = '', fragment = ''] = split(url, '#');
  const [before = '', query = ''] = split(bare, '?');
  const [, scheme = '', authority = ''] = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/]*))?/.exec(before) ?? [];
  const mark = authority.lastIndexOf('@');
  const host = authority.slice(mark + 1);
  if (scheme.toLowerCase() !== 'https') {
    yield invalid(at, scheme.toLowerCase(), `'https' is the only allowed URL scheme${FORM}`);
  }
  if (host === '') yield invalid(at, host, `host must be specified${FORM}`);
  if (mark >= 0) yield invalid(at, authority.slice(0, mark), 'user information is not permitted in the URL');
  if (fragment !== '') yield invalid(at, fragment, 'fragments are not permitted in the URL');
  if (query !== '') yield invalid(at, query, 'query parameters are not permitted in the URL');
}

function split(text: string, by: string): readonly string[] {
  const i = text.indexOf(by);
  return i < 0 ? [text] : [text.slice(0, i), text.slice(i + 1)];
}

/** Why a text is no URL. Upstream: Go's url.Parse. */
function urlProblem(url: string): string | undefined {
  if (/[\x00-\x1f\x7f]/.test(url)) return 'net/url: invalid control character in URL';
  const [bare = ''] = split(url, '#');
  const [, scheme, rest = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/s.exec(bare) ?? [undefined, undefined, bare];
  if (scheme === undefined && bare.startsWith(':')) return 'missing protocol scheme';
  const [before = ''] = split(rest, '?');
  if (scheme === undefined && /^[^/]*:/.test(before)) return 'first path segment in URL cannot contain colon';
  const bad = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(bare)?.[0];
  if (bad !== undefined) return `invalid URL escape ${JSON.stringify(bad)}`;
  const authority = /^\/\/([^/]*)/.exec(before)?.[1] ?? '';
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const port = /:[^\]:]*$/.exec(host.startsWith('[') ? host.replace(/^\[[^\]]*\]/, '') : host)?.[0];
  if (port !== undefined && !/^:\d*$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`;
  const strange = /[ "<>^`{|}\\]/.exec(host)?.[0];
  return strange === undefined ? undefined : `invalid character ${JSON.stringify(strange)} in host name`;
}

const DEFAULT_PORT = 443;

/**
 * A Service that a webhook is called through. Upstream: k8s.io/apiserver/pkg/util/webhook.ValidateWebhookService, whose
 * callers pass name and namespace the other way round, so that the error of each has the path of the other.
 */
export function* webhookServiceErrors(service: GoFields, at: FieldPath): Iterable<FieldError> {
  for (const [field, printed] of [
    ['namespace', 'name'],
    ['name', 'namespace'],
  ] as const) {
    if (text(service, field) === '') yield { ...required(at.child(field)), field: at.child(printed).toString() };
  }
  const port = optionalInt(service, 'port') ?? DEFAULT_PORT;
  const ofPort = portNumberErrors(port);
  if (ofPort.length > 0) yield invalid(at.child('port'), port, `port is not valid: ${ofPort.join(', ')}`);
  const path = optionalText(service, 'path');
  if (path !== undefined) yield* pathErrors(path, at.child('path'));
}

function* pathErrors(path: string, at: FieldPath): Iterable<FieldError> {
  if (path === '/' || path === '') return;
  if (path === '//') {
    yield invalid(at, path, 'segment[0] may not be empty');
    return;
  }
  if (!path.startsWith('/')) yield invalid(at, path, "must start with a '/'");
  for (const [i, step] of path.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (step === '') yield invalid(at, path, `segment[${i}] may not be empty`);
    else for (const it of dns1123SubdomainErrors(step)) yield invalid(at, path, `segment[${i}]: ${it}`);
  }
}
