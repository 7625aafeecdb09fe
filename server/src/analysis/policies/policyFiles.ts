import { lazy, lazyByObject, lazyByText } from '../../base/lazy';
import { OWN_GROUPS as GATEKEEPER_GROUPS } from '../../policy/gatekeeper/policies';
import { OWN_GROUPS as KYVERNO_GROUPS } from '../../policy/kyverno/evaluation/workspaceObjects';
import { isAsideFolder } from '../../workspace/asideFolders';
import type { WorkspaceObject } from '../../workspace/object';
import { folderOf, isBelow } from '../../workspace/paths';
import type { Snapshot } from '../../workspace/workspace';
import type { EvaluatedEnvironment } from './policyEvaluation';

/** The part of an environment that says which policies are asked about what. */
export interface AskedEnvironment extends Pick<EvaluatedEnvironment, 'snapshot'> {
  readonly environment: Pick<EvaluatedEnvironment['environment'], 'origin'> &
    Partial<EvaluatedEnvironment['environment']>;
  /** That of an environment of the workspace, by which it has memory. */
  readonly cache?: object;
}

const ADMISSION_GROUP = 'admissionregistration.k8s.io';
const POLICY_GROUPS: readonly string[] = [ADMISSION_GROUP, ...GATEKEEPER_GROUPS, ...KYVERNO_GROUPS];
const ADMISSION_KIND = /^(?:Validating|Mutating)AdmissionPolicy(?:Binding)?$/;

/** Whether an object is a policy or belongs to one, such as a binding or a constraint. */
export const isPolicy = ({ group, kind }: WorkspaceObject): boolean =>
  KYVERNO_GROUPS.has(group) || GATEKEEPER_GROUPS.has(group) || (group === ADMISSION_GROUP && ADMISSION_KIND.test(kind));

/** The files that hold an object of a policy's API group. */
export const policyFiles = lazyByObject(({ objectsOfGroup }: Snapshot): readonly string[] => [
  ...new Set(POLICY_GROUPS.flatMap(objectsOfGroup).map(it => it.manifest.uri)),
]);

/** Where the files of a workspace are, as the names of folders tell. */
export interface Places {
  /** The folder in which all files are: its own name, and those above, say nothing. */
  readonly root: () => string;
  /** The outermost folder of tests, examples or tools that a folder is in, or is; undefined: it is in none. */
  readonly asideOf: (folder: string) => string | undefined;
  /** Whether a file is in such a folder. */
  readonly isAside: (uri: string) => boolean;
}

export const placesOf = lazyByObject(
  ({ files }: Snapshot): Places => placesBelow(lazy(() => commonFolder(files.keys()))),
);

function placesBelow(root: () => string): Places {
  // Few folders have such a name, or are below of one: all files are looked at for these alone.
  const asideOf = lazyByText(folder =>
    folder.split('/').some(isAsideFolder) ? outermostAside(folder, root()) : undefined,
  );
  return { root, asideOf, isAside: uri => asideOf(folderOf(uri)) !== undefined };
}

/** The places of all workspaces with this root; it holds no files. */
export const placesWithRoot = (root: string): Places => placesBelow(() => root);

/** Whether an object is of a policy's API group. */
export const isOfPolicies = ({ group }: WorkspaceObject): boolean => POLICY_GROUPS.includes(group);

function outermostAside(folder: string, root: string): string | undefined {
  if (folder === root || !isBelow(folder, root)) return undefined;
  const start = root === '.' ? 0 : root.length + 1;
  for (let end = nextSlash(folder, start), from = start; from <= folder.length; end = nextSlash(folder, from)) {
    if (isAsideFolder(folder.slice(from, end))) return folder.slice(0, end);
    from = end + 1;
  }
  return undefined;
}

function nextSlash(path: string, from: number): number {
  const slash = path.indexOf('/', from);
  return slash < 0 ? path.length : slash;
}

/** Of two paths that begin in the same way, so do all between them in the order of text. */
function commonFolder(uris: Iterable<string>): string {
  const ends: { first?: string; last?: string } = {};
  for (const uri of uris) {
    if (ends.first === undefined || uri < ends.first) ends.first = uri;
    if (ends.last === undefined || uri > ends.last) ends.last = uri;
  }
  const { first, last } = ends;
  if (first === undefined || last === undefined) return '.';
  let common = folderOf(first);
  while (!isBelow(last, common) && common !== folderOf(common)) common = folderOf(common);
  return common;
}
