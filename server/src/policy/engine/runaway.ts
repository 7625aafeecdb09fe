import { PolicyStopped } from './engine';

/**
 * Does something with policies of which some may never end, or want more memory than there is. When it is stopped, the
 * policies are halved until it is known which ones are to blame; these are told of and left out. Rejects for every other
 * failure.
 */
export async function withoutRunaways<M, R>(
  members: readonly M[],
  attempt: (members: readonly M[]) => Promise<R>,
  blame: (member: M, reason: PolicyStopped) => void,
): Promise<R> {
  try {
    return await attempt(members);
  } catch (error) {
    if (!(error instanceof PolicyStopped) || members.length === 0) throw error;
    return attempt(await innocentOf(members, attempt, blame, error));
  }
}

/** The members that end, when it is known that all together do not. */
async function innocentOf<M>(
  members: readonly M[],
  attempt: (members: readonly M[]) => Promise<unknown>,
  blame: (member: M, reason: PolicyStopped) => void,
  reason: PolicyStopped,
): Promise<readonly M[]> {
  if (members.length === 1) {
    blame(members[0] as M, reason);
    return [];
  }
  const middle = Math.ceil(members.length / 2);
  const innocent: M[] = [];
  for (const half of [members.slice(0, middle), members.slice(middle)]) {
    try {
      await attempt(half);
      innocent.push(...half);
    } catch (error) {
      if (!(error instanceof PolicyStopped)) throw error;
      innocent.push(...(await innocentOf(half, attempt, blame, error)));
    }
  }
  return innocent;
}
