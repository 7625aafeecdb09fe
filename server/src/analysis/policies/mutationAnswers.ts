import type { JsonObject } from '../../base/json';
import { largest } from '../../base/manyItems';
import { nextTurn } from '../../base/nextTurn';
import { jsonText } from '../../base/printed';
import type { Steps } from '../../base/steps';
import type { AskPolicies, PolicyVerdict } from '../../cluster/admission/mutationAdmission';
import type { PolicyMutation } from '../../cluster/pods/policyMutation';
import type { Kube } from '../../kube/kube';
import type { Admission, JudgedObject } from '../../policy/admission/judged';
import { objectWithoutFile } from '../../policy/admission/unwritten';
import { layered, messageFields } from '../../rules/framework/layers';
import type { KnownMutations } from './knownMutations';

/**
 * Verdicts of policies about objects that are created. A simulation is synchronous, so that it notes questions
 * without an answer and goes on as if no policy changed or refused the object. A caller that can wait has the questions answered and
 * simulates again.
 */
export interface MutationAnswers {
  /** The same object until there are new answers. */
  readonly current: () => KnownMutations;
  /** Whether there are questions without an answer. */
  readonly hasQuestions: () => boolean;
  /**
   * Evaluates the policies for the noted questions. Resolves to whether the simulation must be repeated: where no policy
   * changes or refuses any of the objects it went on as it would again. Questions that are left when it is overtaken are
   * dropped: a simulation that still needs them asks again. Once policies had `most` results, of which a change counts as
   * many, they are asked no further question.
   */
  answer(isOvertaken?: () => boolean, most?: number): Promise<boolean>;
  /** Those of the same policies with another inventory: the answers that hold stay. */
  continuedBy(admission: Admission): MutationAnswers;
}

export interface AnswersWorld {
  /** The name of a policy's file for people. */
  readonly fileOf?: (uri: string) => string;
  /** Called for the first question without an answer. */
  readonly onQuestion?: () => void;
  /** Called when policies cannot be evaluated; they count as saying nothing then. Absent: `answer` rejects. */
  readonly failed?: (error: unknown) => void;
}

interface Answer {
  /** undefined: no policy changes or refuses the object. */
  readonly verdict: PolicyVerdict | undefined;
  /** As in JudgedObject. */
  readonly holds?: (() => boolean) | undefined;
  /** The policies were not asked. */
  readonly isLeftOut?: true;
}

/** By the text of the object in question. */
type Answers = ReadonlyMap<string, Answer>;

/** The number of objects that are evaluated at once; of objects with very many results they are fewer. */
const BATCH = 40;
const RESULTS_OF_A_BATCH = 2_000;

/** To make a change takes as long as so many results. */
const RESULTS_OF_A_CHANGE = 30;

/** Beyond this number, only answers that were used since the last `answer` are kept. */
const MOST_KEPT = 1_000;

/** Outside of `mutationAnswers`, as a function that is made there keeps the policies alive. */
const ignoreQuestion = (): void => undefined;

export function mutationAnswers(admission: Admission, kube: Kube, world: AnswersWorld = {}): MutationAnswers {
  return answersAfter(new Map(), admission, kube, world);
}

function answersAfter(earlier: Answers, admission: Admission, kube: Kube, world: AnswersWorld): MutationAnswers {
  const { fileOf = uri => uri, onQuestion = ignoreQuestion, failed } = world;
  const questions: Questions = {
    texts: new WeakMap(),
    open: new Map(),
    used: new Set(),
    onQuestion,
    answered: earlier,
  };
  const { open, used } = questions;
  let current = withAnswers(earlier, questions);
  return {
    current: () => current,
    hasQuestions: () => open.size > 0,
    async answer(isOvertaken = () => false, most = Number.POSITIVE_INFINITY) {
      if (open.size === 0) return false;
      const asked = [...open];
      const isKept = current.answers.size > MOST_KEPT ? (key: string) => used.has(key) : () => true;
      const answers = new Map([...current.answers].filter(([key]) => isKept(key)));
      try {
        let results = 0;
        let size = 1;
        for (let i = 0; i < asked.length && !isOvertaken(); ) {
          const batch = asked.slice(i, i + size);
          i += batch.length;
          if (results >= most) {
            for (const [key] of batch) answers.set(key, { verdict: undefined, isLeftOut: true });
            continue;
          }
          const admitted = await admission.admit(batch.map(([, it]) => objectWithoutFile(it, kube)));
          for (const [k, [key]] of batch.entries()) {
            const judged = admitted[k];
            answers.set(key, { verdict: judged && verdictOf(judged, fileOf), holds: judged?.holds });
          }
          const found = admitted.map(resultsOf);
          for (const it of found) results += it;
          size = Math.min(BATCH, Math.ceil(RESULTS_OF_A_BATCH / Math.max(1, largest(found))));
          await nextTurn();
        }
      } catch (error) {
        // A question that cannot be answered is not asked again.
        for (const [key] of asked) if (!answers.has(key)) answers.set(key, { verdict: undefined });
        if (failed === undefined) throw error;
        failed(error);
      } finally {
        for (const [key] of asked) open.delete(key);
        used.clear();
        questions.answered = answers;
        current = withAnswers(answers, questions);
      }
      return asked.some(([key]) => current.answers.get(key)?.verdict !== undefined);
    },
    continuedBy(continuing) {
      const holding = [...current.answers].filter(([, it]) => it.holds?.() !== false);
      return answersAfter(new Map(holding), continuing, kube, world);
    },
  };
}

