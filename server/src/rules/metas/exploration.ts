import type { RuleMeta } from '../framework/rule';

export const EXPLORATION_FINDING: RuleMeta = {
  code: 'berth/exploration-finding',
  category: 'policy',
  severity: 'warning',
  cost: 'placement',
  summary: 'Something may go wrong once Pods arrive in another order, nodes are drained or controllers act.',
  why: 'What can happen in some order happens some day: a Pod without a node, a drain or a rollout that never ends, evictions without end.',
  remedy:
    'Apply one of the fixes, each of which was explored again, or accept it with a comment. `berth explore` tells the same on the command line.',
  details:
    'Nothing is explored while you type. *Berth: Explore What Could Happen* and the lens above the first object of a file do it; what they find is shown until something that it depends on changes.',
};
