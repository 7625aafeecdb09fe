import type { Turns } from '../cluster/turns';
import type { Kube } from '../kube/kube';
import { lazy } from '../manifest/lazy';
import { type AdmissionChain, withoutMutation } from '../policy/admission/chain';
import type { ConfiguredConftest } from '../policy/conftest/folders';
import type { PolicyEngine } from '../policy/engine/engine';
import type { MutationPreview } from '../policy/mutation';
import type { PolicyCheck, PolicySet } from '../policy/policySet';
import { type PolicyPlace, type PolicyResult, policyProblem } from '../policy/result';
import { POLICY_SETS, type PolicyScene, type PolicySetMaker } from '../policy/sets';
import type { Problem } from '../rules/problem';
import { grouped } from '../workspace/grouped';
import type { Snapshot, WorkspaceObject } from '../workspace/workspace';
import { createAdmissionChains } from './admissionChains';
import type { KnownPolicies } from './knownPolicies';
import { answering, type PolicyAnswers } from './policyAnswers';
import {
  createStandings,
  hasSameParts,
  isAlike,
  type KnownAnswers,
  type Standing,
  type Standings,
} from './policyStandings';

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
  /** Problems of a file that is no manifest. */
  problemsOfText(uri: string): readonly Problem[];
  mutationsOf(scene: JudgedScene, object: WorkspaceObject): readonly MutationPreview[];
  /** What each policy says of all objects, as far as it is known now. */
  knownIn(scene: SeenScene): KnownResults;
  /** What the rules of a file of Rego say of all objects, as far as it is known now. */
  knownOfText(scene: SeenScene, uri: string): readonly PolicyResult[];
  /** What is known of the mutating policies of an environment; undefined where there are none, or none were asked. */
  policiesIn(scene: Pick<JudgedScene, 'environment'>): KnownPolicies | undefined;
  /** A sentence for who has policies and no engine. */
  notice(job: Pick<PolicyJob, 'scenes' | 'texts'>): string | undefined;
}

const BATCH = 40;

const ENGINES = POLICY_SETS.map(it => it.name);

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
  /** Without an engine only those are asked that need none. */
  const askable = (set: PolicySet | undefined): PolicySet | undefined =>
    engine.isBuilt() || needingEngine(set).length === 0 ? set : undefined;

  /** Of each environment the snapshot of which everything is known. */
  const judged = new Map<string, Snapshot>();
  const isOvertaken = (): boolean => state.wanted !== undefined;

  async function drain(): Promise<void> {
    while (state.wanted !== undefined) {
      const job = state.wanted;
      state.wanted = undefined;
      const environments = new Set(job.scenes.map(it => it.environment.id));
      standings.keepOnly(environments);
      for (const it of judged.keys()) if (!environments.has(it)) judged.delete(it);
      for (const scene of job.scenes) {
        const before = chains.answersFor(scene);
        const chain = chainFor(scene);
        for (const make of POLICY_SETS) await judge({ ...scene, chain }, make, job);
        if (isOvertaken()) break;
        const answers = chains.answersFor(scene);
        const isNews = await answered(scene, answers, job);
        if (isNews || answers !== before) {
          job.placed();
          job.told([...scene.snapshot.files.keys()]);
        }
        judged.set(scene.environment.id, scene.snapshot);
        job.told([...scene.snapshot.files.values()].filter(it => mayReadPolicyCodes(it.text)).map(it => it.uri));
      }
      chains.keepOnly(environments);
    }
  }

  /** Resolves to whether more is known of mutating policies. */
  async function answered(scene: JudgedScene, answers: PolicyAnswers | undefined, job: PolicyJob): Promise<boolean> {
    try {
      return answers !== undefined && (await answering(answers, it => job.reading(scene, it), isOvertaken));
    } catch (error) {
      onBug('policy/mutating', error);
      return false;
    }
  }

  function chainFor(scene: JudgedScene): AdmissionChain {
    try {
      return chains.of(scene);
    } catch (error) {
      onBug('policy/mutating', error);
      return withoutMutation(scene.kube);
    }
  }

  async function judge(scene: JudgedScene & PolicyScene, make: PolicySetMaker, job: PolicyJob): Promise<void> {
    let standing: Standing | undefined;
    try {
      const set = askable(make(scene, job.texts, engine));
      standing = await standingFor(standings, scene, make.name, set, job);
      if (set !== undefined && standing !== undefined) await askInTurn(standing, set.objects, job, isOvertaken);
    } catch (error) {
      onBug(`policy/${make.name}`, error);
    } finally {
      if (standing !== undefined) standings.settle(standing);
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
      ENGINES.some(it => code.startsWith(`${it}/`)) &&
      (!engine.isBuilt() || judged.get(scene.environment.id) !== scene.snapshot),
    notice({ scenes, texts }) {
      if (engine.isBuilt()) return undefined;
      const sets = scenes.flatMap(scene => {
        const unasked = { ...scene, chain: withoutMutation(scene.kube) };
        return POLICY_SETS.flatMap(make => needingEngine(make(unasked, texts, engine)));
      });
      if (sets.length === 0) return undefined;
      return `The policies here (${[...new Set(sets)].join(', ')}) are not evaluated: this build has no policy engine. Build it with Go 1.26 or newer: npm run build.`;
    },
  };
}

