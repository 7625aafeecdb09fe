import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import { type ListedError, loadedIn } from '../engine/loaded';
import { nothingWrong, type PolicyCheck } from '../policySet';
import type { PolicyResult } from '../result';
import type { VapAdmission } from './admission';
import { loadRequest } from './admit';
import {
  checkPolicy,
  largePolicies,
  MOST_CHECKED,
  offPolicies,
  surplusPolicies,
  unboundPolicies,
  uncheckedPolicies,
} from './check';

/** Problems of the admission policies themselves. */
export async function checkAll(admission: VapAdmission): Promise<PolicyCheck> {
  const { policies, kube } = admission;
  const unread = await undecodable(admission);
  const isUnread = new Set(unread.map(it => it.location.object));
  const results: PolicyResult[] = [
    ...offPolicies(policies.off, kube),
    ...largePolicies(policies.large),
    ...surplusPolicies(policies.surplus),
    ...uncheckedPolicies([...policies.validating, ...policies.mutating].slice(MOST_CHECKED)),
    ...unboundPolicies(policies.validating, policies.validatingBindings),
    ...unboundPolicies(policies.mutating, policies.mutatingBindings),
  ];
  for (const policy of [...policies.validating, ...policies.mutating].slice(0, MOST_CHECKED)) {
    // The engine rejects every request about a policy that it cannot decode.
    if (!isUnread.has(policy)) results.push(...(await checkPolicy(policy, admission)));
  }
  return { ...nothingWrong, results: [...results, ...unread] };
}

/** Policies that the engine cannot decode. The API server's decoder reports the same in detail, so this is short. */
async function undecodable(admission: VapAdmission): Promise<readonly PolicyResult[]> {
  const { policies, engine } = admission;
  const bindings = [...policies.validatingBindings, ...policies.mutatingBindings];
  if (policies.validating.length + policies.mutating.length === 0) return [];
  const lists: Readonly<Record<string, readonly WorkspaceObject[]>> = {
    policies: policies.validating,
    bindings: policies.validatingBindings,
    mutatingPolicies: policies.mutating,
    mutatingBindings: policies.mutatingBindings,
  };
  const loaded = loadedIn(engine);
  const { answer } = await loaded.get(() => loadRequest(admission, bindings));
  loaded.release();
  return (answer.errors ?? []).flatMap(({ list, index, message }: ListedError): readonly PolicyResult[] => {
    const object = lists[list]?.[index];
    if (object === undefined) return [];
    return [
      {
        engine: 'vap',
        policy: object.name ?? '',
        outcome: 'error',
        severity: 'error',
        message: `This ${object.kind} cannot be read: ${message}`,
        location: { object, at: FieldPath.of('kind'), part: 'value' },
      },
    ];
  });
}
