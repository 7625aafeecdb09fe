import type { AskPolicies, PolicyMutation, PolicyVerdict } from '../cluster/admission/policies';
import type { Kube } from '../kube/kube';
import type { JsonObject } from '../manifest/manifest';
import { parseManifests } from '../manifest/parse';
import type { AdmissionChain, AdmittedObject } from '../policy/admission/chain';
import { admissionChainOf } from '../policy/admission/mutators';
import { unwritten } from '../policy/admission/unwritten';
import type { PolicyEngine } from '../policy/engine/engine';
import { emptySnapshot, withFiles } from '../workspace/snapshot';
import type { PlaceFile, PlaceOptions } from './place';

/**
 * What mutating policies make of objects that are created, as far as it is known: a placement asks and goes on without what
 * is not known, and somebody who can wait has the policies asked, so that the next placement knows.
 */
export interface PolicyAnswers {
  /** The very same function until more is known. What nobody knows is noted. */
  readonly ask: () => AskPolicies;
  /** All that is known, for another thread. */
  readonly known: () => ReadonlyMap<string, PolicyVerdict | undefined>;
  readonly isOpen: () => boolean;
  /** Has the policies asked about what was noted. Resolves to whether anything was. */
  answer(): Promise<boolean>;
}

/** Objects asked about at once. */
const BATCH = 40;

/** `fileOf` says how the file of a policy is told to people. */
export function policyAnswers(chain: AdmissionChain, kube: Kube, fileOf = (uri: string) => uri): PolicyAnswers {
  const known = new Map<string, PolicyVerdict | undefined>();
  const open = new Map<string, JsonObject>();
  const asking = (): AskPolicies => object => {
    const key = JSON.stringify(object);
    if (!known.has(key)) open.set(key, object as JsonObject);
    return known.get(key);
  };
  let current = asking();
  return {
    ask: () => current,
    known: () => known,
    isOpen: () => open.size > 0,
    async answer() {
      const asked = [...open];
      open.clear();
      for (let i = 0; i < asked.length; i += BATCH) {
        const batch = asked.slice(i, i + BATCH);
        const admitted = await chain.admitted(batch.map(([, it]) => unwritten(it, kube)));
        batch.forEach(([key], k) => {
          const it = admitted[k];
          known.set(key, it && verdictOf(it, fileOf));
        });
      }
      if (asked.length > 0) current = asking();
      return asked.length > 0;
    },
  };
}

/** The same from what another thread knows. */
export const askingKnown =
  (known: ReadonlyMap<string, PolicyVerdict | undefined>): AskPolicies =>
  object =>
    known.get(JSON.stringify(object));

function verdictOf({ value, steps, isRefused }: AdmittedObject, fileOf: (uri: string) => string) {
  if (isRefused) {
    const failures = steps.flatMap(it => it.results.filter(({ severity }) => severity === 'error'));
    return { rejected: failures.map(it => it.message).join('; ') };
  }
  const by = steps
    .flatMap(it => it.mutations)
    .filter(it => it.changes.length > 0 && it.other === undefined)
    .map(
      ({ kind, policy, source, changes }): PolicyMutation => ({
        kind,
        policy,
        ...(source && { file: fileOf(source.manifest.uri) }),
        changes: changes.map(({ at, before, after }) => ({
          path: at.toString(),
          ...(before !== undefined && { before }),
          ...(after !== undefined && { after }),
        })),
      }),
    );
  return by.length === 0 ? undefined : { object: value, by };
}

/** Works something out until it asks for nothing that is not known. Without answers there are no policies. */
export async function knowingPolicies<T>(
  answers: PolicyAnswers | undefined,
  work: (askPolicies: AskPolicies | undefined) => T,
): Promise<T> {
  for (;;) {
    const worked = work(answers?.ask());
    if (answers === undefined || !(await answers.answer())) return worked;
  }
}

/** Texts without any of these words have no mutating policy, and nothing of this is loaded for them. */
const WORDS = /MutatingAdmissionPolicy|mutations\.gatekeeper\.sh|kyverno\.io/;

export interface ScenarioPolicies {
  /** undefined: nothing among the files mutates. */
  readonly answers: PolicyAnswers | undefined;
  /** What is not asked, a sentence. */
  readonly notice: string | undefined;
}

/** The mutating policies among the files of a scenario. */
export function policiesOfScenario(
  files: readonly PlaceFile[],
  { kube, namespace }: Pick<PlaceOptions, 'kube' | 'namespace'>,
  engine: PolicyEngine,
): ScenarioPolicies {
  if (!files.some(it => WORDS.test(it.text))) return { answers: undefined, notice: undefined };
  const isNamespaced = (group: string, version: string, kind: string) =>
    kube.kindOf(group === '' ? version : `${group}/${version}`, kind)?.namespaced;
  const parsed = files.map(({ uri, text }) => ({ uri, file: parseManifests(uri, text) }));
  const snapshot = withFiles(emptySnapshot(isNamespaced, namespace === undefined ? {} : { namespace }), parsed);
  const chain = admissionChainOf(snapshot, kube, engine);
  const needing = [
    ...snapshot.objectsOf('admissionregistration.k8s.io', 'MutatingAdmissionPolicy'),
    ...GATEKEEPER_KINDS.flatMap(it => snapshot.objectsOf('mutations.gatekeeper.sh', it)),
  ];
  const kinds = [...new Set(needing.map(it => it.kind))].join(', ');
  return {
    answers: chain.isMutating ? policyAnswers(chain, kube) : undefined,
    notice:
      needing.length === 0 || engine.isBuilt()
        ? undefined
        : `What ${kinds} here would change is not known: this build has no policy engine.`,
  };
}

const GATEKEEPER_KINDS = ['Assign', 'AssignMetadata', 'ModifySet', 'AssignImage'];
