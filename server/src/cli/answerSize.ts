import type { ScenarioPlacement } from '../analysis/place';

/** So many verdicts of nodes a JSON answer holds, some 100 bytes each. */
export const MOST_VERDICTS = 1_000_000;

type Attempts = ScenarioPlacement['attempts'];

/** The attempts, of which the first tell what each node said as long as that is not too much. */
export function boundedAttempts(
  attempts: Attempts,
  nodeCount: number,
  most: number = MOST_VERDICTS,
): { readonly attempts: Attempts; readonly without: number } {
  const telling = Math.max(1, Math.floor(most / Math.max(1, nodeCount)));
  if (attempts.length <= telling) return { attempts, without: 0 };
  const bounded = attempts.map((it, i) => (i < telling ? it : withoutNodes(it)));
  return { attempts: bounded, without: attempts.length - telling };
}

/** What each node said is worked out when it is read, so that it is left out unread. */
function withoutNodes(attempt: Attempts[number]): Attempts[number] {
  const { nodes: _, ...others } = Object.getOwnPropertyDescriptors(attempt);
  return Object.defineProperties({}, others) as Attempts[number];
}
