import { dirname, join, resolve } from 'node:path';
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

/**
 * What the compiler finds wrong in some files of a project. Each other file is read, but not checked, which is most of the
 * work.
 * @param config Path of the project's tsconfig.json.
 */
export function problemsIn(config: string, files: readonly string[]): readonly string[] {
  const api = new API({ cwd: dirname(config) });
  try {
    const { program } = api.updateSnapshot({ openProjects: [config] }).getProject(config)!;
    const missing = files
      .filter(it => program.getSourceFile(it) === undefined)
      .map(it => `${it} is not in the project`);
    const found = files.flatMap(it => [...program.getSyntacticDiagnostics(it), ...program.getSemanticDiagnostics(it)]);
    return [...missing, ...found.map(it => `${it.fileName}: ${it.text}`)];
  } finally {
    api.close();
  }
}
