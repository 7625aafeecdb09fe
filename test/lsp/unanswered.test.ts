import { expect, test } from 'vitest';
import { createPolicyEngine, type PolicyEngine } from '../../server/src/policy/engine/engine';
import { startClient } from './client';

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }] }
  validations: [{ expression: object.spec.replicas > 1 }]
`;

/** An engine whose process ends at each question. */
function engineThatEnds(): PolicyEngine {
  return createPolicyEngine({
    isBuilt: () => true,
    start(listener) {
      queueMicrotask(() => listener({ ready: true }));
      return {
        post: () => queueMicrotask(() => listener({ failure: 'the process ended (SIGKILL)', gone: 'process' })),
        cancel: () => undefined,
        requestWorkTime: () => undefined,
        end: () => undefined,
      };
    },
    release: () => undefined,
  });
}

test('the status names policies that do not answer, as long as there are any', async () => {
  const uri = 'file:///ws/policy.yaml';
  const state = { problems: [] as readonly string[] };
  const client = await startClient({
    policyEngine: engineThatEnds(),
    onStatus: ({ problems }) => Object.assign(state, { problems }),
  });
  client.open(uri, POLICY);
  await expect
    .poll(() => state.problems)
    .toEqual([
      'The policies here (vap) have not answered for all files: the process ended (SIGKILL). They are asked again at the next change.',
    ]);
  client.change(uri, 2, '');
  await expect.poll(() => state.problems).toEqual([]);
});
