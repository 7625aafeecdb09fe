import { type AdmissionChain, withoutMutation } from '../../policy/admission/chain';
import { againWhenEnded, type PolicyEngine } from '../../policy/engine/engine';
import type { PolicyCheck, PolicySet } from '../../policy/policySet';
import { POLICY_SETS, type PolicyScene, type PolicySetMaker } from '../../policy/policySets';
import type { WorkspaceObject } from '../../workspace/object';
import type { AdmissionChains } from './admissionChains';
import { answerInBackground, type MutationAnswers } from './mutationAnswers';
import type { EvaluatedEnvironment, PolicyEvaluationWorld, PolicyJob, PolicyNotice } from './policyEvaluation';
import { hasSameParts, isAlike, type KnownAnswers, type LoadedPolicySet, type LoadedPolicySets } from './policySets';

const BATCH = 40;

/** Policies while they are asked. */
export interface EvaluationContext {
  readonly engine: PolicyEngine;
  readonly standings: LoadedPolicySets;
  readonly chains: AdmissionChains;
  readonly onBug: PolicyEvaluationWorld['onBug'];
  /** Why engines did not answer in the newest job, by engine. */
  readonly unanswered: Map<string, string>;
  /** Whether a later job waits. */
  readonly isOvertaken: () => boolean;
}

/** A job that is run. */
export interface RunningJob extends PolicyJob {
  /**
   * Files of environments that took over policies which others had asked already. They are told when all environments
   * have theirs: the answers were told while these still had the policies of before.
   */
  readonly untold: Set<string>;
}

/** Asks the policies of an environment about its objects, as long as no later job waits. */
export async function evaluateEnvironment(
  judging: EvaluationContext,
  scene: EvaluatedEnvironment,
  job: RunningJob,
): Promise<'judged' | 'overtaken'> {
  const { chains, isOvertaken } = judging;
  const before = chains.answersFor(scene);
  const chain = chainFor(judging, scene);
  for (const maker of POLICY_SETS) await judge(judging, { ...scene, chain }, maker, job);
  const end = isOvertaken() ? 'overtaken' : 'judged';
  const answers = chains.answersFor(scene);
  const isNews = end === 'judged' && (await answered(judging, scene, answers, job));
  // The job that overtakes this one finds the policies as this one leaves them, and sees no difference.
  if (isNews || answers !== before) {
    job.placed();
    job.told([...scene.snapshot.files.keys()]);
  }
  return end;
}

function chainFor({ chains, onBug }: EvaluationContext, scene: EvaluatedEnvironment): AdmissionChain {
  try {
    return chains.of(scene);
  } catch (error) {
    onBug('policy/mutating', error);
    return withoutMutation(scene.kube);
  }
}

async function judge(
  judging: EvaluationContext,
  scene: EvaluatedEnvironment & PolicyScene,
  maker: PolicySetMaker,
  job: RunningJob,
): Promise<void> {
  try {
    await againWhenEnded(() => judgeOnce(judging, scene, maker, job));
  } catch (error) {
    judging.unanswered.set(maker.engine, error instanceof Error ? error.message : String(error));
    judging.onBug(`policy/${maker.engine}`, error);
  }
}

async function judgeOnce(
  { engine, standings, isOvertaken }: EvaluationContext,
  scene: EvaluatedEnvironment & PolicyScene,
  maker: PolicySetMaker,
  job: RunningJob,
): Promise<void> {
  let standing: LoadedPolicySet | undefined;
  try {
    const made = maker.make(scene, job.texts, engine);
    // Without an engine only those are asked that need none.
    const set = engine.isBuilt() || !needsEngine(made) ? made : undefined;
    standing = await standingFor(standings, scene, maker.engine, set, job);
    if (set !== undefined && standing !== undefined) await askInTurn(standing, set.objects, job, isOvertaken);
  } finally {
    if (standing !== undefined) standings.settle(standing);
  }
}

/** Resolves to whether more is known of mutating policies. */
async function answered(
  { onBug, isOvertaken }: EvaluationContext,
  scene: EvaluatedEnvironment,
  answers: MutationAnswers | undefined,
  job: RunningJob,
): Promise<boolean> {
  try {
    return answers !== undefined && (await answerInBackground(answers, it => job.reading(scene, it), isOvertaken));
  } catch (error) {
    onBug('policy/mutating', error);
    return false;
  }
}

/** Why, and what to do. */
export const NO_ENGINE =
  'this build has no policy engine. `npm run build` makes it, with Go 1.26 or newer or with a Go toolchain that it downloads.';

/** undefined where all policies can be evaluated. */
export function noticeWithoutEngine(
  engine: PolicyEngine,
  { environments: scenes, texts }: Pick<PolicyJob, 'environments' | 'texts'>,
): PolicyNotice | undefined {
  const unasked = POLICY_SETS.filter(({ make }) =>
    scenes.some(it => needsEngine(make({ ...it, chain: withoutMutation(it.kube) }, texts, engine))),
  );
  if (unasked.length === 0) return undefined;
  const engines = unasked.map(it => it.engine);
  const message = `The policies here (${engines.join(', ')}) are not evaluated: ${NO_ENGINE}`;
  return { engines, message };
}

