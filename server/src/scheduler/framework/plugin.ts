import type { SchedulerPlugin } from './interface';

export function definePlugin<FilterState = undefined, ScoreState = undefined>(
  plugin: SchedulerPlugin<FilterState, ScoreState>,
): SchedulerPlugin {
  // Methods are bivariant, so the runner can pass the states without knowing their types.
  return Object.freeze(plugin) as SchedulerPlugin;
}
