import { asList, asObject, asText, isObject, type JsonValue } from '../../../base/json';
import { fieldAt } from '../../../manifest/valueAt';
import type { IssueFunction } from './issueFunction';

/** Whether an expression, or a schema with rules, calls `containsCIDR`. */
export const mentionsContainsCidr: IssueFunction = self =>
  isAnywhere(self, (it, key) => ['rule', 'expression', ''].includes(key) && `${it}`.includes('containsCIDR('));

/** Whether a schema has a number with one of the formats of OpenAPI. */
export const hasFormatOfNumbers: IssueFunction = self =>
  isAnywhere(self, it => {
    const { type, format } = asObject(it) ?? {};
    const formats = type === 'integer' ? ['int32', 'int64'] : type === 'number' ? ['float', 'double'] : [];
    return formats.some(known => known === format);
  });

/** Whether a rule of an admission policy selects a resource whose definition has `additionalProperties: true`. */
export const isShownInPolicyOfLooseDefinition: IssueFunction = (self, _target, { snapshot }) => {
  const { apiGroups, resources } = asObject(self) ?? {};
  const names = (list: JsonValue | undefined, name: JsonValue | undefined): boolean =>
    asList(list).some(it => it === '*' || it === name);
  return snapshot.objectsOf('apiextensions.k8s.io', 'CustomResourceDefinition').some(({ manifest }) => {
    const spec = asObject(manifest.value.spec);
    if (!names(apiGroups, spec?.group) || !names(resources, fieldAt(spec, 'names', 'plural'))) return false;
    return isAnywhere(spec?.versions ?? null, (it, key) => key === 'additionalProperties' && it === true);
  });
};

/** Whether an object of the workspace sets a nullable object or list of this version of a definition to null. */
export const hasObjectWithNullContainer: IssueFunction = (self, { value }, { snapshot }) => {
  const schema = fieldAt(self, 'schema', 'openAPIV3Schema');
  const version = fieldAt(self, 'name');
  const [group, kind] = [asText(fieldAt(value, 'spec', 'group')), asText(fieldAt(value, 'spec', 'names', 'kind'))];
  if (schema === undefined || group === undefined || kind === undefined) return false;
  if (!isAnywhere(schema, (it, key) => key === 'nullable' && it === true)) return false;
  return snapshot
    .objectsOf(group, kind)
    .some(it => it.version === version && hasNullContainer(it.manifest.value, schema));
};

/** Whether a value has a null where its schema allows one beside an object or a list. */
function hasNullContainer(value: JsonValue, schema: JsonValue | undefined): boolean {
  const { type, nullable, properties, additionalProperties, items } = asObject(schema) ?? {};
  if (value === null) return nullable === true && (type === 'object' || type === 'array');
  if (Array.isArray(value)) return value.some((it: JsonValue) => hasNullContainer(it, items));
  const known = asObject(properties) ?? {};
  return Object.entries(asObject(value) ?? {}).some(([name, it]) =>
    hasNullContainer(it as JsonValue, Object.hasOwn(known, name) ? known[name] : additionalProperties),
  );
}

/** Whether something holds of a value or of one below it; `key` is the field that holds it, '' for the value itself. */
function isAnywhere(value: JsonValue, holds: (value: JsonValue, key: string) => boolean, key = ''): boolean {
  if (holds(value, key)) return true;
  if (Array.isArray(value)) return value.some((it: JsonValue) => isAnywhere(it, holds, key));
  return isObject(value) && Object.entries(value).some(([name, it]) => isAnywhere(it as JsonValue, holds, name));
}
