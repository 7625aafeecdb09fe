import { t } from '../../base/l10n';
import { isDeschedulerPolicy, type PolicyProblem, policyProblems } from '../../descheduler/validate';
import { FieldPath } from '../../manifest/fieldPath';
import { layered } from '../framework/layers';
import { defineRule } from '../framework/rule';

export default defineRule<PolicyProblem>({
  meta: {
    code: 'descheduler/invalid',
    category: 'placement',
    severity: 'error',
    cost: 'typing',
    summary: 'A DeschedulerPolicy holds what the descheduler refuses.',
    why: 'The descheduler reads its policy when it starts, and does not start with one such plugin or argument.',
    remedy: 'Change the plugin or the argument as the message says.',
    details:
      'Plugins of a descheduler of one’s own build are not known here. What a valid policy would evict, and whether that ever ends, tells `berth what-if --descheduler FILE`.',
    source: { project: 'kubernetes-sigs/descheduler', symbol: 'validateDeschedulerConfiguration', fidelity: 'same' },
  },
  on: 'any',

  *check({ value, object }) {
    if (!isDeschedulerPolicy(value)) return;
    for (const facts of policyProblems(value)) {
      // The decoding rules report errors of the policy's own fields.
      const isDecoded = facts.kind === 'type' && !facts.at.includes('args');
      if (isDecoded || facts.kind === 'unused' || facts.kind === 'ignored') continue;
      const path = FieldPath.of(...facts.at);
      const at = nearestThere(path, it => object.manifest.has(it));
      yield { at, part: facts.kind === 'argument' ? 'key' : 'value', fieldPath: path.toString(), facts };
    }
  },

  message: ({ facts: { text, upstream = '' } }) => layered(t`The descheduler does not start: ${text}`, upstream),

  fixes: ({ at, facts }, { object }, _context, edit) =>
    facts.kind === 'plugin'
      ? facts.nearest.map(name => ({
          title: t`Change to ${name}`,
          safety: 'unsafe' as const,
          edits: [edit.replaceValue(object, at, name)],
        }))
      : [],
});

/** A missing field is reported at the nearest parent that exists. */
function nearestThere(path: FieldPath, isThere: (path: FieldPath) => boolean): FieldPath {
  const { parent } = path;
  return parent === undefined || isThere(path) ? path : nearestThere(parent, isThere);
}
