import type { JsonValue } from '../../../base/json';
import { lazyByObject } from '../../../base/lazy';
import { policyKey } from '../policies/exceptions';
import type { KyvernoWorld } from '../world';
import type { KyvernoPolicies } from './evaluatePolicies';

/**
 * How much it takes to evaluate some policies about one resource: the number of values in their specifications and in
 * those of their exceptions. Each of these is looked at for each resource.
 */
export function workOf({ policies, celPolicies, cleanupPolicies }: KyvernoPolicies, world: KyvernoWorld): number {
  let work = 0;
  for (const { spec } of [...policies, ...celPolicies, ...cleanupPolicies]) work += valuesIn(spec);
  for (const it of policies) for (const exception of world.exceptionsOf(policyKey(it))) work += valuesIn(exception);
  return work;
}

const valuesIn = lazyByObject((value: object): number => countOfValues(value as JsonValue));

export function countOfValues(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, it) => sum + countOfValues(it as JsonValue), 1);
}
