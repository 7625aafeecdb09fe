import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';
import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/node-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A Pod, a slice or a capacity names a Node that is not there.',
      why: 'A Pod with `nodeName` bypasses the scheduler: no kubelet starts it, and after a while the Pod garbage collector deletes it. Objects about the devices or the storage of such a node are never used.',
      remedy:
        'Correct the name, or let the scheduler choose: a nodeSelector by `kubernetes.io/hostname` waits for the node.',
      source: { project: 'kubernetes', symbol: 'podgc gcOrphaned', fidelity: 'inspired' },
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename',
    },
    isChecked: targetsKind(NAMED.node),
  }),
);
