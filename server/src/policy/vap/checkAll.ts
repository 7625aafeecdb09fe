import { FieldPath } from '../../manifest/fieldPath';
import { nothingWrong, type PolicyCheck } from '../policySet';
import type { PolicyResult } from '../result';
import type { VapAdmission } from './admission';
import type { UnreadPolicy } from './bindings';
import {
  checkPolicy,
  largePolicies,
  MOST_CHECKED,
  offPolicies,
  surplusPolicies,
  unboundPolicies,
  uncheckedPolicies,
} from './check';

/** Problems of the admission policies themselves; `findUnread` returns those that the engine cannot decode. */
export async function checkAll(
  admission: VapAdmission,
  findUnread: () => Promise<readonly UnreadPolicy[]>,
): Promise<PolicyCheck> {
  const { policies, kube } = admission;
  const unread = await findUnread();
  const isUnread = new Set(unread.map(it => it.object));
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
    if (!isUnread.has(policy)) for (const each of await checkPolicy(policy, admission)) results.push(each);
  }
  return { ...nothingWrong, results: [...results, ...unread.map(unreadResult)] };
}

/** The API server's decoder reports the same in detail, so this is short. */
const unreadResult = ({ object, message }: UnreadPolicy): PolicyResult => ({
  engine: 'vap',
  policy: object.name ?? '',
  outcome: 'error',
  severity: 'error',
  message: `This ${object.kind} cannot be read: ${message}`,
  location: { object, at: FieldPath.of('kind'), part: 'value' },
});
