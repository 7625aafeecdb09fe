import { nextTurn } from '../../base/nextTurn';
import { isSameValue } from '../../base/sameValue';
import { type AdmissionChain, withoutMutation } from '../../policy/admission/chain';
import { judgedOnce } from '../../policy/admission/judgedOnce';
import { EngineEnded, type PolicyEngine } from '../../policy/engine/engine';
import type { PolicyCheck, PolicySet } from '../../policy/policySet';
import { POLICY_SETS, type PolicySetFactory, type PolicySetInput } from '../../policy/policySets';
import type { PolicyEngineName } from '../../policy/result';
import type { WorkspaceObject } from '../../workspace/object';
import type { AdmissionChains } from './admissionChains';
import { type EvaluationBudget, evaluationBudget, unjudged } from './evaluationBudget';
import type { KnownMutations } from './knownMutations';
import { answerInBackground, type MutationAnswers } from './mutationAnswers';
import { needsEngine } from './notices';
import type { EvaluatedEnvironment, PolicyEvaluationWorld, PolicyJob, PolicyNews } from './policyEvaluation';
import { policyScopes } from './policyScopes';
import { hasSameParts, isEqualSet, type LoadedPolicySet, type LoadedPolicySets, type SetAnswers } from './policySets';

/** The number of objects that are evaluated at once; of objects with very many results they are fewer. */
const BATCH = 40;
const RESULTS_OF_A_BATCH = 2_000;
/** After so many results the files are told: whoever hears of it finds all problems of each again. */
const RESULTS_OF_NEWS = 20_000;

/** One job with what all of its evaluation shares. */
export interface EvaluationContext {
  readonly engine: PolicyEngine;
  readonly policySets: LoadedPolicySets;
  readonly chains: AdmissionChains;
  readonly onBug: PolicyEvaluationWorld['onBug'];
  /** Why engines failed in this job, by engine. */
  readonly failures: Map<string, string>;
  /** Whether a later job waits. */
  readonly isOvertaken: () => boolean;
  readonly job: PolicyJob;
  /** As in the job, asked once for all environments. */
  readonly rests: () => Promise<boolean>;
  /**
   * Files of environments that share a set which another environment has loaded and evaluated. Their news came while they
   * still had the previous policies, so that it is repeated at the end of the job.
   */
  readonly deferred: Set<string>;
}

type News = AsyncGenerator<PolicyNews, void, undefined>;
type PolicyEnvironment = EvaluatedEnvironment & PolicySetInput;

/** Evaluates the policies of an environment about its objects until a later job waits. */
export async function* evaluateEnvironment(
  context: EvaluationContext,
  environment: EvaluatedEnvironment,
): AsyncGenerator<PolicyNews, 'evaluated' | 'overtaken', undefined> {
  const { chains, isOvertaken } = context;
  const before = chains.answersFor(environment);
  const verdictsBefore = verdictsOf(before);
  const chain = chainFor(context, environment);
  const { kube, snapshot, environment: own, cache, cluster } = environment;
  const scopes = policyScopes(environment);
  const asked: PolicyEnvironment = { kube, snapshot, environment: own, cache, cluster, chain, scopes };
  for (const maker of POLICY_SETS) yield* evaluateEngine(context, asked, maker);
  const isJudged = !isOvertaken() && (await judgeEnvironment(context, environment));
  const end = isOvertaken() || !isJudged ? 'overtaken' : 'evaluated';
  const answers = chains.answersFor(environment);
  // What placements asked the answers before meanwhile is noted there alone.
  const isAskedBefore = answers !== before && before?.hasQuestions() === true;
  // After an overtaken job, too: the next one starts from these answers and sees no difference.
  if (isAskedBefore || !hasEqualVerdicts(verdictsBefore, verdictsOf(answers)))
    yield { uris: [...environment.snapshot.files.keys()], placements: 'changed' };
  return end;
}

/**
 * Has the policies answer what placements ask. Placements have the answers before until then, so that they change once. Resolves
 * to whether the job goes on.
 */
async function judgeEnvironment(context: EvaluationContext, environment: EvaluatedEnvironment): Promise<boolean> {
  const { chains, policySets, isOvertaken, rests } = context;
  const engines = POLICY_SETS.map(it => it.engine);
  const sets = policySets.of(environment, engines).map(it => it.set);
  const judged = chains.judge(environment, sets);
  if (judged === undefined) return true;
  if (judged.answers !== undefined && !(await rests())) return false;
  await answerMutations(context, environment, judged.answers);
  if (!isOvertaken()) chains.put(environment, judged);
  return true;
}