/** The standing of policies that say the same as before goes on. */
async function standingFor(
  standings: Standings,
  scene: JudgedScene,
  name: string,
  set: PolicySet | undefined,
  job: PolicyJob,
): Promise<Standing | undefined> {
  const known = standings.find(scene, name);
  if (known !== undefined && set !== undefined) {
    if (isAlike(known, set, scene.cache)) return known;
    const shared = standings.alike(scene.cache, name, set);
    const next = shared === undefined ? await continued(known, set, scene.cache) : undefined;
    if (next !== undefined) return standings.put(scene, name, next.set, next);
  }
  if (known !== undefined) job.told(urisOf(known.checked));
  if (set !== undefined) return standings.put(scene, name, set);
  standings.drop(scene, name);
  if (known !== undefined) job.told(job.scenes.flatMap(it => [...it.snapshot.files.keys()]));
  return undefined;
}

/** The same policies among other objects, with the answers that still hold. */
async function continued(
  known: Standing,
  set: PolicySet,
  ground: object,
): Promise<(KnownAnswers & { readonly set: PolicySet }) | undefined> {
  const next = hasSameParts(known, set, ground) ? await known.set.goOn?.(set) : undefined;
  if (next === undefined) return undefined;
  const answers: Standing['answers'] = new WeakMap();
  for (const it of next.set.objects) {
    const { contentId } = it.manifest;
    const answer = known.answers.get(contentId);
    if (answer !== undefined && next.holds(it)) answers.set(contentId, answer);
  }
  return { set: next.set, checked: known.checked, answers };
}

