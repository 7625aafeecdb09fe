import type { JsonObject } from '../../base/json';
import { isSameValue } from '../../base/sameValue';
import type { WorkspaceObject } from '../../workspace/object';
import type { PolicyAnswer, PolicySet } from '../policySet';
import type { AdmissionChain } from './chain';

type Verdict = Pick<PolicyAnswer, 'denied' | 'holds'>;

/** By namespace and name: a Pod as admission left it, and what the policies say of it. */
type Kept = Map<string, { readonly value: JsonObject; readonly verdict: Verdict }>;

/** The number of Pods whose verdicts wait for the question of a placement. */
const MOST_KEPT = 2_000;

/**
 * A set that the engine evaluates, which judges a Pod of a file once: a placement creates the same Pod, mostly, and asks
 * about it later. Its verdict is kept until then.
 */
export function judgedOnce(set: PolicySet, chain: Pick<AdmissionChain, 'admit'>, kept: Kept = new Map()): PolicySet {
  if (set.denies !== true || set.needsEngine === false) return set;
  const { continueWith } = set;
  return {
    ...set,
    async evaluate(objects) {
      const answers = await set.evaluate(objects);
      await keepVerdicts(kept, chain, objects, answers);
      return answers;
    },
    verdicts: (objects, values) => verdictsOf(set, kept, objects, values),
    ...(continueWith && {
      async continueWith(later) {
        const next = await continueWith(later);
        return next && judgedOnce(next, chain, kept);
      },
    }),
  };
}

async function keepVerdicts(
  kept: Kept,
  chain: Pick<AdmissionChain, 'admit'>,
  objects: readonly WorkspaceObject[],
  answers: readonly PolicyAnswer[],
): Promise<void> {
  const isPod = ({ group, kind }: WorkspaceObject): boolean => group === '' && kind === 'Pod';
  const pods = objects.flatMap((object, i) => (isPod(object) && answers[i] ? [{ object, answer: answers[i] }] : []));
  const admitted = await chain.admit(pods.map(it => it.object));
  for (const [i, { object, answer }] of pods.entries()) {
    const outcome = admitted[i];
    if (outcome === undefined || outcome.isRefused) continue;
    const { denied, holds } = answer;
    const verdict: Verdict = { ...(denied !== undefined && { denied }), ...(holds && { holds }) };
    kept.set(keyOf(object), { value: outcome.value, verdict });
  }
  for (const [key] of kept) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(key);
  }
}

async function verdictsOf(
  set: PolicySet,
  kept: Kept,
  objects: readonly WorkspaceObject[],
  values: readonly JsonObject[],
): Promise<readonly (Verdict | undefined)[]> {
  const known = objects.map((it, i) => taken(kept, it, values[i]));
  const open = objects.filter((_, i) => known[i] === undefined);
  const answers = open.length === 0 ? [] : await set.evaluate(open);
  const judged = new Map(open.map((it, i) => [it, answers[i]]));
  return objects.map((it, i) => known[i] ?? judged.get(it));
}

/** The verdict about the same Pod, if it still holds. It is asked for once. */
function taken(kept: Kept, object: WorkspaceObject, value: JsonObject | undefined): Verdict | undefined {
  const found = kept.get(keyOf(object));
  kept.delete(keyOf(object));
  if (found === undefined || !isSameValue(found.value, value)) return undefined;
  return found.verdict.holds?.() === false ? undefined : found.verdict;
}

const keyOf = ({ namespace = '', name = '' }: WorkspaceObject): string => `${namespace}/${name}`;