type Verdicts = KnownMutations['changing'];

const NO_VERDICTS: Verdicts = new Map();

const verdictsOf = (answers: MutationAnswers | undefined): Verdicts => answers?.current().changing ?? NO_VERDICTS;

/** Answers by which a policy neither changes nor refuses anything make no difference to placements. */
const hasEqualVerdicts = (a: Verdicts, b: Verdicts): boolean =>
  a === b || (a.size === b.size && [...a].every(([key, it]) => isSameValue(it, b.get(key))));

function chainFor({ chains, onBug }: EvaluationContext, environment: EvaluatedEnvironment): AdmissionChain {
  try {
    return chains.of(environment);
  } catch (error) {
    onBug('policy/mutating', error);
    return withoutMutation(environment.kube);
  }
}

/** Evaluates the policies of one engine. When the engine's process has ended, tries once more with a new one. */
async function* evaluateEngine(
  context: EvaluationContext,
  environment: PolicyEnvironment,
  maker: PolicySetFactory,
): News {
  try {
    try {
      yield* evaluateEngineOnce(context, environment, maker);
    } catch (error) {
      if (!(error instanceof EngineEnded)) throw error;
      yield* evaluateEngineOnce(context, environment, maker);
    }
  } catch (error) {
    context.failures.set(maker.engine, error instanceof Error ? error.message : String(error));
    context.onBug(`policy/${maker.engine}`, error);
  }
}

async function* evaluateEngineOnce(
  context: EvaluationContext,
  environment: PolicyEnvironment,
  maker: PolicySetFactory,
): News {
  const { engine, policySets, job } = context;
  let loaded: LoadedPolicySet | undefined;
  try {
    const made = maker.make(environment, job.texts, engine);
    // A build without the engine evaluates only policies that need none.
    const usable = engine.isBuilt() || !needsEngine(made) ? made : undefined;
    const set = usable && judgedOnce(usable, environment.chain);
    loaded = yield* loadedSetFor(context, environment, maker.engine, set);
    if (set === undefined || loaded === undefined) return;
    const changed = policySets.changedSinceJudged(environment, maker.engine, loaded);
    yield* evaluateObjects(context, loaded, set.objects(changed), maker.engine);
    if (!context.isOvertaken()) policySets.judged(environment, maker.engine, loaded);
  } finally {
    if (loaded !== undefined) policySets.releasePrevious(loaded);
  }
}

async function answerMutations(
  { onBug, isOvertaken, job }: EvaluationContext,
  environment: EvaluatedEnvironment,
  answers: MutationAnswers | undefined,
): Promise<void> {
  if (answers === undefined) return;
  try {
    await answerInBackground(answers, it => job.admission(environment, it), isOvertaken);
  } catch (error) {
    onBug('policy/mutating', error);
  }
}

/** Loads a set for an environment. A loaded set that equals it stays in use; undefined: there are no policies. */
async function* loadedSetFor(
  { policySets, job, deferred }: EvaluationContext,
  environment: EvaluatedEnvironment,
  engine: string,
  set: PolicySet | undefined,
): AsyncGenerator<PolicyNews, LoadedPolicySet | undefined, undefined> {
  const previous = policySets.find(environment, engine);
  if (previous !== undefined && set !== undefined) {
    if (isEqualSet(previous, set, environment.cache)) return previous;
    const shared = policySets.findEqual(environment.cache, engine, set);
    const next = shared === undefined ? await continued(previous, set, environment.cache) : undefined;
    if (next !== undefined) return policySets.put(environment, engine, next.set, next);
  }
  if (set !== undefined) {
    const outdated = previous === undefined ? [] : urisLeft(previous, set);
    const earlier = policySets.all();
    const loaded = policySets.put(environment, engine, set);
    if (earlier.includes(loaded)) for (const it of urisAbout(loaded, set)) deferred.add(it);
    // Once the new policies are there: whoever hears of it looks at once.
    if (outdated.length > 0) yield { uris: outdated, placements: 'same' };
    return loaded;
  }
  policySets.drop(environment, engine);
  if (previous !== undefined) {
    yield { uris: job.environments.flatMap(it => [...it.snapshot.files.keys()]), placements: 'same' };
  }
  return undefined;
}

