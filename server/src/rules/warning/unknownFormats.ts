import { asList, asObject, asText, type JsonValue } from '../../base/json';
import { push } from '../../base/multiMap';
import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { NAMED_SCHEMAS } from '../apiserver/validate/apiextensions/schemaProps';
import { isUnknownFormat } from '../apiserver/validate/crd/formats';

/** Fields of a written schema that hold a schema, or a list of schemas. */
const ONE = ['items', 'additionalProperties', 'additionalItems', 'not'] as const;
const LISTED = ['items', 'allOf', 'anyOf', 'oneOf'] as const;

const VERSIONS = FieldPath.of('spec', 'versions');

/**
 * Where a CustomResourceDefinition has the formats that the API server of a minor warns of, by format. The server's warnings
 * name no field. Upstream: WarningsOnCreate of CustomResourceDefinitions.
 */
export function unknownFormatsIn(
  definition: JsonValue,
  kube: Pick<Kube, 'minor'>,
): ReadonlyMap<string, readonly FieldPath[]> {
  const found = new Map<string, FieldPath[]>();
  const visit = (schema: JsonValue | undefined, at: FieldPath): void => {
    const of = asObject(schema);
    if (of === undefined) return;
    const format = asText(of.format);
    if (format !== undefined && isUnknownFormat(asText(of.type), format, kube)) push(found, format, at.child('format'));
    for (const key of ONE) visit(of[key], at.child(key));
    for (const key of LISTED) for (const [i, it] of asList(of[key]).entries()) visit(it, at.child(key).index(i));
    for (const key of NAMED_SCHEMAS)
      for (const [name, it] of Object.entries(asObject(of[key]) ?? {})) visit(it, at.child(key).key(name));
  };
  for (const [i, version] of asList(fieldAt(definition, 'spec', 'versions')).entries())
    visit(fieldAt(version, 'schema', 'openAPIV3Schema'), VERSIONS.index(i).child('schema', 'openAPIV3Schema'));
  return found;
}
