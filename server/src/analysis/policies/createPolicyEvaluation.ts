import { lazyByObject } from '../../base/lazy';
import { lazyPromise } from '../../base/lazyPromise';
import { nextTurn } from '../../base/nextTurn';
import type { PolicyEngine } from '../../policy/engine/engine';
import type { Snapshot } from '../../workspace/workspace';
import { type AdmissionChains, createAdmissionChains } from './admissionChains';
import { type EvaluationContext, evaluateEnvironment } from './evaluateEnvironment';
import type { KnownMutations } from './knownMutations';
import { hasPolicies, noticeOfFailures, noticeWithoutEngine } from './notices';
import { policiesAside, withoutPoliciesAside } from './policiesAside';
import type {
  EvaluatedEnvironment,
  PolicyEvaluation,
  PolicyEvaluationWorld,
  PolicyJob,
  PolicyNews,
} from './policyEvaluation';
import { createLoadedPolicySets, hasSameItems, type LoadedPolicySets } from './policySets';
import { createResultReader, ENGINES } from './results';

/** Environments between two breaks for the event loop. */
const ENVIRONMENTS_AT_A_TIME = 8;

export function createPolicyEvaluation(
  engine: PolicyEngine,
  { onBug, onQuestion }: PolicyEvaluationWorld,
): PolicyEvaluation {
  const policySets = createLoadedPolicySets();
  const queue = createQueue();
  const chains = createAdmissionChains(engine, () => {
    // A running job answers the questions that come up meanwhile, or reports them at its end.
    if (queue.isIdle()) onQuestion();
  });
  /** Snapshots of fully evaluated environments, with the policy texts of that evaluation. */
  const evaluated = new WeakMap<Snapshot, PolicyJob['texts']>();
  /** Files of which it was asked whether answers are missing, and they were, by the id of the environment. */
  const waiting = new Map<string, Set<string>>();
  const failures = new Map<string, string>();
  /** What was not judged when each environment was evaluated last, by its id. */
  const aside = new Map<string, Set<string>>();
  const news = createNewsOfAnswers(policySets, chains);
  // Asked for each file whose problems are told, and for each evaluation.
  const judged = lazyByObject((environment: EvaluatedEnvironment) => withoutPoliciesAside(environment));
  /** A job with the policies that are asked. */
  const asked = <T extends Pick<PolicyJob, 'environments'>>(job: T): T => ({
    ...job,
    environments: job.environments.map(judged),
  });
  const reader = createResultReader(policySets);

  async function* evaluate(job: PolicyJob, isOvertaken: () => boolean): AsyncGenerator<PolicyNews, void, undefined> {
    failures.clear();
    const ids = new Set(job.environments.map(it => it.environment.id));
    policySets.keepOnly(ids);
    const context: EvaluationContext = {
      engine,
      policySets,
      chains,
      onBug,
      failures,
      isOvertaken,
      job,
      rests: lazyPromise(job.rests ?? (async () => true)),
      deferred: new Set(),
    };
    for (const [i, environment] of job.environments.entries()) {
      // Of environments without policies there may be thousands, and nothing else waits for them.
      if (i % ENVIRONMENTS_AT_A_TIME === ENVIRONMENTS_AT_A_TIME - 1) await nextTurn();
      const end = yield* evaluateEnvironment(context, judged(environment));
      if (end === 'overtaken') break;
      if (failures.size === 0) evaluated.set(environment.snapshot, job.texts);
      const { id } = environment.environment;
      const waited = [...(waiting.get(id) ?? [])];
      waiting.delete(id);
      // Whoever hears of news makes a new analysis, and there may be thousands of environments.
      if (news.isNew(environment) || waited.length > 0) yield { uris: waited, placements: 'same' };
      const [before, now] = [aside.get(id) ?? new Set<string>(), new Set(policiesAside(environment))];
      aside.set(id, now);
      const switched = [...now].filter(it => !before.has(it)).concat([...before].filter(it => !now.has(it)));
      if (switched.length > 0) yield { uris: switched, placements: 'same' };
    }
    for (const all of [aside, waiting]) for (const id of all.keys()) if (!ids.has(id)) all.delete(id);
    news.keepOnly(ids);
    if (context.deferred.size > 0) yield { uris: [...context.deferred], placements: 'same' };
    chains.keepOnly(ids);
  }

  return {
    async *run(job) {
      const turn = await queue.enter();
      try {
        if (!turn.isOvertaken()) yield* evaluate(job, turn.isOvertaken);
      } finally {
        turn.leave();
        if (queue.isIdle() && chains.hasQuestions()) onQuestion();
      }
    },
    ...reader,
    problemsOf: (environment, uri) => reader.problemsOf(judged(environment), uri),
    resultsOfText: (environment, uri) => reader.resultsOfText(judged(environment), uri),
    resultsIn: environment => reader.resultsIn(environment, () => withoutPoliciesAside(environment)),
    mutationsIn: environment => chains.answersFor(environment)?.current(),
    isPending(environment, uri, code) {
      if (!ENGINES.some(it => code.startsWith(`${it}/`))) return false;
      if (!engine.isBuilt()) return true;
      if (evaluated.has(environment.snapshot)) return false;
      const { id } = environment.environment;
      waiting.set(id, (waiting.get(id) ?? new Set<string>()).add(uri));
      return true;
    },
    hasPolicies: job =>
      hasPolicies(engine, asked(job)) || job.environments.some(it => chains.answersFor(it) !== undefined),
    isEvaluated: ({ snapshot }, texts) => evaluated.get(snapshot) === texts,
    notice: job =>
      (engine.isBuilt() ? undefined : noticeWithoutEngine(engine, asked(job))) ?? noticeOfFailures(failures),
  };
}

