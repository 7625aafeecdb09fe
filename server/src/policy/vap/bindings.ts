import { asText } from '../../base/json';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { PolicyStopped } from '../engine/engine';
import { loadedIn } from '../engine/loaded';
import { limitsFor, withoutRunaways } from '../engine/runaway';
import type { PolicyCheck } from '../policySet';
import type { PolicyResult } from '../result';
import type { VapAdmission } from './admission';
import { type AdmissionRequest, LIMITS, loadRequest } from './admit';
import type { AdmissionPolicies } from './policies';

/** The bindings that a server would evaluate: without rejected ones, and without those that were stopped. */
export interface ActiveBindings {
  /** Loads the bindings and runs one call for all of them. */
  evaluate<R>(run: (request: AdmissionRequest) => Promise<R>): Promise<R>;
  readonly stopped: () => readonly PolicyResult[];
  readonly release: () => void;
}

export function activeBindings(
  admission: VapAdmission,
  bindings: readonly WorkspaceObject[],
  check: () => Promise<PolicyCheck>,
): ActiveBindings {
  const { policies, engine } = admission;
  const loaded = loadedIn(engine);
  const stopped = new Map<WorkspaceObject, PolicyResult>();
  return {
    async evaluate<R>(run: (request: AdmissionRequest) => Promise<R>) {
      const { results } = await check();
      const refused = new Set(results.flatMap(it => (it.severity === 'error' ? [it.location.object] : [])));
      const members = bindings.filter(it => !stopped.has(it) && !refused.has(policyOf(it, policies) ?? it));
      const attempt = async (some: readonly WorkspaceObject[], share: number): Promise<R> => {
        if (some !== members) loaded.outdate();
        const { answer } = await loaded.get(() => loadRequest(admission, some));
        return run({ handle: answer.handle, limits: limitsFor(share, LIMITS) });
      };
      return withoutRunaways(members, attempt, (binding, reason) =>
        stopped.set(binding, stoppedResult(binding, policies, reason)),
      );
    },
    stopped: () => [...stopped.values()],
    release: () => loaded.release(),
  };
}

function policyOf(binding: WorkspaceObject, { validating, mutating }: AdmissionPolicies): WorkspaceObject | undefined {
  const name = asText(fieldAt(binding.manifest.value, 'spec', 'policyName'));
  return [...validating, ...mutating].find(it => it.name === name && `${it.kind}Binding` === binding.kind);
}

function stoppedResult(binding: WorkspaceObject, policies: AdmissionPolicies, reason: PolicyStopped): PolicyResult {
  const policy = policyOf(binding, policies) ?? binding;
  return {
    engine: 'vap',
    policy: policy.name ?? '',
    outcome: 'error',
    severity: 'error',
    message: `This policy was stopped and is no longer asked: ${reason.message}. An API server would stop it, too.`,
    location: { object: policy, at: FieldPath.of('spec'), part: 'key' },
  };
}
