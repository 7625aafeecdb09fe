import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { has, optionalText, record, text, texts } from '../../../../kube/goFields';
import { dns1035LabelErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, notSupported, required } from '../errors';
import { webhookServiceErrors, webhookUrlErrors } from '../shared/webhookClient';

const AT = FieldPath.of('spec', 'conversion');
const CLIENT = AT.child('webhookClientConfig');
const VERSIONS = AT.child('conversionReviewVersions');

/** Upstream: validateCustomResourceConversion, with the fields of the internal version. */
export function* conversionErrors(spec: JsonObject): Iterable<FieldError> {
  const conversion = record(spec, 'conversion') ?? {};
  const strategy = text(conversion, 'strategy');
  if (strategy !== 'None' && spec.preserveUnknownFields === true) {
    yield invalid(AT.child('strategy'), strategy, 'must be None if spec.preserveUnknownFields is true');
  }
  if (strategy === '') yield required(AT.child('strategy'));
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    yield notSupported(AT.child('strategy'), strategy, ['None', 'Webhook']);
  }
  const webhook = record(conversion, 'webhook');
  const client = record(webhook, 'clientConfig');
  const versions = texts(webhook, 'conversionReviewVersions');
  if (strategy === 'Webhook') {
    if (client === undefined) yield required(CLIENT, 'required when strategy is set to Webhook');
    else yield* clientErrors(client);
    yield* versionErrors(versions);
    return;
  }
  if (client !== undefined) yield forbidden(CLIENT, 'should not be set when strategy is not set to Webhook');
  if (versions.length > 0) yield forbidden(VERSIONS, 'should not be set when strategy is not set to Webhook');
}

function* clientErrors(client: JsonObject): Iterable<FieldError> {
  const service = record(client, 'service');
  const url = optionalText(client, 'url');
  if ((url === undefined) === (service === undefined)) {
    yield required(CLIENT, 'exactly one of url or service is required');
  } else if (url !== undefined) {
    yield* webhookUrlErrors(url, CLIENT.child('url'));
  } else {
    yield* webhookServiceErrors(service, CLIENT.child('service'));
  }
}

/** Upstream: validateConversionReviewVersions. */
function* versionErrors(versions: readonly string[]): Iterable<FieldError> {
  if (versions.length === 0) {
    yield required(VERSIONS);
    return;
  }
  const repeated = repeatedAt(versions);
  for (const [i, it] of versions.entries()) {
    if (repeated.has(i)) yield invalid(VERSIONS.index(i), it, 'duplicate version');
    else for (const problem of dns1035LabelErrors(it)) yield invalid(VERSIONS.index(i), it, problem);
  }
  if (!versions.includes('v1') && !versions.includes('v1beta1')) {
    yield invalid(VERSIONS, [...versions], 'must include at least one of v1, v1beta1');
  }
}

/** The Service's port has a default. */
export function withServicePort(conversion: JsonObject): JsonObject {
  const webhook = record(conversion, 'webhook');
  const client = record(webhook, 'clientConfig');
  const service = record(client, 'service');
  if (webhook === undefined || client === undefined || service === undefined || has(service, 'port')) return conversion;
  return { ...conversion, webhook: { ...webhook, clientConfig: { ...client, service: { ...service, port: 443 } } } };
}
