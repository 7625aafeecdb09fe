import { quoted } from '../../base/quoted';
import { podsSelected } from '../../workspace/references/definitions';
import { defineRule } from '../framework/rule';
import { absenceSeverity } from '../reading/absence';
import { maySelectElsewhere } from '../reading/unknownNamespace';

interface Facts {
  readonly kind: string;
  readonly namespace: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'references/selector-matches-nothing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A Service, a PodDisruptionBudget or a NetworkPolicy selects Pods, and there are none with these labels.',
    why: 'The Service has no endpoints and answers nobody; the budget protects nothing, and the policy is for nobody.',
    remedy: 'Write the labels that the Pod, or the template of the workload, has.',
    details:
      'It is information where other sources may define the Pods. Selectors that choose everything or nothing by their form are passed over.',
    url: 'https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/',
  },
  on: ['Service', 'PodDisruptionBudget', 'NetworkPolicy'],

  *check({ object }, context) {
    for (const { target, at, row } of context.snapshot.references.of(object)) {
      // The peers of a NetworkPolicy may be allowed before they are there.
      if (/\.(?:from|to)\[\]/.test(row.at)) continue;
      if (target.to !== 'pods' || target.matcher.kind !== 'requirements') continue;
      if (target.matcher.requirements.some(it => it.values.some(isPlaceholder) || isPlaceholder(it.key))) continue;
      if (podsSelected(context.snapshot, target).length > 0 || maySelectElsewhere(context, object, target)) continue;
      yield {
        at,
        part: 'key',
        facts: { kind: object.kind, namespace: object.namespace ?? 'default' },
        severity: absenceSeverity(context),
      };
    }
  },

  message: ({ facts: { kind, namespace } }, { snapshot }) =>
    `this ${kind} selects no Pod of namespace ${quoted(namespace)}${snapshot.complete ? '' : ' in this workspace'}`,
});

function isPlaceholder(text: string): boolean {
  return /[{}$<>]/.test(text);
}
