import type { Kube } from '../../../../kube/kube';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid } from '../errors';
import { totalCostErrors } from './costs';
import { defaultErrors } from './defaults';
import { rootContext } from './expressions';
import { openApiFindings } from './openApi';
import type { SchemaProps } from './schemaProps';
import { structuralErrors, unsupportedKeyword } from './structural';

/**
 * Keywords at the root of a schema beside a status subresource, whose part of the schema is used alone. Upstream:
 * allowedFieldsAtRootSchema, in Go's names.
 */
const AT_ROOT =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

const ALLOWED: ReadonlySet<string> = new Set([
  ...AT_ROOT.split(' ').map(it => it.charAt(0).toLowerCase() + it.slice(1)),
  'itemsList',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-validations',
]);

/** Keywords in the order of the Go type, as far as an error ends the search. */
function* rootErrors(of: SchemaProps, at: FieldPath): Iterable<FieldError> {
  const before = ['id', '$schema', '$ref'].some(it => Object.hasOwn(of, it));
  const detail = `only [${AT_ROOT}] fields are allowed at the root of the schema if the status subresource is enabled`;
  if (before) {
    yield invalid(at, '', detail);
  } else if (of.type !== undefined && of.type !== 'object') {
    yield invalid(
      at.child('type'),
      of.type,
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
    );
  } else if (Object.keys(of).some(it => !ALLOWED.has(it))) {
    yield invalid(at, '', detail);
  }
}

/**
 * The errors of a version's schema. Rules of structural schemas come first; defaults are checked where these pass, and
 * CEL rules where defaults pass, too. Upstream: validateCustomResourceDefinitionValidation.
 */
export function schemaErrors(
  of: SchemaProps,
  at: FieldPath,
  subresources: 'with status' | 'without status',
  kube: Kube,
): readonly FieldError[] {
  const unsupported = unsupportedKeyword(of, kube);
  const structural = unsupported === undefined ? structuralOrDefaultErrors(of, at, kube) : [];
  const isSound = unsupported === undefined && structural.length === 0;
  const around = { inMetadata: false };
  const { errors, celErrors, costs } = openApiFindings(
    of,
    at,
    around,
    isSound ? rootContext(of, kube) : undefined,
    'root',
    kube,
  );
  const found = [
    ...(subresources === 'with status' ? rootErrors(of, at) : []),
    ...(of.nullable ? [forbidden(at.child('nullable'), 'nullable cannot be true at the root')] : []),
    ...structural,
    ...errors,
    ...celErrors,
  ];
  const late = found.length === 0 && unsupported !== undefined ? [invalid(at, '', unsupported)] : [];
  return [...found, ...late, ...totalCostErrors(costs, at)];
}

function structuralOrDefaultErrors(of: SchemaProps, at: FieldPath, kube: Kube): readonly FieldError[] {
  const structural = [...structuralErrors(of, at, kube)];
  return structural.length > 0 ? structural : defaultErrors(of, at, kube);
}
