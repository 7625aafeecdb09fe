import { type CallLimits, PolicyStopped, retryWhenEnded } from './engine';

/** Asks some policies; each may take its time, so that `share` of them may take as many times the time of one. */
export type EvaluationAttempt<M, R> = (members: readonly M[], share: number) => Promise<R>;

/** The time of one policy for several. */
export const limitsFor = (share: number, { milliseconds, grace }: CallLimits): CallLimits => ({
  milliseconds: milliseconds * share,
  grace,
});

/**
 * Does something with policies of which some may never end, or want more memory than there is. When it is stopped, the
 * policies are halved until it is known which ones are to blame; these are told of and left out. Where each one ends
 * alone, all get the time of all; if that is not enough, all are to blame. Rejects for every other failure.
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

/** The members that end, when it is known that all together do not. */
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
    innocent.push(...(answer instanceof PolicyStopped ? await membersThatEnd(half, attempt, onStopped, answer) : half));
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
