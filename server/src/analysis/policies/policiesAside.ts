import { compareText } from '../../base/compareText';
import { t } from '../../base/l10n';
import { lazy, lazyByObject, lazyByText } from '../../base/lazy';
import { mostRecent } from '../../scheduler/framework/sharedWork';
import { type FilesVersion, filesChangedBetween } from '../../workspace/filesVersion';
import type { WorkspaceObject } from '../../workspace/object';
import { snapshotSubset } from '../../workspace/view';
import type { Snapshot } from '../../workspace/workspace';
import {
  type AskedEnvironment,
  isOfPolicies,
  isPolicy,
  type Places,
  placesOf,
  placesWithRoot,
  policyFiles,
} from './policyFiles';

/**
 * The files of policies that are not asked: those of tests, examples and tools, which are meant for what lies beside them, in an
 * environment that deploys something else. Whoever lists files in berth.yaml means all of them.
 */
export const policiesAside = (environment: AskedEnvironment): readonly string[] =>
  environment.environment.origin === 'guessed' ? asideIn(environment).files : [];

/** The environment as its policies see it. */
export function withoutPoliciesAside<T extends AskedEnvironment>(environment: T): T {
  if (environment.environment.origin !== 'guessed') return environment;
  const { files, others } = asideIn(environment);
  return files.length === 0 ? environment : { ...environment, snapshot: others() };
}

interface Aside {
  /** Sorted. */
  readonly files: readonly string[];
  /** All other files. */
  readonly others: () => Snapshot;
}

/** Each answer of policies makes a new analysis of the same snapshot. */
const asideOf = lazyByObject((_: Snapshot): { aside?: Aside } => ({}));

function asideIn({ snapshot, environment: { id }, cache }: AskedEnvironment): Aside {
  const known = asideOf(snapshot);
  known.aside ??= asideFrom(snapshot, cache === undefined || id === undefined ? newMemory() : memoryOf(cache)(id));
  return known.aside;
}

/** What is kept of an environment for its next state. */
interface AsideMemory {
  last?: FoundAside;
  /** By the root, shared with the other environments of the index. */
  readonly placesWith: (root: string) => Places;
}

/** What was found in one state of an environment, without its files. */
interface FoundAside {
  readonly version: FilesVersion;
  readonly count: number;
  readonly places: Places;
  readonly hasPolicies: boolean;
  /** Files of policies alone, in folders of tests and the like, sorted. */
  readonly files: ReadonlySet<string>;
  /** A file elsewhere with other objects; undefined: there is none. */
  readonly deploying: string | undefined;
}

/** Environments of one index that are remembered: a file that all share asks for each of them. */
const MOST_REMEMBERED = 1_000;

const newMemory = (placesWith = lazyByText(placesWithRoot)): AsideMemory => ({ placesWith });

const memoryOf = lazyByObject((_: object) => {
  const placesWith = lazyByText(placesWithRoot);
  return mostRecent(MOST_REMEMBERED, () => newMemory(placesWith));
});

function asideFrom(snapshot: Snapshot, memory: AsideMemory): Aside {
  const { last } = memory;
  const found = last !== undefined && isSameIn(last, snapshot) ? last : foundIn(snapshot, memory);
  memory.last = { ...found, version: snapshot.version() };
  const aside = found.deploying === undefined ? NONE : found.files;
  return { files: [...aside], others: lazy(() => snapshotSubset(snapshot, { includes: it => !aside.has(it) })) };
}

const NONE: ReadonlySet<string> = new Set();

/** By the list of a file's objects: in a library of policies, thousands of files are looked at. */
const areAllPolicies = lazyByObject((objects: readonly WorkspaceObject[]) => objects.every(isPolicy));

const deploys = (uri: string, snapshot: Snapshot, { isAside }: Places): boolean =>
  !isAside(uri) && snapshot.objectsIn(uri).some(it => it.kind !== '' && !isPolicy(it));

function foundIn(snapshot: Snapshot, { placesWith }: AsideMemory): FoundAside {
  const holders = policyFiles(snapshot);
  const places = placesWith(placesOf(snapshot).root());
  const files = holders.filter(it => places.isAside(it) && areAllPolicies(snapshot.objectsIn(it)));
  return {
    version: snapshot.version(),
    count: snapshot.files.size,
    places,
    hasPolicies: holders.length > 0,
    files: new Set(files.sort(compareText)),
    deploying: files.length === 0 ? undefined : deployingIn(snapshot, places),
  };
}

function deployingIn(snapshot: Snapshot, places: Places): string | undefined {
  for (const uri of snapshot.files.keys()) if (deploys(uri, snapshot, places)) return uri;
  return undefined;
}

/** Whether the files that changed since then change nothing of it. */
function isSameIn(last: FoundAside, snapshot: Snapshot): boolean {
  const { version, count, places, hasPolicies, files, deploying } = last;
  const changed = filesChangedBetween(version, snapshot.version());
  // There are the same files as then, in the same places.
  if (changed === undefined || snapshot.files.size !== count) return false;
  const isAsBefore = (uri: string): boolean => {
    const objects = snapshot.objectsIn(uri);
    if (!hasPolicies) return !objects.some(isOfPolicies);
    if (files.has(uri) !== (places.isAside(uri) && objects.length > 0 && areAllPolicies(objects))) return false;
    if (files.size === 0) return true;
    const isDeploying = deploys(uri, snapshot, places);
    return uri === deploying ? isDeploying : deploying !== undefined || !isDeploying;
  };
  return changed.every(it => snapshot.files.has(it) && isAsBefore(it));
}

/** A sentence about all policies that are not asked; undefined: there are none. */
export function asideNote(environments: readonly AskedEnvironment[]): string | undefined {
  const files = [...new Set(environments.flatMap(policiesAside))];
  const [first] = files;
  if (first === undefined) return undefined;
  const name = decodeURIComponent(first.replace(/^file:\/\//, ''));
  return files.length === 1
    ? t`The policies of ${name} are not asked, as its folder is one of tests, examples or tools. An environment of berth.yaml that lists the file has them asked.`
    : t`The policies of ${files.length} files, such as ${name}, are not asked, as their folders are those of tests, examples or tools. An environment of berth.yaml that lists the files has them asked.`;
}