/** undefined where all policies that were asked have answered. */
export function noticeOfFailures(unanswered: ReadonlyMap<string, string>): PolicyNotice | undefined {
  if (unanswered.size === 0) return undefined;
  const engines = [...unanswered.keys()];
  const reasons = [...new Set(unanswered.values())].join('; ');
  const message = `The policies here (${engines.join(', ')}) have not answered for all files: ${reasons}. They are asked again at the next change.`;
  return { engines, message };
}

/** Whether users bring policies that validate, or texts of some. */
export function anyPolicies(
  engine: PolicyEngine,
  { environments: scenes, texts }: Pick<PolicyJob, 'environments' | 'texts'>,
): boolean {
  if (texts.size > 0) return true;
  return POLICY_SETS.some(({ make }) =>
    scenes.some(it => make({ ...it, chain: withoutMutation(it.kube) }, texts, engine) !== undefined),
  );
}

/** The standing of policies that say the same as before goes on. */
async function standingFor(
  standings: LoadedPolicySets,
  scene: EvaluatedEnvironment,
  name: string,
  set: PolicySet | undefined,
  job: RunningJob,
): Promise<LoadedPolicySet | undefined> {
  const known = standings.find(scene, name);
  if (known !== undefined && set !== undefined) {
    if (isAlike(known, set, scene.cache)) return known;
    const shared = standings.alike(scene.cache, name, set);
    const next = shared === undefined ? await continued(known, set, scene.cache) : undefined;
    if (next !== undefined) return standings.put(scene, name, next.set, next);
  }
  if (known !== undefined) job.told([...urisOf(known.checked), ...urisOf(known.set.late())]);
  if (set !== undefined) {
    const standing = standings.put(scene, name, set);
    if (standing.set !== set) for (const it of urisAbout(standing, set)) job.untold.add(it);
    return standing;
  }
  standings.drop(scene, name);
  if (known !== undefined) job.told(job.environments.flatMap(it => [...it.snapshot.files.keys()]));
  return undefined;
}

/** The same policies among other objects, with the answers that still hold. */
async function continued(
  known: LoadedPolicySet,
  set: PolicySet,
  ground: object,
): Promise<(KnownAnswers & { readonly set: PolicySet }) | undefined> {
  const next = hasSameParts(known, set, ground) ? await known.set.goOn?.(set) : undefined;
  if (next === undefined) return undefined;
  const answers: LoadedPolicySet['answers'] = new WeakMap();
  for (const it of next.set.objects) {
    const { contentId } = it.manifest;
    const answer = known.answers.get(contentId);
    if (answer !== undefined && next.holds(it)) answers.set(contentId, answer);
  }
  return { set: next.set, checked: known.checked, answers };
}

/** What a person looks at comes first, then the policies themselves, then the rest. */
async function askInTurn(
  standing: LoadedPolicySet,
  objects: readonly WorkspaceObject[],
  job: RunningJob,
  isOvertaken: () => boolean,
): Promise<void> {
  const isFirst = new Set(job.first);
  const looked = objects.filter(it => isFirst.has(it.manifest.uri));
  await answer(standing, looked, job, isOvertaken);
  if (standing.checked === undefined && !isOvertaken()) {
    standing.checked = await standing.set.check();
    job.told(urisOf(standing.checked));
  }
  await answer(standing, objects, job, isOvertaken);
}

/** Ends early when a newer job is there. */
async function answer(
  { set, answers }: LoadedPolicySet,
  objects: readonly WorkspaceObject[],
  job: RunningJob,
  isOvertaken: () => boolean,
): Promise<void> {
  const unanswered = objects.filter(it => !answers.has(it.manifest.contentId));
  for (let i = 0; i < unanswered.length && !isOvertaken(); i += BATCH) {
    const batch = unanswered.slice(i, i + BATCH);
    const lateBefore = sizeOf(set.late());
    const found = await set.judge(batch);
    batch.forEach((it, k) => {
      const own = found[k];
      if (own !== undefined) answers.set(it.manifest.contentId, own);
    });
    const late = set.late();
    const policies = sizeOf(late) > lateBefore ? urisOf(late) : [];
    job.told([...new Set([...batch.map(it => it.manifest.uri), ...policies])]);
  }
}

const needsEngine = (set: PolicySet | undefined): boolean => set !== undefined && set.needsEngine !== false;

const urisOf = (check: PolicyCheck | undefined): readonly string[] => [
  ...new Set([
    ...(check?.results ?? []).map(it => it.place.object.manifest.uri),
    ...(check?.inFiles ?? []).map(it => it.uri),
  ]),
];

/** The files that are spoken of by policies which were asked already. */
const urisAbout = ({ checked, set: asked }: LoadedPolicySet, { objects }: PolicySet): readonly string[] => [
  ...objects.map(it => it.manifest.uri),
  ...urisOf(checked),
  ...urisOf(asked.late()),
];

const sizeOf = ({ results, inFiles }: PolicyCheck): number => results.length + inFiles.length;
