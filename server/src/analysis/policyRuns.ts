import type { Turns } from '../cluster/turns';
import type { Kube } from '../kube/kube';
import type { ManifestFile } from '../manifest/manifest';
import type { ConfiguredConftest } from '../policy/conftest/folders';
import type { PolicyEngine } from '../policy/engine/engine';
import type { MutationPreview } from '../policy/mutation';
import type { PolicyResult } from '../policy/result';
import type { Problem } from '../rules/problem';
import type { Snapshot, WorkspaceObject } from '../workspace/workspace';
import { createAdmissionChains } from './admissionChains';
import type { KnownPolicies } from './knownPolicies';
import {
  anyPolicies,
  type Judging,
  judgeScene,
  noticeOfUnanswered,
  noticeOfUnasked,
  type PolicyNotice,
} from './policyJudging';
import { createReading, ENGINES } from './policyReading';
import { createStandings } from './policyStandings';

/** An environment as far as policies look at it. */
export interface JudgedScene {
  readonly kube: Kube;
  readonly snapshot: Snapshot;
  readonly environment: { readonly id: string; readonly conftest?: ConfiguredConftest };
  /** Is one and the same for environments in which an object is the same. */
  readonly cache: object;
}

/** As much of it as a question about what is known needs. */
export type SeenScene = Pick<JudgedScene, 'snapshot' | 'environment'>;

/** What a policy says of all objects; undefined for an object that is no policy which was asked. */
export type KnownResults = (policy: WorkspaceObject) => readonly PolicyResult[] | undefined;

/** What shall be judged: all environments of one moment, and the texts that are no manifests. */
export interface PolicyJob {
  readonly scenes: readonly JudgedScene[];
  readonly texts: ReadonlyMap<string, string>;
  /** Files that a person looks at; their objects are judged first. */
  readonly first: readonly string[];
  /** Hears of the files whose problems may be others now. */
  readonly told: (uris: readonly string[]) => void;
  /** Asks, turn by turn, what the placements of an environment want to know of mutating policies. */
  readonly reading: (scene: JudgedScene, policies: KnownPolicies) => Turns<undefined>;
  /** Is told when the placements of environments may be others now. */
  readonly placed: () => void;
}

/**
 * The answers of policies that an engine evaluates: asked for in the background, kept by object, given out as they are
 * known. Nothing waits for them but `run`.
 */
export interface PolicyRuns {
  /** Resolves when everything of this job, or of a later one, is judged. */
  run(job: PolicyJob): Promise<void>;
  /** Problems of a file as far as they are known. */
  problemsOf(scene: JudgedScene, uri: string): readonly Problem[];
  /** Whether what an engine says of this moment is not wholly known; a code tells the engine. */
  isOpen(scene: JudgedScene, code: string): boolean;
  /** Whether all policies have been asked about an environment as it is now. */
  isJudged(scene: SeenScene, texts: PolicyJob['texts']): boolean;
  /** Problems of a file that is no manifest. */
  problemsOfText(uri: string): readonly Problem[];
  mutationsOf(scene: JudgedScene, object: WorkspaceObject): readonly MutationPreview[];
  /** What each policy says of all objects, as far as it is known now. */
  knownIn(scene: SeenScene): KnownResults;
  /** What the rules of a file of Rego say of all objects, as far as it is known now. */
  knownOfText(scene: SeenScene, uri: string): readonly PolicyResult[];
  /** What is known of the mutating policies of an environment; undefined where there are none, or none were asked. */
  policiesIn(scene: Pick<JudgedScene, 'environment'>): KnownPolicies | undefined;
  /** Whether there are policies, mutating ones of a judged moment among them. */
  hasPolicies(job: Pick<PolicyJob, 'scenes' | 'texts'>): boolean;
  /** A sentence for who has policies that were not evaluated. */
  notice(job: Pick<PolicyJob, 'scenes' | 'texts'>): PolicyNotice | undefined;
}

export interface PolicyRunsWorld {
  readonly onBug: (code: string, error: unknown) => void;
  /** Is told of a placement that wants to know what `run` would find out. */
  readonly onOpen: () => void;
}

export function createPolicyRuns(engine: PolicyEngine, { onBug, onOpen }: PolicyRunsWorld): PolicyRuns {
  const standings = createStandings();
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
  const judging: Judging = { engine, standings, chains, onBug, unanswered, isOvertaken };

  async function drain(): Promise<void> {
    while (state.wanted !== undefined) {
      const job = { ...state.wanted, untold: new Set<string>() };
      state.wanted = undefined;
      unanswered.clear();
      const environments = new Set(job.scenes.map(it => it.environment.id));
      standings.keepOnly(environments);
      for (const scene of job.scenes) {
        if ((await judgeScene(judging, scene, job)) === 'overtaken') break;
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
