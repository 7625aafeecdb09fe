import type { ClientSession } from './clientSession';
import type { ServerWorld } from './world';

/** Does work on files, with their uris noted on disk meanwhile: after a crash the note names its cause. */
export type NotedWork = <T>(uris: readonly string[], work: () => T) => T;

/** Without a path for the note, work is done without one. */
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
