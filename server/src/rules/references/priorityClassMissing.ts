import { systemPriorityClasses } from '../../kube/podTemplates';
import { NAMED } from '../../workspace/references/kinds';
import { defineRule } from '../framework/rule';
import { type Missing, missingRule, targetsKind } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/priority-class-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'A Pod names a PriorityClass that is defined nowhere.',
      why: 'The Priority admission plugin refuses such a Pod: "no PriorityClass with name … was found". A controller then makes no Pods at all.',
      remedy: 'Correct the name, or define the PriorityClass.',
      details:
        'It is information where other sources may define the class, and an error where the sources are known to be complete. `system-node-critical` and `system-cluster-critical` are in every cluster.',
      source: { project: 'kubernetes', symbol: 'plugin/pkg/admission/priority', fidelity: 'inspired' },
      url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/',
    },
    isChecked: targetsKind(NAMED.priorityClass),
    existingNames: Object.keys(systemPriorityClasses),
    define: ({ name }) =>
      `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata:\n  name: ${name}\nvalue: 1000\nglobalDefault: false\ndescription: ""\n`,
  }),
);
