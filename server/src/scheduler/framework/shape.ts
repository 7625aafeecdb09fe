import { asObjects } from '../../base/json';

/** One point of a piecewise linear function. Upstream: config.UtilizationShapePoint. */
export interface ShapePoint {
  readonly utilization: number;
  readonly score: number;
}

/** The points of a written shape; what is no number counts as 0, as a field that is absent. */
export function shapeFrom(written: unknown): readonly ShapePoint[] {
  const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);
  return asObjects(written).map(({ utilization, score }) => ({
    utilization: numberIn(utilization),
    score: numberIn(score),
  }));
}

/** Scores of a shape go from 0 to 10, node scores from 0 to 100. */
const SHAPE_FACTOR = 10;

/**
 * The node score at a utilization from 0 to 100, truncated between points. Upstream: helper.BuildBrokenLinearFunction.
 */
export function alongShape(shape: readonly ShapePoint[], utilization: number): number {
  for (const [i, point] of shape.entries()) {
    if (utilization > point.utilization) continue;
    const before = shape[i - 1];
    if (!before) return point.score * SHAPE_FACTOR;
    const rise = (point.score - before.score) * SHAPE_FACTOR * (utilization - before.utilization);
    return before.score * SHAPE_FACTOR + Math.trunc(rise / (point.utilization - before.utilization));
  }
  return (shape.at(-1)?.score ?? 0) * SHAPE_FACTOR;
}
