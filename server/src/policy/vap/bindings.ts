import { asText } from '../../base/json';
import { isSameList } from '../../base/sameValue';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import type { PolicyStopped } from '../engine/engine';
import { type ListedError, loadedIn } from '../engine/loaded';
import { limitsFor, withoutRunaways } from '../engine/runaway';
import type { PolicyCheck } from '../policySet';
import type { PolicyResult } from '../result';
import type { VapAdmission } from './admission';
import { type AdmissionRequest, LIMITS, loadedLists, loadRequest } from './admit';
import { type AdmissionPolicies, named } from './policies';

/** A policy or binding that the engine cannot decode. */
export interface UnreadPolicy {
  readonly object: WorkspaceObject;
  readonly message: string;
}

/** The bindings that a server would evaluate: without rejected ones, and without those that were stopped. */
export interface ActiveBindings {
  /** Loads the policies with all bindings, for evaluation as well, and returns what of them cannot be decoded. */
  unread(): Promise<readonly UnreadPolicy[]>;
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
  const last = { bindings };
  const stopped = new Map<WorkspaceObject, PolicyResult>();
  const load = async (some: readonly WorkspaceObject[]) => {
    if (!isSameList(some, last.bindings)) loaded.outdate();
    last.bindings = some;
    return (await loaded.get(() => loadRequest(admission, some))).answer;
  };
  return {
    async unread() {
      if (policies.validating.length + policies.mutating.length === 0) return [];
      const { errors = [] } = await load(bindings);
      const lists = loadedLists(policies, bindings);
      return errors.flatMap(({ list, index, message }: ListedError) => {
        const object = lists[list]?.[index];
        return object === undefined ? [] : [{ object, message }];
      });
    },
    async evaluate<R>(run: (request: AdmissionRequest) => Promise<R>) {
      const { results } = await check();
      const refused = new Set(results.flatMap(it => (it.severity === 'error' ? [it.location.object] : [])));
      const members = bindings.filter(it => !stopped.has(it) && !refused.has(policyOf(it, policies) ?? it));
      const attempt = async (some: readonly WorkspaceObject[], share: number): Promise<R> => {
        const { handle } = await load(some);
        return run({ handle, limits: limitsFor(share, LIMITS) });
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
  const all = binding.kind === 'MutatingAdmissionPolicyBinding' ? mutating : validating;
  return name === undefined ? undefined : named(all, name);
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
