import { jsonText } from '../../base/printed';
import { compareQuantities, formatQuantity } from '../../kube/quantity';
import type { Container, PodSpec } from '../../kube/types';
import { quantitiesOf } from '../resources/quantities';

/**
 * Why the server's validation refuses what the defaults of LimitRanges made of a Pod's containers; undefined: it does not, or
 * it refuses the Pod as written as well, which its own rules report. Upstream: rest.BeforeCreate, which runs before
 * validating admission; validation.validateContainerResourceRequirements.
 */
export function invalidByLimits(written: PodSpec, defaulted: PodSpec): string | undefined {
  if (errorsOf(written).length > 0) return undefined;
  const errors = errorsOf(defaulted);
  return errors.length > 1 ? `[${errors.join(', ')}]` : errors[0];
}

function errorsOf({ containers = [], initContainers = [] }: PodSpec): readonly string[] {
  return [
    ...containers.flatMap((it, i) => requestErrors(it, `spec.containers[${i}].resources`)),
    ...initContainers.flatMap((it, i) => requestErrors(it, `spec.initContainers[${i}].resources`)),
  ];
}

function requestErrors({ resources }: Container, at: string): readonly string[] {
  const limits = quantitiesOf(resources?.limits);
  return [...quantitiesOf(resources?.requests)].flatMap(([name, request]) => {
    const limit = limits.get(name);
    if (limit === undefined || compareQuantities(request, limit) <= 0) return [];
    const value = jsonText(formatQuantity(request));
    return [
      `${at}.requests: Invalid value: ${value}: must be less than or equal to ${name} limit of ${formatQuantity(limit)}`,
    ];
  });
}
