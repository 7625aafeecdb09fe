import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { type GoFields, optionalInt, optionalText, record, records, text, texts } from '../../../../kube/goFields';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalid, type KindStrategy, required, type Validation } from '../errors';
import { type KIND_META, validateKindMeta } from '../kindMeta';
import { nameOf, validateLabelSelector } from '../metadata';
import { webhookServiceErrors, webhookUrlErrors } from '../shared/webhookClient';
import { defaultWebhooks } from './defaults';
import { matchConditionErrors } from './expressions';
import {
  FAILURE_POLICIES,
  MATCH_POLICIES,
  policyErrors,
  reservedNameErrors,
  reservedNameWarnings,
  ruleErrors,
} from './rules';

const RESERVED_NAMES_GATE = 'ManifestBasedAdmissionControlConfig';
const WEBHOOKS = FieldPath.of('webhooks');
const NAME = FieldPath.of('metadata', 'name');

/** Upstream: pkg/registry/admissionregistration/validatingwebhookconfiguration. */
export const validatingWebhooks = webhookStrategy('admissionregistration.k8s.io/ValidatingWebhookConfiguration', {});
/** Upstream: pkg/registry/admissionregistration/mutatingwebhookconfiguration. */
export const mutatingWebhooks = webhookStrategy('admissionregistration.k8s.io/MutatingWebhookConfiguration', {
  reinvocationPolicy: 'Never',
});

function webhookStrategy(kind: keyof typeof KIND_META, defaults: JsonObject): KindStrategy {
  return {
    defaults: object => defaultWebhooks(object, defaults),
    validate: (object, validation) => [
      ...validateKindMeta(object, kind),
      ...webhookErrors(records(object, 'webhooks'), validation),
      ...(validation.isOn(RESERVED_NAMES_GATE) ? reservedNameErrors(nameOf(record(object, 'metadata')), NAME) : []),
    ],
    warn: (object, validation) => [
      ...(validation.isOn(RESERVED_NAMES_GATE) ? [] : reservedNameWarnings(nameOf(record(object, 'metadata')))),
      ...(validation.isOn('ExcludeAdmissionWebhookVirtualResources') ? excludedWarnings(object) : []),
    ],
  };
}

function* webhookErrors(webhooks: readonly JsonObject[], validation: Validation): Iterable<FieldError> {
  const names = webhooks.map(it => text(it, 'name'));
  const repeated = repeatedAt(names);
  for (const [i, webhook] of webhooks.entries()) {
    const at = WEBHOOKS.index(i);
    yield* oneWebhookErrors(webhook, at, validation);
    yield* versionErrors(texts(webhook, 'admissionReviewVersions'), at.child('admissionReviewVersions'));
    if (repeated.has(i) && names[i] !== '') yield duplicate(at.child('name'), names[i] ?? '');
  }
}

/** Upstream: validateValidatingWebhook and validateMutatingWebhook. */
function* oneWebhookErrors(webhook: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  yield* qualifiedDomainErrors(text(webhook, 'name'), at.child('name'));
  for (const [i, rule] of records(webhook, 'rules').entries()) yield* ruleErrors(rule, at.child('rules').index(i));
  yield* policyErrors(webhook, 'failurePolicy', at, FAILURE_POLICIES);
  yield* policyErrors(webhook, 'matchPolicy', at, MATCH_POLICIES);
  const sideEffects = optionalText(webhook, 'sideEffects');
  if (sideEffects === undefined) yield required(at.child('sideEffects'), 'must specify one of None, NoneOnDryRun');
  yield* policyErrors(webhook, 'sideEffects', at, ['None', 'NoneOnDryRun']);
  const timeout = optionalInt(webhook, 'timeoutSeconds');
  if (timeout !== undefined && (timeout > 30 || timeout < 1)) {
    yield invalid(at.child('timeoutSeconds'), timeout, 'the timeout value must be between 1 and 30 seconds');
  }
  for (const field of ['namespaceSelector', 'objectSelector']) {
    yield* validateLabelSelector(record(webhook, field), at.child(field));
  }
  yield* policyErrors(webhook, 'reinvocationPolicy', at, ['IfNeeded', 'Never']);
  yield* clientErrors(record(webhook, 'clientConfig'), at.child('clientConfig'));
  const conditions = records(webhook, 'matchConditions');
  yield* matchConditionErrors(conditions, 'none', at.child('matchConditions'), validation);
}

/** Upstream: IsFullyQualifiedName. */
function* qualifiedDomainErrors(name: string, at: FieldPath): Iterable<FieldError> {
  if (name === '') {
    yield required(at);
    return;
  }
  const messages = dns1123SubdomainErrors(name);
  if (messages.length > 0) yield invalid(at, name, messages.join(','));
  else if (name.split('.').length < 3) {
    yield invalid(at, name, 'should be a domain with at least three segments separated by dots');
  }
}

const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** Upstream: validateAdmissionReviewVersions. */
function* versionErrors(versions: readonly string[], at: FieldPath): Iterable<FieldError> {
  if (versions.length === 0) {
    yield required(at, `must specify one of ${REVIEW_VERSIONS.join(', ')}`);
    return;
  }
  const repeated = repeatedAt(versions);
  for (const [i, version] of versions.entries()) {
    if (repeated.has(i)) yield invalid(at.index(i), version, 'duplicate version');
    else for (const it of dns1035LabelErrors(version)) yield invalid(at.index(i), version, it);
  }
  if (!versions.some(it => REVIEW_VERSIONS.includes(it))) {
    yield invalid(at, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`);
  }
}

function* clientErrors(config: GoFields, at: FieldPath): Iterable<FieldError> {
  const url = optionalText(config, 'url');
  const service = record(config, 'service');
  if ((url === undefined) === (service === undefined)) yield required(at, 'exactly one of url or service is required');
  else if (url !== undefined) yield* webhookUrlErrors(url, at.child('url'));
  else yield* webhookServiceErrors(service, at.child('service'));
}

/** Resources that webhooks never see. Upstream: pkg/kubeapiserver/admission/exclusion.Excluded. */
const EXCLUDED: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

/** Upstream: WarningsForValidatingWebhookRules and WarningsForMutatingWebhookRules. */
function excludedWarnings(object: JsonObject): readonly string[] {
  return records(object, 'webhooks').flatMap((webhook, i) =>
    records(webhook, 'rules').flatMap((rule, j) => {
      const [groups, resources] = [texts(rule, 'apiGroups'), texts(rule, 'resources')];
      if (groups.includes('*') || resources.includes('*')) return [];
      const named = groups.flatMap(group => resources.map(it => `${it}.${group}`)).filter(it => EXCLUDED.has(it));
      const at = WEBHOOKS.index(i).child('rules').index(j);
      return [...new Set(named)].map(
        it => `${at}: ${it} is excluded from admission webhooks; this rule will have no effect`,
      );
    }),
  );
}
