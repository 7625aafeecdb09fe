import { parseManifests } from '../../manifest/parse';
import type { PolicyEngine } from '../../policy/engine/engine';
import { admissionChainOf } from '../../policy/mutators';
import { emptySnapshot, withFiles } from '../../workspace/snapshot';
import type { MutationAnswers } from '../policies/mutationAnswers';
import { mutationAnswers } from '../policies/mutationAnswers';
import type { PlaceFile, PlaceOptions } from './scenario';

/** Texts without any of these words have no mutating policy, and nothing of this is loaded for them. */
const MUTATING_WORDS = /MutatingAdmissionPolicy|mutations\.gatekeeper\.sh|kyverno\.io/;

export const mayMutate = (text: string): boolean => MUTATING_WORDS.test(text);

export interface ScenarioPolicies {
  /** undefined: nothing among the files mutates. */
  readonly answers: MutationAnswers | undefined;
  /** What is not asked, a sentence. */
  readonly notice: string | undefined;
}

/** The mutating policies among the files of a scenario; `failed` is told why they cannot be asked. */
export function policiesOfScenario(
  files: readonly PlaceFile[],
  { kube, namespace }: Pick<PlaceOptions, 'kube' | 'namespace'>,
  engine: PolicyEngine,
  failed: (error: unknown) => void,
): ScenarioPolicies {
  if (!files.some(it => mayMutate(it.text))) return { answers: undefined, notice: undefined };
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
    answers: chain.isMutating ? mutationAnswers(chain, kube, { failed }) : undefined,
    notice:
      needing.length === 0 || engine.isBuilt()
        ? undefined
        : `What ${kinds} here would change is not known: this build has no policy engine.`,
  };
}

const GATEKEEPER_KINDS = ['Assign', 'AssignMetadata', 'ModifySet', 'AssignImage'];
