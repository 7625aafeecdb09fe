import type { ManifestFile } from '../../manifest/manifest';
import type { PolicyEngine } from '../../policy/engine/engine';
import type { Snapshot } from '../../workspace/workspace';
import { createAdmissionChains } from './admissionChains';
import {
  anyPolicies,
  type EvaluationContext,
  evaluateEnvironment,
  noticeOfFailures,
  noticeWithoutEngine,
} from './evaluateEnvironment';
import type { PolicyEvaluation, PolicyEvaluationWorld, PolicyJob } from './policyEvaluation';
import { createLoadedPolicySets } from './policySets';
import { createResultReader, ENGINES } from './results';

export function createPolicyEvaluation(
  engine: PolicyEngine,
  { onBug, onQuestion: onOpen }: PolicyEvaluationWorld,
): PolicyEvaluation {
  const standings = createLoadedPolicySets();
  const state: { wanted: PolicyJob | undefined; running: Promise<void> | undefined } = {
    wanted: undefined,
    running: undefined,
  };
  const chains = createAdmissionChains(engine, () => {
    // What is asked while policies are asked is answered then, or told of at the end.
    if (state.running === undefined) onOpen();
  });
  /** Snapshots of environments of which everything is known, with the texts that were asked then. */
  const judged = new WeakMap<Snapshot, PolicyJob['texts']>();
  const silencesPolicies = byFile(it => mayReadPolicyCodes(it.text));
  const unanswered = new Map<string, string>();
  const isOvertaken = (): boolean => state.wanted !== undefined;
  const judging: EvaluationContext = { engine, standings, chains, onBug, unanswered, isOvertaken };

  async function drain(): Promise<void> {
    while (state.wanted !== undefined) {
      const job = { ...state.wanted, untold: new Set<string>() };
      state.wanted = undefined;
      unanswered.clear();
      const environments = new Set(job.environments.map(it => it.environment.id));
      standings.keepOnly(environments);
      for (const scene of job.environments) {
        if ((await evaluateEnvironment(judging, scene, job)) === 'overtaken') break;
        if (unanswered.size === 0) judged.set(scene.snapshot, job.texts);
        job.told([...scene.snapshot.files.values()].filter(silencesPolicies).map(it => it.uri));
      }
      if (job.untold.size > 0) job.told([...job.untold]);
      chains.keepOnly(environments);
    }
  }

  return {
    run(job) {
      state.wanted = job;
      state.running ??= drain().finally(() => {
        state.running = undefined;
        if (chains.hasQuestions()) onOpen();
      });
      return state.running;
    },
    ...createResultReader(standings),
    mutationsIn: scene => chains.answersFor(scene)?.current(),
    isPending: (scene, code) =>
      ENGINES.some(it => code.startsWith(`${it}/`)) && (!engine.isBuilt() || !judged.has(scene.snapshot)),
    hasPolicies: job => anyPolicies(engine, job) || job.environments.some(it => chains.answersFor(it) !== undefined),
    isEvaluated: ({ snapshot }, texts) => judged.get(snapshot) === texts,
    notice: job => (engine.isBuilt() ? undefined : noticeWithoutEngine(engine, job)) ?? noticeOfFailures(unanswered),
  };
}

/** An answer about a file that is worked out once, as every judgement asks it of all files. */
function byFile(answer: (file: ManifestFile) => boolean): (file: ManifestFile) => boolean {
  const known = new WeakMap<ManifestFile, boolean>();
  return file => {
    const found = known.get(file) ?? answer(file);
    known.set(file, found);
    return found;
  };
}

/** Whether a text may silence what only policies report: whether that is of use is known last. */
export const mayReadPolicyCodes = (text: string): boolean =>
  text.includes('berth') && ENGINES.some(it => text.includes(`${it}/`));
