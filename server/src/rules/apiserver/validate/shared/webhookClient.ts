import { type GoFields, optionalInt, optionalText, text } from '../../../../kube/goFields';
import { parseGoUrl } from '../../../../kube/goUrl';
import { dns1123SubdomainErrors, portNumberErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, required } from '../errors';

const FORM = '; desired format: https://host[/path]';

/** Upstream: k8s.io/apiserver/pkg/util/webhook.ValidateWebhookURL with https required. */
export function* webhookUrlErrors(url: string, at: FieldPath): Iterable<FieldError> {
  const parts = parseGoUrl(url);
  if ('problem' in parts) {
    yield required(at, `url must be a valid URL: parse ${JSON.stringify(parts.of)}: ${parts.problem}${FORM}`);
    return;
  }
  const { scheme, host, user, query, fragment } = parts;
  if (scheme !== 'https') yield invalid(at, scheme, `'https' is the only allowed URL scheme${FORM}`);
  if (host === '') yield invalid(at, host, `host must be specified${FORM}`);
  if (user !== undefined) yield invalid(at, user, 'user information is not permitted in the URL');
  if (fragment !== '') yield invalid(at, fragment, 'fragments are not permitted in the URL');
  if (query !== '') yield invalid(at, query, 'query parameters are not permitted in the URL');
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
