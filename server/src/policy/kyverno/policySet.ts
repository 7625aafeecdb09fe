import type { Kube } from '../../kube/kube';
import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';
import { type AdmissionChain, type AdmittedObject, stepsOf } from '../admission/chain';
import type { PolicyAnswer, PolicySet } from '../policySet';
import type { PolicyResult } from '../result';
import { checkPolicies } from './check/check';
import { deletionsOf } from './deletions';
import { evaluateKyverno, type KyvernoPolicies, kyvernoPoliciesOf } from './kyverno';
import { othersOf } from './others';
import { OWN_GROUPS, objectsSeen, partsOf, withPauses } from './seen';
import { subjectOf } from './subject';
import { workspaceWorld } from './workspaceWorld';
import type { KyvernoWorld } from './world';

/** Kyverno's policies of a workspace; undefined when there are none. It needs no engine. */
export function kyvernoPolicySet(snapshot: Snapshot, kube: Kube, chain: AdmissionChain): PolicySet | undefined {
  const all = objectsSeen(snapshot);
  const policies = kyvernoPoliciesOf(all);
  if (Object.values(policies).every(it => it.length === 0)) return undefined;
  const worlds: KyvernoWorld[] = [];
  const world = () => {
    worlds[0] ??= workspaceWorld(kube, snapshot);
    return worlds[0];
  };
  const stopped = new Map<string, PolicyResult>();
  const asked = { policies };

  function answerFor(object: WorkspaceObject, admitted: AdmittedObject): PolicyAnswer {
    const { results, mutations } = judged(object, admitted, asked.policies, world());
    const own = results.filter(it => it.place.object !== object);
    for (const it of own) stopped.set(`${it.policy}\n${it.rule ?? ''}`, it);
    if (own.length > 0) asked.policies = withoutStopped(asked.policies, own);
    return { results: results.filter(it => it.place.object === object), mutations };
  }

  return {
    engine: 'kyverno',
    needsEngine: false,
    parts: [kube, chain, ...partsOf(all, policies)],
    objects: all.filter(it => !OWN_GROUPS.has(it.group)),
    check: async () => ({ results: checkPolicies(policies, world()), inFiles: [] }),
    async judge(objects) {
      const admitted = await chain.admitted(objects);
      return withPauses(admitted, (it, i) => answerFor(objects[i] as WorkspaceObject, it));
    },
    late: () => ({ results: [...stopped.values()], inFiles: [] }),
    release: () => undefined,
  };
}

/** What was stopped once is not asked again: the next object would take as long. */
function withoutStopped(
  { policies, celPolicies, cleanupPolicies }: KyvernoPolicies,
  stopped: readonly PolicyResult[],
): KyvernoPolicies {
  const isStopped = (object: WorkspaceObject, rule: string | undefined) =>
    stopped.some(it => it.place.object === object && it.rule?.replace(/^autogen-(cronjob-)?/, '') === rule);
  return {
    policies: policies.map(it => ({
      ...it,
      made: new Map(),
      rules: it.rules.filter(({ name }) => !isStopped(it.object, String(name))),
    })),
    celPolicies: celPolicies.filter(it => !isStopped(it.object, undefined)),
    cleanupPolicies,
  };
}

/** The rules look at what has become of the object by the time the validating webhook sees it. */
function judged(
  object: WorkspaceObject,
  admitted: AdmittedObject,
  policies: KyvernoPolicies,
  world: KyvernoWorld,
): PolicyAnswer {
  const { results, mutations } = stepsOf(admitted, 'kyverno');
  if (admitted.isRefused) return { results, mutations };
  const subject = subjectOf(object, admitted.value);
  const others = othersOf(policies, subject, world);
  return {
    results: [
      ...results,
      ...evaluateKyverno(policies, [subject], world),
      ...deletionsOf(policies, subject, world),
      ...others.results,
    ],
    mutations: [...mutations, ...others.previews],
  };
}
