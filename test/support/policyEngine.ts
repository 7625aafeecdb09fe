import { createPolicyEngine, type PolicyEngine } from '../../server/src/policy/engine/engine';

/** The engine of a build without Go. */
export function engineThatIsNotBuilt(): PolicyEngine {
  return createPolicyEngine({
    isBuilt: () => false,
    start: () => {
      throw new Error('an engine that is not built was started');
    },
    release: () => undefined,
  });
}