/** Questions since the last `answer`. */
interface Questions {
  /** What was asked about, with its text: most objects are asked about again after each edit. */
  readonly texts: WeakMap<object, string>;
  /** Objects without an answer, by their text. */
  readonly open: Map<string, JsonObject>;
  /** Keys of all questions. */
  readonly used: Set<string>;
  readonly onQuestion: () => void;
  /** The newest answers. */
  answered: Answers;
}

/** A snapshot of the answers. Placements keep it for long, so that it holds no policies and no files. */
function withAnswers(answers: Answers, questions: Questions): KnownMutations & { readonly answers: Answers } {
  const { texts, open, used, onQuestion } = questions;
  return {
    answers,
    changing: new Map([...answers].flatMap(([key, { verdict }]) => (verdict === undefined ? [] : [[key, verdict]]))),
    leftOut: [...answers.values()].filter(it => it.isLeftOut).length,
    ask(object) {
      const key = texts.get(object) ?? jsonText(object);
      texts.set(object, key);
      used.add(key);
      // A placement that began with fewer answers may ask what was answered since.
      if (!answers.has(key) && !open.has(key) && !questions.answered.has(key)) {
        open.set(key, object as JsonObject);
        if (open.size === 1) onQuestion();
      }
      return answers.get(key)?.verdict;
    },
  };
}

/** How many results an object had, with what changed it. */
const resultsOf = ({ steps, results = 0 }: JudgedObject): number =>
  steps.reduce((sum, it) => sum + it.results.length + it.mutations.length * RESULTS_OF_A_CHANGE, results);

function verdictOf(
  { value, steps, isRefused, denied }: JudgedObject,
  fileOf: (uri: string) => string,
): PolicyVerdict | undefined {
  if (isRefused) {
    const failures = steps.flatMap(it => it.results.filter(({ severity }) => severity === 'error'));
    return { rejected: failures.map(it => messageFields(layered(it.message, it.detail ?? '')).message).join('; ') };
  }
  const by = steps
    .flatMap(it => it.mutations)
    .filter(it => it.changes.length > 0 && it.affectedObject === undefined)
    .map(
      ({ kind, policy, source, changes, isAgain }): PolicyMutation => ({
        kind,
        policy,
        ...(source && { file: fileOf(source.manifest.uri) }),
        ...(isAgain && { isAgain }),
        changes: changes.map(({ at, before, after }) => ({
          path: at.toString(),
          ...(before !== undefined && { before }),
          ...(after !== undefined && { after }),
        })),
      }),
    );
  if (denied !== undefined) return { object: value, by, denied };
  return by.length === 0 ? undefined : { object: value, by };
}

/** Repeats some work until no answer changes what it was given. Absent answers: there are no policies. */
export async function withMutationAnswers<T>(
  answers: MutationAnswers | undefined,
  work: (askPolicies: AskPolicies | undefined) => T | Promise<T>,
): Promise<T> {
  for (;;) {
    const result = await work(answers?.current().ask);
    if (answers === undefined || !(await answers.answer())) return result;
  }
}

/** Steps of background work between two breaks for the event loop. */
const STEPS_AT_A_TIME = 8;

/** No more results of policies are computed for the placements of an environment in one go: each takes some 5 µs. */
const MOST_RESULTS = 200_000;

/** The same in the background: `ask` runs in steps with breaks for the event loop, until the job is overtaken. */
export async function answerInBackground(
  answers: MutationAnswers,
  ask: (mutations: KnownMutations) => Steps<undefined>,
  isOvertaken: () => boolean,
): Promise<void> {
  do {
    const steps = ask(answers.current());
    for (let count = 1; !steps.next().done && !isOvertaken(); count += 1) {
      if (count % STEPS_AT_A_TIME === 0) await nextTurn();
    }
  } while (!isOvertaken() && (await answers.answer(isOvertaken, MOST_RESULTS)));
}
