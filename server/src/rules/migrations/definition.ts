import { asObject, type JsonObject } from '../../base/json';
import { field, inField, inItems, objects, renamed, withMissing, without } from './fields';

/** Fields that v1beta1 had once for all versions. */
const COMMON = ['version', 'validation', 'subresources', 'additionalPrinterColumns', 'preserveUnknownFields'];

/** CustomResourceDefinition of v1beta1. Upstream: pkg/apis/apiextensions/v1beta1 SetDefaults_… and conversion.go. */
export function definition(value: JsonObject): JsonObject {
  return inField(value, 'spec', spec => {
    const versions = objects(spec.versions);
    const all = versions.length > 0 ? versions : versionOf(spec);
    const rest = inField(without(spec, ...COMMON), 'conversion', conversion);
    return { ...withMissing(rest, { scope: 'Namespaced' }), versions: all.map(it => version(it, spec)) };
  });
}

function versionOf({ version }: JsonObject): readonly JsonObject[] {
  return version === undefined ? [] : [{ name: version, served: true, storage: true }];
}

function version(it: JsonObject, spec: JsonObject): JsonObject {
  const all = {
    ...it,
    ...(it.schema === undefined && field(spec, 'validation', 'schema')),
    ...(it.subresources === undefined && field(spec, 'subresources')),
    ...(it.additionalPrinterColumns === undefined && field(spec, 'additionalPrinterColumns')),
  };
  const columns = inItems(all, 'additionalPrinterColumns', column => renamed(column, 'JSONPath', 'jsonPath'));
  return { ...columns, schema: schemaOf(asObject(columns.schema), spec.preserveUnknownFields !== false) };
}

/** v1beta1 kept unknown fields unless told otherwise, v1 keeps them where the schema says so. */
function schemaOf(schema: JsonObject | undefined, isPreserving: boolean): JsonObject {
  const root = asObject(schema?.openAPIV3Schema) ?? {};
  const preserving = isPreserving ? { 'x-kubernetes-preserve-unknown-fields': true } : {};
  return { ...schema, openAPIV3Schema: { ...withMissing(root, { type: 'object' }), ...preserving } };
}

function conversion(it: JsonObject): JsonObject {
  const { webhookClientConfig, conversionReviewVersions } = it;
  if (webhookClientConfig === undefined && conversionReviewVersions === undefined) return it;
  const versions = conversionReviewVersions ?? ['v1beta1'];
  const webhook = { ...field(it, 'webhookClientConfig', 'clientConfig'), conversionReviewVersions: versions };
  const rest = without(it, 'webhookClientConfig', 'conversionReviewVersions');
  return it.strategy === 'Webhook' ? { ...rest, webhook } : rest;
}
