import type { JsonObject, JsonValue } from '../../../../base/json';
import { numeric } from '../../../../base/printed';
import { has, record, text, withDefaults } from '../../../../kube/goFields';
import { type FieldError, forbidden, notSupported } from '../errors';
import { isPercent } from '../intOrPercent';
import { atoi } from './atoi';
import { TEMPLATE, templateOf, withMissing } from './parts';

/** The number of an int-or-percent, whatever its unit. Upstream: apps validation.getIntOrPercentValue. */
export function amountOf(value: JsonValue | undefined): number {
  if (typeof value !== 'string') return numeric(value ?? 0);
  const parsed = atoi(isPercent(value) ? value.slice(0, -1) : value);
  return 'number' in parsed ? parsed.number : 0;
}

/** An update strategy with its type and, for a rolling one, its parameters. */
export function rollingDefaults(strategy: JsonObject, defaults: JsonObject): JsonObject {
  const typed = withDefaults(strategy, { type: 'RollingUpdate' });
  if (text(typed, 'type') !== 'RollingUpdate') return typed;
  return { ...typed, rollingUpdate: withMissing(record(typed, 'rollingUpdate') ?? {}, defaults) };
}

/** Pods of these workloads must restart always, without a deadline. */
export function* mustRunForever(spec: JsonObject, kind: string): Iterable<FieldError> {
  const pod = record(templateOf(spec), 'spec') ?? {};
  const policy = text(pod, 'restartPolicy');
  if (policy !== 'Always') yield notSupported(TEMPLATE.child('spec', 'restartPolicy'), policy, ['Always']);
  if (has(pod, 'activeDeadlineSeconds')) {
    const detail = `activeDeadlineSeconds in ${kind} is not Supported`;
    yield forbidden(TEMPLATE.child('spec', 'activeDeadlineSeconds'), detail);
  }
}
