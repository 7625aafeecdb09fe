import { record } from '../../rules/apiserver/validate/read';
import { rulesFor } from './autogen';
import { namesKind as constraintsNameKind } from './celPolicies/constraints';
import type { KyvernoPolicies } from './kyverno';
import { namesKind } from './match';
import { kindOf, type Subject } from './subject';
import type { KyvernoWorld } from './world';

/**
 * Of policies those that may speak about an object, told by its kind, in their order: all others would say nothing.
 * Worked out once a kind. Upstream: policycache.
 */
export function candidatesAmong(policies: KyvernoPolicies, world: KyvernoWorld): (subject: Subject) => KyvernoPolicies {
  const known = new Map<string, KyvernoPolicies>();
  return subject => {
    const kind = kindOf(subject);
    const found = known.get(kind) ?? candidatesFor(policies, subject, world);
    known.set(kind, found);
    return found;
  };
}

function candidatesFor(
  { policies, celPolicies, cleanupPolicies }: KyvernoPolicies,
  one: Subject,
  world: KyvernoWorld,
): KyvernoPolicies {
  return {
    policies: policies.filter(policy => rulesFor(policy, one.kind).some(it => namesKind(it, one))),
    celPolicies: celPolicies.filter(it => constraintsNameKind(record(it.spec, 'matchConstraints'), one, world)),
    cleanupPolicies: cleanupPolicies.filter(it => namesKind(it.spec, one)),
  };
}
