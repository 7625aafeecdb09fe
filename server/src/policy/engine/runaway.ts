import { type CallLimits, PolicyStopped, retryWhenEnded } from './engine';

/** Evaluates `members`. The time limit is that of one member times `share`. */
export type EvaluationAttempt<M, R> = (members: readonly M[], share: number) => Promise<R>;

/** The limits of one member times `share`, in whole milliseconds. */
export const limitsFor = (share: number, { milliseconds, grace }: CallLimits): CallLimits => ({
  milliseconds: Math.ceil(milliseconds * share),
  grace,
});

/**
 * Evaluates policies of which some may never finish or run out of memory. When an attempt is stopped, the policies are
 * halved until the responsible ones are known; these are passed to `onStopped` and left out. If each policy finishes
 * alone, they are evaluated together with the time of all; if that is stopped, too, all are responsible. Rejects for
 * every other failure.
 */
export async function withoutRunaways<M, R>(
  members: readonly M[],
  attempt: EvaluationAttempt<M, R>,
  onStopped: (member: M, reason: PolicyStopped) => void,
): Promise<R> {
  const first = await stoppable(() => attempt(members, 1));
  if (!(first instanceof PolicyStopped)) return first;
  if (members.length === 0) throw first;
  const innocent = await membersThatEnd(members, attempt, onStopped, first);
  const second = await stoppable(() => attempt(innocent, Math.max(1, innocent.length)));
  if (!(second instanceof PolicyStopped)) return second;
  for (const it of innocent) onStopped(it, second);
  return attempt([], 1);
}

/** The members that finish alone or in a group, given that all of them together do not. */
async function membersThatEnd<M>(
  members: readonly M[],
  attempt: EvaluationAttempt<M, unknown>,
  onStopped: (member: M, reason: PolicyStopped) => void,
  reason: PolicyStopped,
): Promise<readonly M[]> {
  if (members.length === 1) {
    onStopped(members[0] as M, reason);
    return [];
  }
  const middle = Math.ceil(members.length / 2);
  const innocent: M[] = [];
  for (const half of [members.slice(0, middle), members.slice(middle)]) {
    const answer = await stoppable(() => attempt(half, 1));
    for (const each of answer instanceof PolicyStopped ? await membersThatEnd(half, attempt, onStopped, answer) : half)
      innocent.push(each);
  }
  return innocent;
}

async function stoppable<R>(work: () => Promise<R>): Promise<R | PolicyStopped> {
  try {
    return await retryWhenEnded(work);
  } catch (error) {
    if (error instanceof PolicyStopped) return error;
    throw error;
  }
}
