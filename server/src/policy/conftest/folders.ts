import { isObject } from '../../manifest/json';
import type { JsonObject, JsonValue, ManifestFile } from '../../manifest/manifest';
import type { Snapshot, WorkspaceObject } from '../../workspace/workspace';
import type { ConftestSettings } from './settings';

/** A folder of Rego that Conftest would read, and what it would test. */
export interface ConftestFolder {
  /** Uri of the folder that Conftest is run in; '' for the top. */
  readonly root: string;
  /** Uris of the folders that the Rego is in. */
  readonly policy: readonly string[];
  /** Rego by uri, in order. */
  readonly modules: ReadonlyMap<string, string>;
  /** Names of the packages that are asked. */
  readonly namespaces: readonly string[];
  /** Files whose values are `data`, each with the keys that lead to it. */
  readonly data: readonly { readonly file: ManifestFile; readonly keys: readonly string[] }[];
}

/** What a configuration says instead, its paths as uris. */
export interface ConfiguredConftest extends ConftestSettings {
  readonly root: string;
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
    const policy = [root === '' ? 'policy' : `${root}/policy`];
    return [{ root, policy, modules, namespaces: namespacesOf(modules), data: [] }];
  });
}

/** The Rego and data that a configuration names; undefined when there is no Rego. */
export function configuredFolder(
  { root, policy, data, namespaces }: ConfiguredConftest,
  snapshot: Snapshot,
  texts: ReadonlyMap<string, string>,
): ConftestFolder | undefined {
  const isIn = (uri: string, folders: readonly string[]) => folders.some(it => uri === it || uri.startsWith(`${it}/`));
  const modules = new Map([...texts].filter(([uri]) => isIn(uri, policy)).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (modules.size === 0) return undefined;
  const files = [...snapshot.files.values()].flatMap(file => {
    const folder = data.find(it => isIn(file.uri, [it]));
    if (folder === undefined) return [];
    // Folders become keys, names of files do not.
    return [
      {
        file,
        keys:
          file.uri === folder
            ? []
            : file.uri
                .slice(folder.length + 1)
                .split('/')
                .slice(0, -1),
      },
    ];
  });
  const asked = namespaces.length > 0 ? namespaces : namespacesOf(modules);
  return { root, policy, modules, namespaces: asked, data: files };
}

/** The document that Rego sees as `data`. Later files win, as with Conftest's --data. */
export function dataOf({ data }: ConftestFolder): JsonObject {
  return data.reduce<JsonObject>((all, { file, keys }) => {
    const value = file.documents[0]?.value;
    if (!isObject(value)) return all;
    return merged(
      all,
      keys.reduceRight<JsonObject>((inner, key) => ({ [key]: inner }), value),
    );
  }, {});
}

function merged(a: JsonObject, b: JsonObject): JsonObject {
  const both = Object.keys(b).map(key => {
    const [old, now] = [a[key], b[key] as JsonValue];
    return [key, isObject(old) && isObject(now) ? merged(old, now) : now] as const;
  });
  return { ...a, ...Object.fromEntries(both) };
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
export function isTestedIn({ root, policy }: ConftestFolder, object: WorkspaceObject): boolean {
  const { manifest, apiVersion, kind } = object;
  const path = pathIn(root, manifest.uri);
  if (policy.some(it => manifest.uri.startsWith(`${it}/`))) return false;
  return path !== undefined && manifest.item === undefined && apiVersion !== '' && kind !== '';
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
