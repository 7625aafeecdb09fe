import { isDeschedulerPolicy, type PolicyProblem, policyProblems } from '../../descheduler/validate';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';

export default defineRule<PolicyProblem>({
  meta: {
    code: 'descheduler/args-of-disabled-plugin',
    category: 'placement',
    severity: 'warning',
    cost: 'typing',
    summary: 'A DeschedulerPolicy configures a plugin that its profile does not enable.',
    why: 'Only the plugins under `plugins` run; args alone do nothing, and the descheduler does not say so.',
    remedy: 'Enable the plugin at its extension point, or take its args away.',
    source: { project: 'kubernetes-sigs/descheduler', symbol: 'profile.NewProfile', fidelity: 'inspired' },
  },
  on: 'any',

  *check({ value }) {
    if (!isDeschedulerPolicy(value)) return;
    for (const facts of policyProblems(value).filter(it => it.kind === 'unused')) {
      yield { at: FieldPath.of(...facts.at), part: 'value', facts };
    }
  },

  message: ({ facts: { text } }) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
});
