import { createPolicyEngine, type EngineRequest, type PolicyEngine } from '../../server/src/policy/engine/engine';

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

/** An engine that gives one answer to every call, in which each client finds that nothing is wrong, and the calls. */
export function engineThatAgrees(): { readonly engine: PolicyEngine; readonly requests: readonly EngineRequest[] } {
  const requests: EngineRequest[] = [];
  const call = async (request: EngineRequest): Promise<unknown> => {
    requests.push(request);
    const asked = request as { readonly objects?: readonly unknown[]; readonly requests?: readonly unknown[] };
    return {
      handle: 1,
      results: [],
      issues: [],
      reviews: asked.objects?.map(() => ({ violations: [] })) ?? [],
      answers: asked.requests?.map(() => ({ mutations: [], outcomes: [] })) ?? [],
    };
  };
  return {
    engine: { isBuilt: () => true, start: () => undefined, call, generation: () => 0, dispose: () => undefined },
    requests,
  };
}
