import { defineRule } from '../framework/rule';
import { type Missing, missingRule } from './missing';

export default defineRule<Missing>(
  missingRule({
    meta: {
      code: 'references/target-missing',
      category: 'reference',
      severity: 'error',
      cost: 'workspace',
      summary: 'An autoscaler or a Workload names an object that is defined nowhere in its namespace.',
      why: 'A HorizontalPodAutoscaler reports FailedGetScale and scales nothing, nor does a VerticalPodAutoscaler.',
      remedy: 'Correct the apiVersion, the kind or the name, or define the object.',
      url: 'https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/',
    },
    isChecked: ({ aim, at }) =>
      aim.to === 'typed' && ['spec.scaleTargetRef.name', 'spec.targetRef.name', 'spec.controllerRef.name'].includes(at),
  }),
);
