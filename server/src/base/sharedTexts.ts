/** Longer texts are seldom alike, and a few of them would fill the memory. */
export const LONGEST_SHARED_TEXT = 8_000;
const MOST_TEXTS = 256;
/** Of how many objects one is compared, once `MOST_TEXTS` texts in a row were all unlike. */
const ONE_OF = 8;

/** What is the same for all objects that share a text, as one without names. Only the latest texts are kept. */
export interface SharedTexts<Answer> {
  /** Whether a text should be made for the next object: of objects that are all unlike, only a few are compared. */
  readonly isWorthIt: () => boolean;
  readonly get: (text: string) => Answer | undefined;
  readonly set: (text: string, answer: Answer) => void;
}

export function createSharedTexts<Answer>(): SharedTexts<Answer> {
  const answers = new Map<string, Answer>();
  // How many objects there were, and how many texts were compared, since two were last alike.
  const since = { objects: 0, texts: 0 };
  return {
    isWorthIt() {
      since.objects += 1;
      return since.texts < MOST_TEXTS || since.objects % ONE_OF === 0;
    },
    get(text) {
      since.texts += 1;
      const answer = answers.get(text);
      if (answer !== undefined) Object.assign(since, { objects: 0, texts: 0 });
      return answer;
    },
    set(text, answer) {
      answers.set(text, answer);
      const [first] = answers.size > MOST_TEXTS ? answers.keys() : [];
      if (first !== undefined) answers.delete(first);
    },
  };
}
