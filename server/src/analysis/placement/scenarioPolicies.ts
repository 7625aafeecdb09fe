import type { ManifestFile } from '../../manifest/manifest';
import { judgedBy } from '../../policy/admission/judged';
import type { PolicyEngine } from '../../policy/engine/engine';
import { admissionChainOf } from '../../policy/mutators';
import { POLICY_SETS } from '../../policy/policySets';
import { ADMISSION, hasAdmissionPolicies, type PolicyCluster } from '../../policy/vap/policies';
import { emptySnapshot, withFiles } from '../../workspace/snapshot';
import { type MutationAnswers, mutationAnswers } from '../policies/mutationAnswers';
import { asideNote, withoutPoliciesAside } from '../policies/policiesAside';
import { policyScopes } from '../policies/policyScopes';
import { isNamespacedIn } from '../state/facts';
import type { PlaceOptions } from './scenario';

/** Texts without any of these words have no policy of admission, and nothing of this is loaded for them. */
const POLICY_WORDS = /(Mutat|Validat)ingAdmissionPolicy|(mutations|constraints)\.gatekeeper\.sh|kyverno\.io/;

export const mayHoldPolicies = (text: string): boolean => POLICY_WORDS.test(text);

/** What evaluates the policies of a scenario. */
export interface PolicyAsker {
  readonly engine: PolicyEngine;
  /** Receives a sentence about policies that are not asked, or that cannot be evaluated in this build. */
  readonly onNotice?: (sentence: string) => void;
  /** Receives the reason why an evaluation failed; the policies then say nothing. */
  readonly onFailure: (error: unknown) => void;
}

/** The policies among the files of a scenario, and of its cluster, that change or refuse objects; undefined: there are none. */
export function scenarioPolicies(
  files: readonly ManifestFile[],
  {
    kube,
    namespace,
    cluster,
    origin = 'guessed',
  }: Pick<PlaceOptions, 'kube' | 'namespace' | 'origin'> & { readonly cluster?: PolicyCluster | undefined },
  { engine, onNotice, onFailure }: PolicyAsker,
): MutationAnswers | undefined {
  if (!files.some(it => mayHoldPolicies(it.text)) && !hasAdmissionPolicies(cluster)) return undefined;
  const changes = files.map(file => ({ uri: file.uri, file }));
  const whole = withFiles(emptySnapshot(isNamespacedIn(kube), namespace === undefined ? {} : { namespace }), changes);
  const asked = { snapshot: whole, environment: { origin } };
  const aside = asideNote([asked]);
  if (aside !== undefined) onNotice?.(aside);
  const { snapshot } = withoutPoliciesAside(asked);
  const scopes = policyScopes({ snapshot, environment: { origin } });
  const chain = admissionChainOf(snapshot, kube, engine, { cluster, scopes });
  const input = { snapshot, kube, environment: {}, cache: {}, chain, cluster, scopes };
  const sets = POLICY_SETS.flatMap(it => it.make(input, new Map(), engine) ?? []).filter(it => it.denies === true);
  const needing = [
    ...ADMISSION_KINDS.flatMap(it => [
      ...snapshot.objectsOf(ADMISSION, it),
      ...(cluster?.objectsOf(ADMISSION, it) ?? []),
    ]),
    ...GATEKEEPER_KINDS.flatMap(it => snapshot.objectsOf('mutations.gatekeeper.sh', it)),
    ...snapshot.objectsOf('templates.gatekeeper.sh', 'ConstraintTemplate'),
  ];
  const kinds = [...new Set(needing.map(it => it.kind))].join(', ');
  if (needing.length > 0 && !engine.isBuilt())
    onNotice?.(`What ${kinds} here would change or refuse is not known: this build has no policy engine.`);
  const judging = sets.filter(it => it.needsEngine === false || engine.isBuilt());
  if (!chain.isMutating && judging.length === 0) return undefined;
  return mutationAnswers(judgedBy(chain, judging), kube, { failed: onFailure });
}

const ADMISSION_KINDS = ['MutatingAdmissionPolicy', 'ValidatingAdmissionPolicy'];
const GATEKEEPER_KINDS = ['Assign', 'AssignMetadata', 'ModifySet', 'AssignImage'];
