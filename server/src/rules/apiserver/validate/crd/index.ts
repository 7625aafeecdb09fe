import type { JsonObject } from '../../../../base/json';
import type { CelCompilers } from '../../../../kube/cel/compilers';
import { has, without } from '../../../../kube/goFields';
import type { KindInfo, StructuralSchema } from '../../../../kube/kube';
import { FieldPath } from '../../../../manifest/fieldPath';
import type { ErrorType, FieldError, KindStrategy } from '../errors';
import { validateGenericObjectMeta, validateNameFn } from '../metadata';
import { listErrors } from './lists';
import { ruleErrors } from './rules';
import { schemaErrors } from './schema';
import { decodedResource } from './structural';

/** After one of these errors the server does not run the CEL rules. Upstream: customresource.hasBlockingErr. */
const blocking: ReadonlySet<ErrorType> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/**
 * The API server's strategy for a custom resource on create, from the published schema of its definition; undefined for
 * a kind without one. The decoder's rules report values of a wrong type, so such values only keep the CEL rules from
 * running here, and the server's own message that it did not run them is left out. Upstream: apiextensions-apiserver
 * pkg/registry/customresource.
 */
export function customResourceStrategy({ structural, namespaced }: KindInfo): KindStrategy | undefined {
  if (structural === undefined) return undefined;
  const scope = namespaced ? 'namespaced' : 'cluster';
  return {
    defaults: object => decodedResource(object, structural),
    drop: object => withoutStatus(object, structural),
    validate: (object, { kube }) => [
      ...validateGenericObjectMeta(object, scope, validateNameFn.subdomain),
      ...errorsOf(without(without(without(object, 'metadata'), 'apiVersion'), 'kind'), object, structural, kube.cel),
    ],
  };
}

function errorsOf(
  body: JsonObject,
  whole: JsonObject,
  schema: StructuralSchema,
  cel: CelCompilers,
): readonly FieldError[] {
  const errors = [...schemaErrors(body, schema, FieldPath.root, cel), ...listErrors(body, schema, FieldPath.root)];
  const isBlocked = errors.some(it => blocking.has(it.type));
  return [
    ...errors.filter(it => it.type !== 'FieldValueTypeInvalid'),
    ...(isBlocked ? [] : ruleErrors(whole, schema, FieldPath.root, cel)),
  ];
}

/** Every published definition with a status serves it as a subresource. */
function withoutStatus(object: JsonObject, schema: StructuralSchema) {
  if (schema.properties?.status === undefined || !has(object, 'status')) return { object, dropped: [] };
  return { object: without(object, 'status'), dropped: [FieldPath.of('status')] };
}
