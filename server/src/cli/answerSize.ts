import type { ScenarioPlacement } from '../analysis/scenario';
import { shortened } from '../base/shortened';

/** So many verdicts of nodes a JSON answer holds: each takes some 400 bytes of text and 1 KB of memory. */
export const MOST_VERDICTS = 400_000;

/** The same where the time was over: each verdict is computed when it is printed, some 100,000 a second. */
export const MOST_LATE_VERDICTS = 100_000;

/** So many characters the attempts take before those that follow are told without verdicts and ties. */
const MOST_CHARACTERS = 128_000_000;

/** So many nodes of ties it holds, some 10 bytes each. */
const MOST_TIED = 5_000_000;

/** So many Pods are told with their nodes in the JSON of tests, some 40 bytes each. */
export const MOST_PLACEMENTS = 400_000;

type Attempts = ScenarioPlacement['attempts'];

interface Bounded {
  readonly attempts: Attempts;
  /** The number of attempts without their verdicts on nodes. */
  readonly without: number;
  /** The number of attempts without their tied nodes. */
  readonly withoutTies: number;
}

/** The attempts. The first ones have their verdicts on nodes and their tied nodes, up to the limits. */
export function boundedAttempts(
  attempts: Attempts,
  nodeCount: number,
  most: number = MOST_VERDICTS,
  mostTied: number = MOST_TIED,
): Bounded {
  const telling = Math.max(1, Math.floor(most / Math.max(1, nodeCount)));
  let tied = 0;
  let withoutTies = 0;
  const bounded = attempts.map((it, i) => {
    tied += it.tiedNodes?.length ?? 0;
    const tellsTies = it.tiedNodes === undefined || tied <= mostTied;
    if (!tellsTies) withoutTies += 1;
    if (i < telling && tellsTies) return it;
    return withoutKeys(it, [
      ...(i < telling ? [] : (['nodes'] as const)),
      ...(tellsTies ? [] : (['tiedNodes'] as const)),
    ]);
  });
  return { attempts: bounded, without: Math.max(0, attempts.length - telling), withoutTies };
}

/** Verdicts that are read of a copy are kept with the copy alone. */
export const copied = (attempt: Attempts[number]): Attempts[number] =>
  Object.defineProperties({}, Object.getOwnPropertyDescriptors(attempt)) as Attempts[number];

export const withoutVerdicts = (attempt: Attempts[number]): Attempts[number] => withoutKeys(attempt, ['nodes']);

/** The size of attempts that are printed one after the other. */
export interface SizeLimit {
  /** Counts what was printed. */
  readonly add: (text: string) => void;
  /** The next attempt; without its verdicts and its tied nodes once those before took too much. */
  readonly within: (attempt: Attempts[number]) => Attempts[number];
  /** The numbers of attempts without what they had. */
  readonly left: () => { readonly nodes: number; readonly tiedNodes: number };
}

export function sizeLimit(most: number = MOST_CHARACTERS): SizeLimit {
  let [characters, nodes, tiedNodes] = [0, 0, 0];
  return {
    add: text => {
      characters += text.length;
    },
    within(attempt) {
      if (characters <= most) return attempt;
      if ('nodes' in attempt) nodes += 1;
      if (attempt.tiedNodes !== undefined) tiedNodes += 1;
      return withoutKeys(attempt, ['nodes', 'tiedNodes']);
    },
    left: () => ({ nodes, tiedNodes }),
  };
}

/** Plain data with the beginnings of texts that are longer than any that a server accepts: each may be told of thousands of Pods. */
export const withShortTexts = <T>(data: T): T => (hasLongText(data) ? shortTextsOf(data) : data);

function hasLongText(data: unknown): boolean {
  if (typeof data === 'string') return shortened(data) !== data;
  if (Array.isArray(data)) return data.some(hasLongText);
  if (typeof data !== 'object' || data === null) return false;
  for (const key in data) if (hasLongText(key) || hasLongText(data[key as keyof typeof data])) return true;
  return false;
}

function shortTextsOf<T>(data: T): T {
  if (typeof data === 'string') return shortened(data) as T & string;
  if (Array.isArray(data)) return data.map(shortTextsOf) as T & unknown[];
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, it]) => [shortened(key), shortTextsOf(it)])) as T;
}

/** Verdicts are computed when they are read, so they are left out unread. */
function withoutKeys(attempt: Attempts[number], keys: readonly (keyof Attempts[number])[]): Attempts[number] {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(attempt));
  const kept = properties.filter(([key]) => !keys.some(it => it === key));
  return Object.defineProperties({}, Object.fromEntries(kept)) as Attempts[number];
}