/** The loaded policies with the objects of a later set that has the same policies, and the answers that still hold. */
async function continued(
  loaded: LoadedPolicySet,
  set: PolicySet,
  index: object,
): Promise<(SetAnswers & { readonly set: PolicySet }) | undefined> {
  const next = hasSameParts(loaded, set, index) ? await loaded.set.continueWith?.(set) : undefined;
  if (next === undefined) return undefined;
  const answers: LoadedPolicySet['answers'] = new WeakMap();
  for (const it of next.objects()) {
    const { contentId } = it.manifest;
    const answer = loaded.answers.get(contentId);
    if (answer !== undefined && answer.holds?.() !== false) answers.set(contentId, answer);
  }
  return { set: next, check: loaded.check, answers };
}

/** First the objects that a person looks at, then the policies themselves, then all other objects. */
async function* evaluateObjects(
  context: EvaluationContext,
  loaded: LoadedPolicySet,
  objects: readonly WorkspaceObject[],
  engine: PolicyEngineName,
): News {
  const budget = evaluationBudget();
  const isFirst = new Set(context.job.first);
  yield* evaluateBatches(
    context,
    loaded,
    objects.filter(it => isFirst.has(it.manifest.uri)),
    engine,
    budget,
  );
  if (loaded.check === undefined && !context.isOvertaken()) {
    loaded.check = await loaded.set.check();
    const uris = urisOf(loaded.check);
    if (uris.length > 0) yield { uris, placements: 'same' };
  }
  yield* evaluateBatches(context, loaded, objects, engine, budget);
}

/** Evaluates objects that have no answers yet. Ends early when a later job waits. */
async function* evaluateBatches(
  { isOvertaken }: EvaluationContext,
  { set, answers }: LoadedPolicySet,
  objects: readonly WorkspaceObject[],
  engine: PolicyEngineName,
  budget: EvaluationBudget,
): News {
  const unanswered = objects.filter(it => !answers.has(it.manifest.contentId));
  const sizeFor = (results: number): number =>
    Math.min(BATCH, Math.ceil(RESULTS_OF_A_BATCH / Math.max(1, results, set.mostResults ?? 1)));
  // Each batch is a question to the engine, where there is one.
  let size = set.needsEngine === false ? 1 : sizeFor(1);
  let news = { uris: new Set<string>(), objects: 0, results: 0 };
  for (let i = 0; i < unanswered.length && !isOvertaken(); ) {
    const batch = unanswered.slice(i, i + size);
    i += batch.length;
    const lateBefore = sizeOf(set.runtimeProblems());
    const judged = batch.filter(it => !budget.isSpentFor(it));
    for (const it of batch) if (budget.isSpentFor(it)) answers.set(it.manifest.contentId, unjudged(engine, it));
    const found = judged.length === 0 ? [] : await set.evaluate(judged);
    for (const [k, it] of judged.entries()) {
      const own = found[k];
      if (own === undefined) continue;
      budget.spend(it, own);
      answers.set(it.manifest.contentId, own);
      news.results += own.results.length;
    }
    size = sizeFor(Math.max(1, ...found.map(it => it.results.length)));
    const late = set.runtimeProblems();
    const policies = sizeOf(late) > lateBefore ? urisOf(late) : [];
    for (const it of [...batch.map(it => it.manifest.uri), ...policies]) news.uris.add(it);
    news.objects += batch.length;
    if (news.objects >= BATCH || news.results >= RESULTS_OF_NEWS) {
      yield { uris: [...news.uris], placements: 'same' };
      news = { uris: new Set(), objects: 0, results: 0 };
    }
    // An engine without a process of its own never waits.
    await nextTurn();
  }
  if (news.objects > 0) yield { uris: [...news.uris], placements: 'same' };
}

/** Policies of a cluster are in no file. */
const urisOf = (check: PolicyCheck | undefined): readonly string[] =>
  [
    ...new Set([
      ...(check?.results ?? []).map(it => it.location.object.manifest.uri),
      ...(check?.inFiles ?? []).map(it => it.uri),
    ]),
  ].filter(it => it !== '');

/** The files with results of a loaded set that no evaluation of a new one is about. */
function urisLeft({ check, set: loaded, uris }: LoadedPolicySet, { objects }: PolicySet): readonly string[] {
  const now = new Set(objects().map(it => it.manifest.uri));
  const about = [...uris, ...urisOf(check), ...urisOf(loaded.runtimeProblems())];
  return [...new Set(about)].filter(it => !now.has(it));
}

/** The files with results of a loaded set. */
const urisAbout = ({ check, set: loaded }: LoadedPolicySet, { objects }: PolicySet): readonly string[] => [
  ...objects().map(it => it.manifest.uri),
  ...urisOf(check),
  ...urisOf(loaded.runtimeProblems()),
];

const sizeOf = ({ results, inFiles }: PolicyCheck): number => results.length + inFiles.length;
