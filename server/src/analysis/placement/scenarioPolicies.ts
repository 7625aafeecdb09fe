import type { ManifestFile } from '../../manifest/manifest';
import type { PolicyEngine } from '../../policy/engine/engine';
import { admissionChainOf } from '../../policy/mutators';
import { emptySnapshot, withFiles } from '../../workspace/snapshot';
import { type MutationAnswers, mutationAnswers } from '../policies/mutationAnswers';
import { isNamespacedIn } from '../state/facts';
import type { PlaceOptions } from './scenario';

/** Texts without any of these words have no mutating policy, and nothing of this is loaded for them. */
const MUTATING_WORDS = /MutatingAdmissionPolicy|mutations\.gatekeeper\.sh|kyverno\.io/;

export const mayMutate = (text: string): boolean => MUTATING_WORDS.test(text);

/** What evaluates the mutating policies of a scenario. */
export interface PolicyAsker {
  readonly engine: PolicyEngine;
  /** Receives a sentence about policies that cannot be evaluated in this build. */
  readonly onNotice?: (sentence: string) => void;
  /** Receives the reason why an evaluation failed; the policies then change nothing. */
  readonly onFailure: (error: unknown) => void;
}

/** The mutating policies among the files of a scenario; undefined: there are none. */
export function scenarioPolicies(
  files: readonly ManifestFile[],
  { kube, namespace }: Pick<PlaceOptions, 'kube' | 'namespace'>,
  { engine, onNotice, onFailure }: PolicyAsker,
): MutationAnswers | undefined {
  if (!files.some(it => mayMutate(it.text))) return undefined;
  const changes = files.map(file => ({ uri: file.uri, file }));
  const snapshot = withFiles(
    emptySnapshot(isNamespacedIn(kube), namespace === undefined ? {} : { namespace }),
    changes,
  );
  const chain = admissionChainOf(snapshot, kube, engine);
  const needing = [
    ...snapshot.objectsOf('admissionregistration.k8s.io', 'MutatingAdmissionPolicy'),
    ...GATEKEEPER_KINDS.flatMap(it => snapshot.objectsOf('mutations.gatekeeper.sh', it)),
  ];
  const kinds = [...new Set(needing.map(it => it.kind))].join(', ');
  if (needing.length > 0 && !engine.isBuilt())
    onNotice?.(`What ${kinds} here would change is not known: this build has no policy engine.`);
  return chain.isMutating ? mutationAnswers(chain, kube, { failed: onFailure }) : undefined;
}

const GATEKEEPER_KINDS = ['Assign', 'AssignMetadata', 'ModifySet', 'AssignImage'];
