import {
  answerPart,
  type Expander,
  OFFERED,
  type OfferedPart,
  type PartAnswer,
  TAKEN,
} from '../../server/src/explore/core/ahead';
import type { ExpandedPart, StatesPart } from '../../server/src/explore/core/part';

/**
 * An expander in this thread that gets plain data, as one in a thread of its own does. `answer`: it is quicker than the
 * search. `end early`: it takes each part and never answers. `late`: it takes no part.
 */
export function expanderHere(
  expand: (part: StatesPart) => ExpandedPart,
  how: 'answer' | 'end early' | 'late' = 'answer',
): Expander {
  const answers: PartAnswer[] = [];
  return {
    offer({ state, ...part }: OfferedPart) {
      if (how === 'end early') Atomics.compareExchange(state, 0, OFFERED, TAKEN);
      if (how === 'answer')
        answerPart({ ...structuredClone(part), state }, expand, it => answers.push(structuredClone(it)));
    },
    receive: () => answers.shift(),
    end: () => undefined,
  };
}