/** Whether an analysis that was made earlier knows the answers for an environment. */
interface NewsOfAnswers {
  /** Whether there are other policies or answers than when this was asked last, which is what an analysis keeps of them. */
  readonly isNew: (environment: EvaluatedEnvironment) => boolean;
  /** Forgets all other environments. */
  readonly keepOnly: (environments: ReadonlySet<string>) => void;
}

function createNewsOfAnswers(policySets: LoadedPolicySets, chains: AdmissionChains): NewsOfAnswers {
  const told = new Map<string, readonly unknown[]>();
  /** Environments share answers, which one new analysis makes known to all of them. */
  const toldMutations = new WeakSet<KnownMutations>();
  return {
    isNew(environment) {
      const { id } = environment.environment;
      const answers = chains.answersFor(environment);
      const before = told.get(id) ?? [];
      const now = [...policySets.of(environment, ENGINES), ...(answers ? [answers] : [])];
      const mutations = answers?.current();
      const isNew = !hasSameItems(before, now) || (mutations !== undefined && !toldMutations.has(mutations));
      if (now.length === 0) told.delete(id);
      else told.set(id, now);
      if (mutations !== undefined) toldMutations.add(mutations);
      return isNew;
    },
    keepOnly(environments) {
      for (const id of told.keys()) if (!environments.has(id)) told.delete(id);
    },
  };
}

/** A place in the queue of jobs. */
interface Turn {
  /** Whether a newer job has entered the queue. */
  readonly isOvertaken: () => boolean;
  readonly leave: () => void;
}

interface Queue {
  /** Resolves when the jobs that entered before have left. */
  readonly enter: () => Promise<Turn>;
  readonly isIdle: () => boolean;
}

function createQueue(): Queue {
  const state = { newest: 0, waiting: 0, last: Promise.resolve() };
  return {
    async enter() {
      state.newest += 1;
      state.waiting += 1;
      const number = state.newest;
      const previous = state.last;
      const turn = { end: (): void => undefined };
      state.last = new Promise(resolve => {
        turn.end = resolve;
      });
      await previous;
      return {
        isOvertaken: () => number !== state.newest,
        leave() {
          state.waiting -= 1;
          turn.end();
        },
      };
    },
    isIdle: () => state.waiting === 0,
  };
}

/** Whether a text may suppress problems of policies. Such suppressions can be checked for use only after all evaluation. */
export const mayReadPolicyCodes = (text: string): boolean =>
  text.includes('berth') && ENGINES.some(it => text.includes(`${it}/`));
