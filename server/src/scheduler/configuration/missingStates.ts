import { ownOf } from '../../base/ownOf';
import type { SchedulerPlugin } from '../framework/interface';

/** The error of Filter where PreFilter did not run. Plugins that are absent here compute the state themselves. */
const NO_PRE_FILTER: Readonly<Record<string, string>> = {
  NodeResourcesFit: 'error reading "PreFilterNodeResourcesFit" from cycleState: not found',
  NodePorts: 'reading "PreFilterNodePorts" from cycleState: not found',
  PodTopologySpread: 'reading "PreFilterPodTopologySpread" from cycleState: not found',
  InterPodAffinity: 'error reading "PreFilterInterPodAffinity" from cycleState: not found',
  VolumeRestrictions: 'cannot read "PreFilterVolumeRestrictions" from cycleState',
  VolumeBinding: 'not found',
  DynamicResources: 'not found',
  NodeDeclaredFeatures: 'error reading "PreFilterNodeDeclaredFeatures" from cycle-state: not found',
};

/** The error of Score where the extension point that it needs did not run. */
const UNPREPARED_SCORE: Readonly<Record<string, readonly [needs: 'preFilter' | 'preScore', failure: string]>> = {
  PodTopologySpread: ['preScore', 'error reading "PreScorePodTopologySpread" from cycleState: not found'],
  InterPodAffinity: ['preScore', 'failed to read "PreScoreInterPodAffinity" from cycleState: not found'],
  TaintToleration: ['preScore', 'failed to read "PreScoreTaintToleration" from cycleState: not found'],
  VolumeBinding: ['preFilter', 'not found'],
  DynamicResources: ['preFilter', 'not found'],
};

/** Why scoring fails for every Pod; undefined when the profile is consistent. Upstream: RunScorePlugins. */
export function scoreFailure(
  scoring: readonly string[],
  runs: (point: 'preFilter' | 'preScore', plugin: string) => boolean,
): string | undefined {
  for (const plugin of scoring) {
    const [needs, failure] = (Object.hasOwn(UNPREPARED_SCORE, plugin) && UNPREPARED_SCORE[plugin]) || [];
    if (needs === undefined || runs(needs, plugin)) continue;
    return `running Score plugins: plugin "${plugin}" failed with: ${failure}`;
  }
  return undefined;
}

/** The plugin in a profile that disables its PreFilter and keeps its Filter. */
export function withoutPreFilter(plugin: SchedulerPlugin): SchedulerPlugin {
  const { shares: _shares, addPod: _add, removePod: _remove, ...rest } = plugin;
  const failure = ownOf(NO_PRE_FILTER, plugin.name);
  if (failure !== undefined) {
    return { ...rest, filter: () => ({ code: 'Error', reasons: [failure] }) };
  }
  if (plugin.preFilter === undefined) return plugin;
  return {
    ...rest,
    filter(_state, pod, node, cycle) {
      const { status, state } = plugin.preFilter!(pod, cycle);
      return status.code === 'Success' ? plugin.filter!(state, pod, node, cycle) : status;
    },
  };
}
