import { coreStrategies } from './core/index';
import { draStrategies } from './dra/index';
import type { KindStrategy } from './errors';
import { podStrategy } from './podSpec/podSpec';
import { storageStrategies } from './storage/index';
import { workloadStrategies } from './workloads/index';

/**
 * What the API server does with an object of a kind on create, by `group/Kind` (`/Pod` for the core group). A kind that
 * is not here is judged by its schema alone.
 */
export const STRATEGIES: Readonly<Record<string, KindStrategy>> = {
  '/Pod': podStrategy,
  ...coreStrategies,
  ...draStrategies,
  ...storageStrategies,
  ...workloadStrategies,
};
