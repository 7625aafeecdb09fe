import type { JsonObject } from '../../../../base/json';
import { mapField, mapItems, record, text, withDefault, withField } from '../../../../kube/goFields';

/** Upstream: pkg/apis/admissionregistration/v1/defaults.go. */

const withPolicies = (of: JsonObject): JsonObject =>
  ['namespaceSelector', 'objectSelector'].reduce(
    (it, field) => withDefault(it, field, {}),
    withDefault(of, 'matchPolicy', 'Equivalent'),
  );

const withScope = (rule: JsonObject): JsonObject => withDefault(rule, 'scope', '*');

export function defaultMatch(match: JsonObject): JsonObject {
  return ['resourceRules', 'excludeResourceRules'].reduce(
    (it, list) => mapItems(it, list, withScope),
    withPolicies(match),
  );
}

/** The object with defaults in `spec`, which Go always has, and in what it matches. */
export function defaultPolicySpec(object: JsonObject): JsonObject {
  const spec = withDefault(record(object, 'spec') ?? {}, 'failurePolicy', 'Fail');
  return withField(object, 'spec', mapField(spec, 'matchConstraints', defaultMatch));
}

/** The object with defaults in what it matches; only v1alpha1 has one for missing parameters. */
export function defaultBindingSpec(object: JsonObject): JsonObject {
  const isAlpha = text(object, 'apiVersion').endsWith('/v1alpha1');
  return mapField(object, 'spec', spec => {
    const defaulted = mapField(spec, 'matchResources', defaultMatch);
    return isAlpha
      ? mapField(defaulted, 'paramRef', it => withDefault(it, 'parameterNotFoundAction', 'Deny'))
      : defaulted;
  });
}

/** The object with defaults in each webhook. */
export function defaultWebhooks(object: JsonObject, extra: JsonObject): JsonObject {
  return mapItems(object, 'webhooks', webhook => {
    const defaulted = Object.entries({ failurePolicy: 'Fail', timeoutSeconds: 10, ...extra }).reduce(
      (it, [field, value]) => withDefault(it, field, value ?? null),
      mapItems(withPolicies(webhook), 'rules', withScope),
    );
    return mapField(defaulted, 'clientConfig', config =>
      mapField(config, 'service', service => withDefault(service, 'port', 443)),
    );
  });
}
