import { maxRequestBytes } from '../../../../kube/cel/declType';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden } from '../errors';

/** Upstream: StaticEstimatedCostLimit, in the units of CEL's cost. */
export const MOST_EXPRESSION_COST = 10_000_000;
/** Upstream: StaticEstimatedCRDCostLimit. */
const MOST_SCHEMA_COST = 100_000_000;
/** How many of the most expensive expressions are named. */
const MOST_NAMED = 4;

/** The cost of all evaluations of one expression for one object. */
export interface ExpressionCost {
  readonly at: FieldPath;
  readonly cost: number;
}

/**
 * The cost of a rule times how often it can be evaluated: as the schema limits it, or as many values of `minSize` bytes
 * fit into a request. Upstream: getExpressionCost.
 */
export function worstCost(cost: number, most: number | undefined, minSize: number): number {
  const times = most ?? Math.floor(maxRequestBytes / (minSize + 1));
  return cost === 0 || times === 0 ? 0 : Math.min(cost * times, 2 ** 64);
}

/** Upstream: getCostErrorMessage. */
export function excess(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const times = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${times} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}

/** Upstream: TotalCost, and the errors of validateCustomResourceDefinitionValidation. */
export function totalCostErrors(costs: readonly ExpressionCost[], at: FieldPath): readonly FieldError[] {
  const total = costs.reduce((sum, it) => sum + it.cost, 0);
  if (total <= MOST_SCHEMA_COST) return [];
  const expensive = costs
    .filter(it => it.cost >= MOST_SCHEMA_COST / 100)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, MOST_NAMED);
  return [
    ...expensive.map(it =>
      forbidden(it.at, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'),
    ),
    forbidden(
      at,
      excess('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', total, MOST_SCHEMA_COST),
    ),
  ];
}
