import type { Kube, StructuralSchema } from '../../../../kube/kube';
import { hasTextFormat, isTextFormat as isKnown } from '../../../../kube/textFormats';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';

type Minor = Pick<Kube, 'minor'>;

const nameOf = (format: string): string => format.replaceAll('-', '');

/** Whether text is checked for a format. */
export const isTextFormat = (format: string): boolean => isKnown(nameOf(format));

/** The format that a text does not conform to; undefined if it does, and for formats that are not checked. */
export function formatError(text: string, format: string): string | undefined {
  return hasTextFormat(text, nameOf(format)) ? undefined : format;
}

/**
 * Whether the server of a minor checks the format of a schema; it knows what the minor before it knew. Upstream:
 * apiservervalidation.GetUnrecognizedFormats.
 */
export function isRecognizedFormat(type: string | undefined, format: string, kube: Minor): boolean {
  const isNew = /^k8s-?(short|long)-?name$/.test(format);
  const isOfText = isTextFormat(format) && (!isNew || applies(minorChanges.formatsOfNames, kube));
  if (!applies(minorChanges.formatsOfNumbers, kube)) return isOfText;
  switch (type) {
    case undefined:
    case 'string':
      return isOfText;
    case 'integer':
      return format === 'int32' || format === 'int64';
    case 'number':
      return format === 'float' || format === 'double';
    default:
      return false;
  }
}

/** Whether the server of a minor warns of the format of a schema. */
export function isUnknownFormat(type: string | undefined, format: string, kube: Minor): boolean {
  if (!applies(minorChanges.warnsOfUnknownFormats, kube)) return false;
  const isAsked = type === 'string' || applies(minorChanges.formatsOfNumbers, kube);
  return isAsked && !isRecognizedFormat(type, format, kube);
}

/** The schema without formats that the server does not check. Upstream: StripUnsupportedFormatsPostProcess. */
export function withCheckedFormats(schema: StructuralSchema, kube: Minor): StructuralSchema {
  const inner = (it: StructuralSchema): StructuralSchema => withCheckedFormats(it, kube);
  const { format, ...rest } = schema;
  const type = schema['x-kubernetes-int-or-string'] ? undefined : schema.type;
  const isKept = format !== undefined && isRecognizedFormat(type, format, kube);
  return {
    ...(isKept ? schema : rest),
    ...(schema.properties && {
      properties: Object.fromEntries(Object.entries(schema.properties).map(([name, it]) => [name, inner(it)])),
    }),
    ...(schema.items && { items: inner(schema.items) }),
    ...(typeof schema.additionalProperties === 'object' && {
      additionalProperties: inner(schema.additionalProperties),
    }),
    ...(schema.allOf && { allOf: schema.allOf.map(inner) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(inner) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(inner) }),
    ...(schema.not && { not: inner(schema.not) }),
  };
}