/** What a person looks at comes first, then the policies themselves, then the rest. */
async function askInTurn(
  standing: Standing,
  objects: readonly WorkspaceObject[],
  job: PolicyJob,
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
  { set, answers }: Standing,
  objects: readonly WorkspaceObject[],
  job: PolicyJob,
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

type Reading = Pick<PolicyRuns, 'problemsOf' | 'problemsOfText' | 'mutationsOf' | 'knownIn' | 'knownOfText'>;

/** Gives out what is known. */
function createReading(standings: Standings): Reading {
  const standingsOf = (scene: SeenScene): readonly Standing[] => standings.of(scene, ENGINES);
  const ofChecks = new WeakMap<PolicyCheck, ReturnType<typeof resultsByFile>>();
  const checkedIn = ({ checked }: Standing, uri: string): readonly PolicyResult[] => {
    if (checked === undefined) return [];
    const byFile = ofChecks.get(checked) ?? resultsByFile(checked);
    ofChecks.set(checked, byFile);
    return byFile.get(uri) ?? [];
  };
  return {
    problemsOf(scene, uri) {
      const textOf = (of: string): string | undefined => scene.snapshot.files.get(of)?.text;
      const results = standingsOf(scene).flatMap(it => resultsIn(it, checkedIn(it, uri), scene.snapshot, uri));
      return results.flatMap(it => policyProblem(it, textOf) ?? []);
    },
    problemsOfText(uri) {
      const told = standings
        .all()
        .flatMap(it => [...(it.checked?.inFiles ?? []), ...it.set.late().inFiles])
        .filter(it => it.uri === uri);
      const different = new Map(told.map(it => [JSON.stringify(it), it]));
      return [...different.values()].map((it): Problem => ({ ...it, category: 'policy', related: [], fixes: [] }));
    },
    mutationsOf: (scene, object) =>
      standingsOf(scene).flatMap(it => it.answers.get(object.manifest.contentId)?.mutations ?? []),
    knownOfText(scene, uri) {
      const told = resultsBy(standingsOf(scene), scene.snapshot, it => it.sourceText?.uri).get(uri) ?? [];
      return told.map(([it, object]) => movedTo(it, object, scene.snapshot));
    },
    knownIn(scene) {
      const asked = standingsOf(scene);
      const byPolicy = lazy(() => resultsBy(asked, scene.snapshot, it => it.source?.object.manifest.contentId));
      return ({ manifest: { contentId } }) => {
        if (!asked.some(it => it.set.parts.includes(contentId))) return undefined;
        return (byPolicy().get(contentId) ?? []).map(([it, object]) => movedTo(it, object, scene.snapshot));
      };
    },
  };
}

const fileOf = ({ place }: PolicyResult): string => place.object.manifest.uri;

const resultsByFile = ({ results }: PolicyCheck) => grouped(results, fileOf);

/** What policies say of the objects of a file, and of those in it that are policies themselves. */
function resultsIn(
  { set, answers }: Standing,
  checked: readonly PolicyResult[],
  snapshot: Snapshot,
  uri: string,
): readonly PolicyResult[] {
  const ofObjects = snapshot
    .objectsIn(uri)
    .flatMap(object =>
      (answers.get(object.manifest.contentId)?.results ?? []).map(it => movedTo(it, object, snapshot)),
    );
  const late = set.late().results.filter(it => fileOf(it) === uri);
  const ofPolicies = [...checked, ...late].flatMap(it => {
    const object = currentOf(it.place.object, snapshot);
    return object === undefined ? [] : [movedTo(it, object, snapshot)];
  });
  return [...ofObjects, ...ofPolicies];
}

type Told = readonly [result: PolicyResult, object: WorkspaceObject];

/** Each result with its object as it stands now, by what the result comes from. */
function resultsBy<Source>(
  standings: readonly Standing[],
  snapshot: Snapshot,
  sourceOf: (result: PolicyResult) => Source | undefined,
): ReadonlyMap<Source, readonly Told[]> {
  const res = new Map<Source, Told[]>();
  const objects = [...snapshot.files.keys()].flatMap(uri => snapshot.objectsIn(uri));
  for (const { answers } of standings) {
    for (const object of objects) {
      for (const result of answers.get(object.manifest.contentId)?.results ?? []) {
        const source = sourceOf(result);
        if (source === undefined) continue;
        const told = res.get(source);
        if (told === undefined) res.set(source, [[result, object]]);
        else told.push([result, object]);
      }
    }
  }
  return res;
}

/** The names of policies that cannot be evaluated without the engine. */
const needingEngine = (set: PolicySet | undefined): readonly string[] =>
  set === undefined || set.needsEngine === false ? [] : [set.engine];

const urisOf = (check: PolicyCheck | undefined): readonly string[] => [
  ...new Set([
    ...(check?.results ?? []).map(it => it.place.object.manifest.uri),
    ...(check?.inFiles ?? []).map(it => it.uri),
  ]),
];

const sizeOf = ({ results, inFiles }: PolicyCheck): number => results.length + inFiles.length;

/** Whether a text may silence what only policies report: whether that is of use is known last. */
export const mayReadPolicyCodes = (text: string): boolean =>
  text.includes('berth') && ENGINES.some(it => text.includes(`${it}/`));

/** The result at the places where its objects stand now: their text may have moved since they were judged. */
function movedTo(result: PolicyResult, object: WorkspaceObject, snapshot: Snapshot): PolicyResult {
  const { source, ...rest } = result;
  const moved = { ...rest, place: { ...result.place, object } };
  const now = source && currentOf(source.object, snapshot);
  return now === undefined ? moved : { ...moved, source: { ...(source as PolicyPlace), object: now } };
}

function currentOf(object: WorkspaceObject, snapshot: Snapshot): WorkspaceObject | undefined {
  const { uri, contentId } = object.manifest;
  return snapshot.objectsIn(uri).find(it => it.manifest.contentId === contentId);
}
