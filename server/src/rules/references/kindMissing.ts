import { has, record, records, texts } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import { defineRule, type RuleTarget } from '../framework/rule';
import { kindNames } from '../reading/apiNames';
import type { GroupedNames } from '../reading/groupedNames';
import { groupedNamesRule } from './groupedNamesRule';

const CONSTRAINTS = 'constraints.gatekeeper.sh';
/** Groups of Gatekeeper whose objects say in `applyTo` what they are for. */
const APPLYING = ['mutations.gatekeeper.sh', 'expansion.gatekeeper.sh'];

export default defineRule(
  groupedNamesRule({
    meta: {
      code: 'references/kind-missing',
      category: 'reference',
      severity: 'warning',
      cost: 'typing',
      summary: 'A constraint or a mutator of Gatekeeper names a kind that its API group does not have.',
      why: 'Gatekeeper compares the words with the group and the kind of each object. A resource such as `pods` in place of a kind, or a kind beside the group of another one, equals none: nothing is judged or changed.',
      remedy: 'Write the kind and the API group that `kubectl api-resources` prints.',
      details:
        'Each kind may be of each group beside it, so only what is in none of them is reported. Of groups of Kubernetes itself all kinds are known; of others only what CustomResourceDefinitions among the manifests define.',
      source: { project: 'gatekeeper', symbol: 'match.kindsMatch, ApplyTo.Matches', fidelity: 'same' },
      url: 'https://open-policy-agent.github.io/gatekeeper/website/docs/howto/#the-match-field',
    },
    on: 'any',
    noun: 'kind',
    namesOf: kindNames,
    read: kindsIn,
  }),
);

function kindsIn({ object: { group }, value }: RuleTarget): readonly GroupedNames[] {
  if (group !== CONSTRAINTS && !APPLYING.includes(group)) return [];
  const spec = record(value, 'spec');
  const matched = records(record(spec, 'match'), 'kinds').map((it, i): GroupedNames => {
    const at = FieldPath.of('spec', 'match', 'kinds').index(i);
    const groups = texts(it, 'apiGroups');
    return {
      groups: groups.length === 0 ? ['*'] : groups,
      groupsAt: at.child('apiGroups'),
      names: texts(it, 'kinds'),
      namesAt: at.child('kinds'),
      use: 'matching',
    };
  });
  if (group === CONSTRAINTS) return matched;
  const applied = records(spec, 'applyTo').map((it, i): GroupedNames => {
    const at = FieldPath.of('spec', 'applyTo').index(i);
    return {
      groups: texts(it, 'groups'),
      groupsAt: at.child('groups'),
      ...(has(it, 'versions') && { versions: texts(it, 'versions'), versionsAt: at.child('versions') }),
      names: texts(it, 'kinds'),
      namesAt: at.child('kinds'),
      use: 'application',
    };
  });
  return [...matched, ...applied];
}
