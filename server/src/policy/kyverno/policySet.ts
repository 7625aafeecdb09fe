import type { Kube } from '../../kube/kube';
import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';
import { admittedObject } from '../admitted';
import { textOf } from '../engine/engine';
import type { PolicyAnswer, PolicySet } from '../policySet';
import type { PolicyResult } from '../result';
import { checkPolicies } from './check/check';
import { deletionsOf } from './deletions';
import { evaluateKyverno, type KyvernoPolicies, kyvernoPoliciesOf } from './kyverno';
import { mutationsOf } from './mutations';
import { othersOf } from './others';
import { subjectOf } from './subject';
import { workspaceWorld } from './workspaceWorld';
import type { KyvernoWorld } from './world';

/** Groups whose objects are the policies themselves, or what Kyverno makes of them. */
const OWN_GROUPS: ReadonlySet<string> = new Set([
  'kyverno.io',
  'policies.kyverno.io',
  'wgpolicyk8s.io',
  'cli.kyverno.io',
]);

/** Objects judged before other work gets its turn. */
const OBJECTS_AT_A_TIME = 8;

/** Kyverno's policies of a workspace; undefined when there are none. It needs no engine. */
export function kyvernoPolicySet(snapshot: Snapshot, kube: Kube): PolicySet | undefined {
  // Patches and sources of what is rendered are no objects of a cluster.
  const all = [...snapshot.files].flatMap(([uri, file]) =>
    snapshot.roles.of(file) === 'objects' ? snapshot.objectsIn(uri) : [],
  );
  const policies = kyvernoPoliciesOf(all);
  if (Object.values(policies).every(it => it.length === 0)) return undefined;
  const worlds: KyvernoWorld[] = [];
  const world = () => {
    worlds[0] ??= workspaceWorld(kube, snapshot);
    return worlds[0];
  };
  const stopped = new Map<string, PolicyResult>();
  const asked = { policies };

  function answerFor(object: WorkspaceObject): PolicyAnswer {
    const { results, mutations } = judged(object, asked.policies, world(), kube);
    const own = results.filter(it => it.place.object !== object);
    for (const it of own) stopped.set(`${it.policy}\n${it.rule ?? ''}`, it);
    if (own.length > 0) asked.policies = withoutStopped(asked.policies, own);
    return { results: results.filter(it => it.place.object === object), mutations };
  }

  return {
    engine: 'kyverno',
    needsEngine: false,
    parts: [kube, ...partsOf(all, policies)],
    objects: all.filter(it => !OWN_GROUPS.has(it.group)),
    check: async () => ({ results: checkPolicies(policies, world()), inFiles: [] }),
    async judge(objects) {
      const answers: PolicyAnswer[] = [];
      for (const [i, object] of objects.entries()) {
        if (i % OBJECTS_AT_A_TIME === OBJECTS_AT_A_TIME - 1) await new Promise(resolve => setTimeout(resolve));
        answers.push(answerFor(object));
      }
      return answers;
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

/** Mutated first, as in a cluster; the rules then look at what has become of the object. */
function judged(object: WorkspaceObject, policies: KyvernoPolicies, world: KyvernoWorld, kube: Kube) {
  const admitted = subjectOf(object, admittedObject(object, kube));
  const { subject, previews, results } = mutationsOf(policies, admitted, world);
  const others = othersOf(policies, subject, world);
  return {
    results: [
      ...results,
      ...evaluateKyverno(policies, [subject], world),
      ...deletionsOf(policies, subject, world),
      ...others.results,
    ],
    mutations: [...previews, ...others.previews],
  };
}

/** What the answers hang on: the policies, and what variables and expressions may read. */
function partsOf(all: readonly WorkspaceObject[], policies: KyvernoPolicies): readonly object[] {
  const own = all.filter(it => OWN_GROUPS.has(it.group) || it.kind === 'Namespace');
  const written = [...policies.policies, ...policies.celPolicies, ...policies.cleanupPolicies];
  const text = textOf(written.map(it => it.spec));
  const readsObjects =
    /"configMap":|"apiCall":|"paramKind":|"targets":|"targetMatchConstraints":|resource\.(get|list)|"clone/i.test(text);
  return (readsObjects ? all : own).map(it => it.manifest.contentId);
}
