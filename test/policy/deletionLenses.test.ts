import { expect, it } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { iterateToEnd } from '../../server/src/base/asyncIterables';
import { readPack } from '../support/packs';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { throwBug } from '../support/throwBug';

const secret = (name: string, labels: string): string =>
  `---\napiVersion: v1\nkind: Secret\nmetadata: { name: ${name}, labels: { ${labels} } }\n`;

const cleanup = (label: string): string => `apiVersion: kyverno.io/v2
kind: ClusterCleanupPolicy
metadata: { name: old }
spec:
  schedule: "0 * * * *"
  match: { any: [{ resources: { kinds: [Secret], selector: { matchLabels: { ${label} } } } }] }
`;

const deleting = (label: string): string => `apiVersion: policies.kyverno.io/v1
kind: DeletingPolicy
metadata: { name: old }
spec:
  schedule: "0 * * * *"
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [secrets] }] }
  conditions: [{ name: old, expression: "object.metadata.?labels['${label.split(':')[0]}'].orValue('') == 'yes'" }]
`;

it.each([
  [cleanup('old: "yes"'), 'deletes 2 objects when it next runs'],
  [cleanup('other: "yes"'), 'deletes nothing'],
  [deleting('old: "yes"'), 'deletes 2 objects when it next runs'],
  [deleting('other: "yes"'), 'deletes nothing'],
])('the lens of a deleting policy counts the deleted objects (%#)', async (policy, title) => {
  const host = createAnalysisHost({
    readPack,
    policyEngine: engineThatIsNotBuilt(),
    onBug: throwBug,
  });
  const objects = secret('a', 'old: "yes"') + secret('b', 'old: "yes"') + secret('c', 'old: "no"');
  host.apply({
    files: [
      { uri: 'policy.yaml', text: policy },
      { uri: 'secrets.yaml', text: objects },
    ],
  });
  await iterateToEnd(host.evaluatePolicies([]));
  expect(
    host
      .analysis()
      .codeLenses('policy.yaml')
      .map(it => it.title),
  ).toEqual([title]);
});
