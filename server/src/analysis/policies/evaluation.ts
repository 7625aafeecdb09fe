import type { ManifestFile } from '../../manifest/manifest';
import type { PolicyEngine } from '../../policy/engine/engine';
import type { Snapshot } from '../../workspace/workspace';
import { createAdmissionChains } from './admissionChains';
import { anyPolicies, type Evaluating, evaluateEnvironment, noticeOfUnanswered, noticeOfUnasked } from './evaluate';
import type { PolicyEvaluation, PolicyEvaluationWorld, PolicyJob } from './job';
import { createLoadedPolicySets } from './policySets';
import { createReading, ENGINES } from './results';

export function createPolicyEvaluation(
  engine: PolicyEngine,
  { onBug, onOpen }: PolicyEvaluationWorld,
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
  const judging: Evaluating = { engine, standings, chains, onBug, unanswered, isOvertaken };

  async function drain(): Promise<void> {
    while (state.wanted !== undefined) {
      const job = { ...state.wanted, untold: new Set<string>() };
      state.wanted = undefined;
      unanswered.clear();
      const environments = new Set(job.scenes.map(it => it.environment.id));
      standings.keepOnly(environments);
      for (const scene of job.scenes) {
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
        if (chains.isOpen()) onOpen();
      });
      return state.running;
    },
    ...createReading(standings),
    policiesIn: scene => chains.answersFor(scene)?.now(),
    isOpen: (scene, code) =>
      ENGINES.some(it => code.startsWith(`${it}/`)) && (!engine.isBuilt() || !judged.has(scene.snapshot)),
    hasPolicies: job => anyPolicies(engine, job) || job.scenes.some(it => chains.answersFor(it) !== undefined),
    isJudged: ({ snapshot }, texts) => judged.get(snapshot) === texts,
    notice: job => (engine.isBuilt() ? undefined : noticeOfUnasked(engine, job)) ?? noticeOfUnanswered(unanswered),
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
