import type { JsonObject, JsonValue } from '../../../../base/json';
import { asObject } from '../../../../base/json';
import type { ScaleSubresource } from '../../../../kube/kube';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid } from '../errors';

const MOST = 2 ** 31 - 1;

/** Upstream: customResourceValidator.ValidateScaleSpec and ValidateScaleStatus. */
export function* scaleErrors(object: JsonObject, scale: ScaleSubresource): Iterable<FieldError> {
  for (const path of [scale.specReplicasPath, scale.statusReplicasPath]) {
    const at = FieldPath.of(path);
    const found = valueAtPath(object, path);
    if (found === undefined) continue;
    if (!isCount(found)) yield invalid(at, 0, `accessor error: ${JSON.stringify(found)} is not an integer`);
    else if (Number(found) < 0) yield invalid(at, found, 'should be a non-negative integer');
    else if (Number(found) > MOST) yield invalid(at, found, `should be less than or equal to ${MOST}`);
  }
  const selector = scale.labelSelectorPath && valueAtPath(object, scale.labelSelectorPath);
  if (selector === undefined || selector === '' || typeof selector === 'string') return;
  yield invalid(FieldPath.of(scale.labelSelectorPath ?? ''), '', 'accessor error: it is not text');
}

const isCount = (value: JsonValue): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));

/** The value at a path such as `.spec.replicas`; undefined if it is missing. */
function valueAtPath(object: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const name of path.replace(/^\./, '').split('.')) {
    const of: JsonObject | undefined = asObject(value);
    if (of === undefined) return value === undefined ? undefined : null;
    value = Object.hasOwn(of, name) ? of[name] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}
