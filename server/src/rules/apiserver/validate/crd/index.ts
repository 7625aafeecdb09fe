import type { JsonObject } from '../../../../base/json';
import type { PartMemo } from '../../../../base/partMemo';
import { has, without } from '../../../../kube/goFields';
import type { KindInfo, StructuralSchema } from '../../../../kube/kube';
import { asksTooMuch } from '../../../../kube/schemaSize';
import { FieldPath } from '../../../../manifest/fieldPath';
import type { ErrorType, FieldError, KindStrategy, Validation } from '../errors';
import { validateGenericObjectMeta, validateNameFn } from '../metadata';
import { embeddedErrors } from './embedded';
import { finalizerWarnings } from './finalizers';
import { withCheckedFormats } from './formats';
import { listErrors } from './lists';
import { hasRules, ruleErrors } from './rules';
import { scaleErrors } from './scale';
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
 * a kind without one, or with one that asks too much. Upstream: apiextensions-apiserver pkg/registry/customresource.
 */
export function customResourceStrategy(kind: KindInfo, memo: PartMemo): KindStrategy | undefined {
  const { structural, namespaced, subresources = { status: structural?.properties?.status !== undefined } } = kind;
  if (structural === undefined || asksTooMuch(structural, memo)) return undefined;
  const scope = namespaced ? 'namespaced' : 'cluster';
  return {
    defaults: object => decodedResource(object, structural),
    drop: object => (subresources.status ? withoutStatus(object) : { object, dropped: [] }),
    validate: (object, validation) => [
      ...validateGenericObjectMeta(object, scope, validateNameFn.subdomain),
      ...(subresources.scale === undefined ? [] : scaleErrors(object, subresources.scale)),
      ...errorsOf(object, structural, validation).map(withField),
    ],
    warn: finalizerWarnings,
  };
}

function errorsOf(object: JsonObject, schema: StructuralSchema, { kube }: Validation): readonly FieldError[] {
  const checked = kube.parts.of('checked formats', schema, () => withCheckedFormats(schema, kube));
  const at = FieldPath.root;
  const errors = [
    ...schemaErrors(object, checked, { kube, base: at }),
    ...embeddedErrors(object, schema, at),
    ...listErrors(object, schema, at),
  ];
  if (!hasRules(schema, kube.parts)) return errors;
  return errors.some(it => blocking.has(it.type))
    ? [...errors, NOT_CHECKED]
    : [
        ...errors,
        ...ruleErrors(object, schema, at, 'root', { cel: kube.cel, parts: kube.parts, wrongRules: 'left out' }),
      ];
}

/** An error of the whole resource has no field. */
const withField = (error: FieldError): FieldError =>
  error.at === FieldPath.root ? { ...error, field: '<nil>' } : error;

/** It has no field. */
const NOT_CHECKED: FieldError = {
  type: 'FieldValueInvalid',
  at: FieldPath.root,
  field: '<nil>',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

/** A status that is a subresource is written by controllers. */
function withoutStatus(object: JsonObject) {
  if (!has(object, 'status')) return { object, dropped: [] };
  return { object: without(object, 'status'), dropped: [FieldPath.of('status')] };
}
