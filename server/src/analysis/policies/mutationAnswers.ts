import type { JsonObject } from '../../base/json';
import { jsonText } from '../../base/printed';
import type { Steps } from '../../base/steps';
import type { AskPolicies, PolicyVerdict } from '../../cluster/admission/mutationAdmission';
import type { PolicyMutation } from '../../cluster/pods/policyMutation';
import type { Kube } from '../../kube/kube';
import type { AdmissionChain, AdmittedObject } from '../../policy/admission/chain';
import { unwritten } from '../../policy/admission/unwritten';
import type { KnownMutations } from './knownMutations';
import { validVerdict } from './validVerdict';

/**
 * What mutating policies make of objects that are created, as far as it is known: a placement asks and goes on without what
 * is not known, and somebody who can wait has the policies asked, so that the next placement knows.
 */
export interface MutationAnswers {
  /** The very same value until more is known. */
  readonly current: () => KnownMutations;
  /** Whether something was asked that nobody has answered. */
  readonly hasQuestions: () => boolean;
  /**
   * Has the policies asked about what was noted. Resolves to whether anything was. What is left when it is overtaken is
   * forgotten: whoever still wants to know it asks again.
   */
  answer(isOvertaken?: () => boolean): Promise<boolean>;
}

export interface AnswersWorld {
  /** How the file of a policy is told to people. */
  readonly fileOf?: (uri: string) => string;
  /** Is told of the first question that nobody has answered. */
  readonly onQuestion?: () => void;
  /** Is told why policies cannot be asked, and all goes on as if they changed nothing; absent: `answer` rejects. */
  readonly failed?: (error: unknown) => void;
}

/** By the text of what was asked; undefined: nothing changes it. */
type Answers = ReadonlyMap<string, PolicyVerdict | undefined>;

/** Objects asked about at once. */
const BATCH = 40;

/** Beyond so many answers only those are kept that somebody has asked for since the last answering. */
const MOST_KEPT = 1_000;

const nobodyHears = (): void => undefined;

export function mutationAnswers(
  chain: AdmissionChain,
  kube: Kube,
  { fileOf = uri => uri, onQuestion: onOpen = nobodyHears, failed }: AnswersWorld = {},
): MutationAnswers {
  const asked: Asked = { open: new Map(), used: new Set(), onOpen };
  const { open, used } = asked;
  let current = knowing(new Map(), asked);
  return {
    current: () => current,
    hasQuestions: () => open.size > 0,
    async answer(isOvertaken = () => false) {
      if (open.size === 0) return false;
      const questions = [...open];
      const isKept = current.known.size > MOST_KEPT ? (key: string) => used.has(key) : () => true;
      const known = new Map([...current.known].filter(([key]) => isKept(key)));
      try {
        for (let i = 0; i < questions.length && !isOvertaken(); i += BATCH) {
          const batch = questions.slice(i, i + BATCH);
          const admitted = await chain.admitted(batch.map(([, it]) => unwritten(it, kube)));
          for (const [k, [key, it]] of batch.entries()) {
            known.set(key, admitted[k] && validVerdict(it, verdictOf(admitted[k], fileOf), kube));
          }
        }
      } catch (error) {
        // What cannot be answered is not asked again and again.
        for (const [key] of questions) if (!known.has(key)) known.set(key, undefined);
        if (failed === undefined) throw error;
        failed(error);
      } finally {
        for (const [key] of questions) open.delete(key);
        used.clear();
        current = knowing(known, asked);
      }
      return true;
    },
  };
}

/** What was asked since the last answering. */
interface Asked {
  readonly open: Map<string, JsonObject>;
  readonly used: Set<string>;
  readonly onOpen: () => void;
}

/** What is known at one state. Placements keep it beside what they made with it, so that it holds no policies and no files. */
function knowing(known: Answers, { open, used, onOpen }: Asked): KnownMutations & { readonly known: Answers } {
  return {
    known,
    changing: new Map([...known].flatMap(([key, it]) => (it === undefined ? [] : [[key, it]]))),
    ask(object) {
      const key = jsonText(object);
      used.add(key);
      if (!known.has(key) && !open.has(key)) {
        open.set(key, object as JsonObject);
        if (open.size === 1) onOpen();
      }
      return known.get(key);
    },
  };
}

function verdictOf({ value, steps, isRefused }: AdmittedObject, fileOf: (uri: string) => string) {
  if (isRefused) {
    const failures = steps.flatMap(it => it.results.filter(({ severity }) => severity === 'error'));
    return { rejected: failures.map(it => it.message).join('; ') };
  }
  const by = steps
    .flatMap(it => it.mutations)
    .filter(it => it.changes.length > 0 && it.other === undefined)
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
  return by.length === 0 ? undefined : { object: value, by };
}

/** Works something out until it asks for nothing that is not known. Without answers there are no policies. */
export async function withMutationAnswers<T>(
  answers: MutationAnswers | undefined,
  work: (askPolicies: AskPolicies | undefined) => T,
): Promise<T> {
  for (;;) {
    const worked = work(answers?.current().ask);
    if (answers === undefined || !(await answers.answer())) return worked;
  }
}

/** Background work holds the loop for no more turns than these. */
const TURNS_AT_A_TIME = 8;

/**
 * The same in the background: `reading` asks in turns, between which others have theirs, and ends early when it is overtaken.
 * Resolves to whether more is known.
 */
export async function answerInBackground(
  answers: MutationAnswers,
  reading: (policies: KnownMutations) => Steps<undefined>,
  isOvertaken: () => boolean,
): Promise<boolean> {
  const before = answers.current();
  do {
    const turns = reading(answers.current());
    for (let count = 1; !turns.next().done && !isOvertaken(); count += 1) {
      if (count % TURNS_AT_A_TIME === 0) await new Promise(resolve => setTimeout(resolve));
    }
  } while (!isOvertaken() && (await answers.answer(isOvertaken)));
  return answers.current() !== before;
}
