import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';

/** A folder of Rego that Conftest would read, and what it would test. */
export interface ConftestFolder {
  /** Uri of the folder that Conftest is run in; '' for the top. */
  readonly root: string;
  /** Rego by uri, in order. */
  readonly modules: ReadonlyMap<string, string>;
  /** Names of the packages that are asked. */
  readonly namespaces: readonly string[];
}

const QUESTION = /^\s*(?:deny|violation|warn)(?:_[a-zA-Z0-9]+)*\b/m;

/**
 * Every folder called `policy` with Rego that denies or warns; it speaks of all Kubernetes manifests beside and below it.
 * That is where Conftest looks when it is told nothing else.
 */
export function conftestFoldersOf(texts: ReadonlyMap<string, string>): readonly ConftestFolder[] {
  const byRoot = new Map<string, Map<string, string>>();
  for (const [uri, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const root = rootOf(uri);
    if (root === undefined) continue;
    const modules = byRoot.get(root) ?? new Map<string, string>();
    byRoot.set(root, modules.set(uri, text));
  }
  return [...byRoot].flatMap(([root, modules]): readonly ConftestFolder[] => {
    if (![...modules.values()].some(it => QUESTION.test(it))) return [];
    return [{ root, modules, namespaces: namespacesOf(modules) }];
  });
}

/** The folder above the first one that is called policy. */
function rootOf(uri: string): string | undefined {
  const steps = uri.split('/');
  const at = steps.indexOf('policy');
  return at < 0 || at === steps.length - 1 ? undefined : steps.slice(0, at).join('/');
}

/** `main`, as Conftest has it; where no package is called so, all of them: they are asked with --all-namespaces then. */
function namespacesOf(modules: ReadonlyMap<string, string>): readonly string[] {
  const isMain = [...modules.values()].some(it => /^\s*package\s+main\s*(?:#.*)?$/m.test(it));
  return isMain ? ['main'] : ['*'];
}

/**
 * Whether Conftest would test an object in a folder. The items of a List are not objects to it but one document, of which
 * no policy that is written for objects says anything.
 */
export function isTestedIn({ root }: ConftestFolder, { manifest, apiVersion, kind }: WorkspaceObject): boolean {
  const path = pathIn(root, manifest.uri);
  return (
    path !== undefined && !path.startsWith('policy/') && manifest.item === undefined && apiVersion !== '' && kind !== ''
  );
}

/** The path of a file from the root; undefined when it is elsewhere. */
export function pathIn(root: string, uri: string): string | undefined {
  if (root === '') return uri;
  return uri.startsWith(`${root}/`) ? uri.slice(root.length + 1) : undefined;
}

/** All objects that some folder tests. */
export function testedObjects(folders: readonly ConftestFolder[], snapshot: Snapshot): readonly WorkspaceObject[] {
  return [...snapshot.files.keys()]
    .flatMap(uri => snapshot.objectsIn(uri))
    .filter(it => folders.some(folder => isTestedIn(folder, it)));
}
