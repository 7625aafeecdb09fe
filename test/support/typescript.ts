import { join, resolve } from 'node:path';
import type { SourceFile } from 'typescript/unstable/ast';
import { API, type Checker } from 'typescript/unstable/sync';

const root = resolve(import.meta.dirname, '../..');

export interface OpenProject {
  /** The files that its tsconfig.json includes, by path from the root of the repository. */
  readonly files: readonly { readonly name: string; readonly tree: SourceFile }[];
  readonly checker: Checker;
}

/** Projects of the repository, read by the compiler in its own process, which runs until `close`. */
export function openProjects(...folders: readonly string[]): {
  readonly projects: readonly OpenProject[];
  readonly close: () => void;
} {
  const api = new API({ cwd: root });
  const configs = folders.map(it => join(root, it, 'tsconfig.json'));
  const snapshot = api.updateSnapshot({ openProjects: configs });
  const projects = configs.map(config => {
    const { rootFiles, program, checker } = snapshot.getProject(config)!;
    const files = rootFiles.map(it => ({
      name: it.slice(root.length + 1).replaceAll('\\', '/'),
      tree: program.getSourceFile(it)!,
    }));
    return { files, checker };
  });
  return { projects, close: () => api.close() };
}
