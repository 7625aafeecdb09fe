import type { Session } from './session';
import type { ServerWorld } from './world';

/** Does some work that looks at files, and keeps their names on disk meanwhile. */
export type ClusterLook = <T>(uris: readonly string[], work: () => T) => T;

/** Where the client keeps no note, the work is just done. */
export function createLook({ noteLook }: Pick<ServerWorld, 'noteLook'>, session: Session): ClusterLook {
  return (uris, work) => {
    const { notePath } = session;
    if (notePath === undefined || noteLook === undefined) return work();
    noteLook(notePath, uris);
    try {
      return work();
    } finally {
      noteLook(notePath, []);
    }
  };
}
