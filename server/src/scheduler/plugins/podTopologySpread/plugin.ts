import type { ComparisonOperators } from '../../../cluster/pods/tolerations';
import type { PluginFactory } from '../../framework/interface';
import { definePlugin } from '../../framework/plugin';
import { skip, success } from '../../framework/status';
import { constraintsFor, defaultsIn } from './constraints';
import { changedState, filterSpread, type SpreadState, spreadState } from './filtering';
import { keysFor, normalizeSpread, type ScoreState, scoreSpread, scoreState } from './scoring';
import { spreadTracker } from './tracking';

/** Upstream: pkg/scheduler/framework/plugins/podtopologyspread. */
export const podTopologySpread: PluginFactory = ({ args, gates }) => {
  const comparison: ComparisonOperators = gates.taintTolerationComparisonOperators ? 'on' : 'off';
  const defaults = defaultsIn(args);
  return definePlugin<SpreadState, ScoreState>({
    name: 'PodTopologySpread',

    preFilter(pod, cycle) {
      const constraints = constraintsFor(pod, cycle, 'DoNotSchedule', defaults);
      if (constraints.length === 0) return { status: skip };
      return { status: success, state: spreadState(constraints, pod, cycle, comparison) };
    },
    addPod: (state, pod, added, { node }) => changedState(state, pod, added, node, 1, comparison),
    removePod: (state, pod, removed, { node }) => changedState(state, pod, removed, node, -1, comparison),
    filter: (state, _pod, node) => filterSpread(state, node),

    preScore(pod, cycle, feasible) {
      const constraints = constraintsFor(pod, cycle, 'ScheduleAnyway', defaults);
      if (constraints.length === 0) return { status: skip };
      return {
        status: success,
        state: scoreState(constraints, pod, feasible, cycle, keysFor(pod, defaults), comparison),
      };
    },
    scoreAll: scoreSpread,
    normalizeScore: normalizeSpread,
    track: (pod, cycle) => spreadTracker(pod, cycle, defaults, comparison),
  });
};
