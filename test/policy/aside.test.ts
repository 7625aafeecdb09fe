import { expect, test } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { readPack } from '../support/packs';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { throwBug } from '../support/throwBug';

/** A policy about bindings of policies. */
const POLICY = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: labelled }
spec:
  validationFailureAction: Enforce
  rules:
    - name: team
      match: { any: [{ resources: { kinds: [ValidatingAdmissionPolicyBinding] } }] }
      validate: { message: name a team, pattern: { metadata: { labels: { team: "?*" } } } }
`;
const BINDING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: bound }
spec: { policyName: some, validationActions: [Deny] }
`;
const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n';
const EXAMPLE = 'file:///ws/examples/policies.yaml';
const DEPLOYED = 'file:///ws/apps/settings.yaml';

test.each([
  [
    'its other objects are removed',
    { [EXAMPLE]: `${BINDING}---\n${CONFIG}`, [DEPLOYED]: CONFIG },
    { [EXAMPLE]: BINDING },
  ],
  ['something else is deployed', { [EXAMPLE]: BINDING }, { [DEPLOYED]: CONFIG }],
])('a file of examples has no problems of policies any more once %s', async (_name, before, change) => {
  const host = createAnalysisHost({
    readPack,
    policyEngine: engineThatIsNotBuilt(),
    onBug: throwBug,
  });
  const told: string[] = [];
  const apply = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const uris = host.apply({ files: Object.entries(files).map(([uri, text]) => ({ uri, text })) });
    told.splice(0, told.length, ...uris);
    for await (const it of host.evaluatePolicies([])) told.push(...it.uris);
    const codes = host.analysis().diagnostics(EXAMPLE);
    return codes.map(it => it.code).filter(it => it.startsWith('kyverno/'));
  };
  expect(await apply({ 'file:///ws/policies/labelled.yaml': POLICY, ...before })).toEqual(['kyverno/labelled']);
  expect(await apply(change)).toEqual([]);
  expect(told).toContain(EXAMPLE);
});
