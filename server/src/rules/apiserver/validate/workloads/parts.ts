import type { JsonObject } from '../../../../base/json';
import { has, optionalInt, record, records } from '../../../../kube/goFields';
import { dns1123LabelErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, required, type Validation, type Warning } from '../errors';
import { nameOf, selectsLabels, validateLabelSelector } from '../metadata';
import { defaultTemplate } from '../podSpec/defaults';
import { dropDisabledFields } from '../podSpec/drop';
import { podWarnings } from '../podSpec/warnings';
import { dropStatus } from '../shared/drops';

/** Checks and defaults that the kinds with a Pod template share. */

export const SPEC = FieldPath.of('spec');
export const TEMPLATE = SPEC.child('template');

export const specOf = (it: JsonObject): JsonObject => record(it, 'spec') ?? {};

export const templateOf = (spec: JsonObject): JsonObject => record(spec, 'template') ?? {};

export const labelsOf = (holder: JsonObject): JsonObject | undefined => record(record(holder, 'metadata'), 'labels');

/** The object with its spec defaulted: the defaults of the template, and those of the kind. */
export function withSpec(it: JsonObject, change: (spec: JsonObject) => JsonObject): JsonObject {
  const spec = specOf(it);
  return { ...it, spec: change({ ...spec, template: defaultTemplate(templateOf(spec)) }) };
}

/** The object with fields set that are nil pointers in Go: an empty text is a value. */
export function withMissing(of: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => !has(of, name));
  return missing.length === 0 ? of : { ...of, ...Object.fromEntries(missing) };
}

/** The object with the labels of its template if it has none of its own. */
export function withTemplateLabels(it: JsonObject): JsonObject {
  const labels = labelsOf(templateOf(specOf(it)));
  const isLabelled = Object.keys(labelsOf(it) ?? {}).length > 0;
  return labels === undefined || isLabelled ? it : { ...it, metadata: { ...record(it, 'metadata'), labels } };
}

/** The result of a step of PrepareForCreate, and the paths that it removed. */
export interface KeptFields {
  readonly object: JsonObject;
  readonly dropped: readonly FieldPath[];
}

/** Runs steps of PrepareForCreate one after the other. */
export function dropInTurn(object: JsonObject, ...steps: readonly ((object: JsonObject) => KeptFields)[]): KeptFields {
  return steps.reduce<KeptFields>(
    (before, step) => {
      const after = step(before.object);
      return { object: after.object, dropped: [...before.dropped, ...after.dropped] };
    },
    { object, dropped: [] },
  );
}

/** A step of PrepareForCreate for the object at a path inside another. */
export function dropInside(
  object: JsonObject,
  path: readonly string[],
  step: (inner: JsonObject, at: FieldPath) => KeptFields,
  at: FieldPath = FieldPath.root,
): KeptFields {
  const [name, ...rest] = path;
  if (name === undefined) return step(object, at);
  const inner = record(object, name);
  if (inner === undefined) return { object, dropped: [] };
  const kept = dropInside(inner, rest, step, at.child(name));
  return { object: { ...object, [name]: kept.object }, dropped: kept.dropped };
}

/** The object without the fields that the API server removes from the template at a path. */
export function dropOfTemplate(object: JsonObject, path: readonly string[], validation: Validation): KeptFields {
  return dropInside(object, path, (template, at) => dropDisabledFields(template, at, validation));
}

/** The fields that PrepareForCreate removes from kinds with a template in `spec.template`. */
export function dropOfWorkload(object: JsonObject, validation: Validation): KeptFields {
  return dropInTurn(object, dropStatus, it => dropOfTemplate(it, ['spec', 'template'], validation));
}

/** The API server's warnings for the template in `spec.template`. */
export function templateWarnings(it: JsonObject, validation: Validation): readonly Warning[] {
  return podWarnings(templateOf(specOf(it)), TEMPLATE, 'template', validation);
}

/**
 * Warnings for a name that the names of Pods will contain. Upstream: WarningsOnCreate of the kinds that create Pods
 * with generated names.
 */
export function nameWarnings(it: JsonObject): readonly string[] {
  const errors = dns1123LabelErrors(nameOf(record(it, 'metadata')));
  if (errors.length === 0) return [];
  const why = 'this is used in Pod names and hostnames, which can result in surprising behavior';
  return [`metadata.name: ${why}; a DNS label is recommended: [${errors.join(' ')}]`];
}

/** Upstream: core validation.ValidateNonnegativeField, for each of some fields. */
export function* nonNegative(of: JsonObject, fields: readonly string[], at: FieldPath): Iterable<FieldError> {
  for (const field of fields) {
    const value = optionalInt(of, field) ?? 0;
    if (value < 0) yield invalid(at.child(field), value, 'must be greater than or equal to 0');
  }
}

/** The selector must exist and select something. */
export function* requiredSelector(spec: JsonObject, kind: string): Iterable<FieldError> {
  const at = SPEC.child('selector');
  const selector = record(spec, 'selector');
  if (selector === undefined) {
    yield required(at);
    return;
  }
  yield* validateLabelSelector(selector, at);
  if (isEmptySelector(selector)) yield invalid(at, selector, `empty selector is invalid for ${kind}`);
}

export const isEmptySelector = (selector: JsonObject): boolean =>
  Object.keys(record(selector, 'matchLabels') ?? {}).length + records(selector, 'matchExpressions').length === 0;

/** Whether metav1.LabelSelectorAsSelector gives an error. */
export const isBrokenSelector = (spec: JsonObject): boolean =>
  [...validateLabelSelector(record(spec, 'selector'), SPEC.child('selector'))].length > 0;

/** A selector must match the labels of the template; an empty one matches all. */
export function* selectorMatches(spec: JsonObject, at: FieldPath = SPEC): Iterable<FieldError> {
  const selector = record(spec, 'selector');
  if (selector !== undefined && isEmptySelector(selector)) return;
  const labels = labelsOf(templateOf(spec));
  if (selectsLabels(selector, labels)) return;
  const detail = '`selector` does not match template `labels`';
  yield invalid(at.child('template', 'metadata', 'labels'), labels ?? null, detail);
}
