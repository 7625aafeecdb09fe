import { isObject, type JsonObject } from '../../../../base/json';
import type { PartMemo } from '../../../../base/partMemo';
import { isSameValue } from '../../../../base/sameValue';
import { flag, int, optionalText, record, records, text } from '../../../../kube/goFields';
import type { Subresources } from '../../../../kube/kube';
import { type SchemaProps, schemaProps } from './schemaProps';

/** What one version, or all versions together, declare. */
export interface VersionParts {
  /** Without a schema if only `schema: {}` is written. */
  readonly validation: { readonly schema?: SchemaProps } | undefined;
  readonly subresources: Subresources | undefined;
  readonly columns: readonly Column[];
  /** Paths. */
  readonly selectableFields: readonly string[];
}

export interface DefinedVersion extends VersionParts {
  readonly name: string;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly jsonPath: string;
}

/** The versions as the server validates them: `common` has what all versions have alike, and the versions have the rest. */
export interface InternalVersions {
  readonly common: VersionParts;
  readonly versions: readonly DefinedVersion[];
  /** With all their parts. */
  readonly written: readonly DefinedVersion[];
}

/** Upstream: Convert_v1_CustomResourceDefinitionSpec_To_apiextensions_CustomResourceDefinitionSpec. */
export const internalVersions = (spec: JsonObject, memo: PartMemo): InternalVersions =>
  memo.of('versions', spec, () => convertedVersions(spec, memo));

function convertedVersions(spec: JsonObject, memo: PartMemo): InternalVersions {
  const written = records(spec, 'versions').map(it => versionOf(it, memo));
  const [first] = written;
  const isAlike = (part: keyof VersionParts): boolean => written.every(it => isSameValue(it[part], first?.[part]));
  const isCommon = {
    validation: written.every(it => hasSameSchema(it, first, memo)),
    subresources: isAlike('subresources'),
    columns: isAlike('columns'),
    selectableFields: isAlike('selectableFields'),
  };
  const common: VersionParts = {
    validation: isCommon.validation ? first?.validation : undefined,
    subresources: isCommon.subresources ? first?.subresources : undefined,
    columns: isCommon.columns ? (first?.columns ?? []) : [],
    selectableFields: isCommon.selectableFields ? (first?.selectableFields ?? []) : [],
  };
  const versions = written.map(it => ({
    ...it,
    ...(isCommon.validation && { validation: undefined }),
    ...(isCommon.subresources && { subresources: undefined }),
    ...(isCommon.columns && { columns: [] }),
    ...(isCommon.selectableFields && { selectableFields: [] }),
  }));
  return { common, versions, written };
}

function hasSameSchema(a: DefinedVersion, b: DefinedVersion | undefined, memo: PartMemo): boolean {
  const [left, right] = [a.validation, b?.validation];
  if (left === undefined || right === undefined) return left === right;
  return isSamePart(left.schema, right.schema, memo);
}

/** Whether two values are equal, as `isSameValue`; parts that were found equal are not compared again. */
function isSamePart(a: unknown, b: unknown, memo: PartMemo): boolean {
  if (!isObject(a) || !isObject(b) || a === b) return isSameValue(a, b);
  const equals = memo.of('equal parts', a, () => new WeakSet<object>());
  if (equals.has(b)) return true;
  const names = Object.keys(a);
  const isSame =
    names.length === Object.keys(b).length && names.every(it => Object.hasOwn(b, it) && isSamePart(a[it], b[it], memo));
  if (isSame) equals.add(b);
  return isSame;
}

function versionOf(of: JsonObject, memo: PartMemo): DefinedVersion {
  const schema = record(of, 'schema');
  const openApi = record(schema, 'openAPIV3Schema');
  return {
    name: text(of, 'name'),
    storage: flag(of, 'storage') ?? false,
    deprecated: flag(of, 'deprecated') ?? false,
    deprecationWarning: optionalText(of, 'deprecationWarning'),
    validation: schema && (openApi === undefined ? {} : { schema: schemaProps(openApi, memo) }),
    subresources: subresourcesOf(record(of, 'subresources')),
    columns: records(of, 'additionalPrinterColumns').map(it => ({
      name: text(it, 'name'),
      type: text(it, 'type'),
      format: text(it, 'format'),
      description: text(it, 'description'),
      priority: int(it, 'priority'),
      jsonPath: text(it, 'jsonPath'),
    })),
    selectableFields: records(of, 'selectableFields').map(it => text(it, 'jsonPath')),
  };
}

function subresourcesOf(of: JsonObject | undefined): Subresources | undefined {
  if (of === undefined) return undefined;
  const scale = record(of, 'scale');
  const status = record(of, 'status') !== undefined;
  if (scale === undefined) return { status };
  const selector = text(scale, 'labelSelectorPath');
  return {
    status,
    scale: {
      specReplicasPath: text(scale, 'specReplicasPath'),
      statusReplicasPath: text(scale, 'statusReplicasPath'),
      ...(selector !== '' && { labelSelectorPath: selector }),
    },
  };
}
