import type { ClientSession } from './clientSession';
import type { ServerWorld } from './world';

/** Does some work that looks at files, and keeps their names on disk meanwhile. */
export type NotedWork = <T>(uris: readonly string[], work: () => T) => T;

/** Where the client keeps no note, the work is just done. */
export function createNotedWork({ noteFiles }: Pick<ServerWorld, 'noteFiles'>, session: ClientSession): NotedWork {
  return (uris, work) => {
    const { notePath } = session;
    if (notePath === undefined || noteFiles === undefined) return work();
    noteFiles(notePath, uris);
    try {
      return work();
    } finally {
      noteFiles(notePath, []);
    }
  };
}
