import { compareText } from '../../base/compareText';
import { t } from '../../base/l10n';
import { lazy, lazyByObject } from '../../base/lazy';
import { mostRecent } from '../../scheduler/framework/sharedWork';
import { type FilesVersion, filesChangedBetween } from '../../workspace/filesVersion';
import type { WorkspaceObject } from '../../workspace/object';
import { snapshotSubset } from '../../workspace/view';
import type { Snapshot } from '../../workspace/workspace';
import { type AskedEnvironment, isPolicy, lastingPlaces, type Places, placesOf, policyFiles } from './policyFiles';

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
  known.aside ??= asideFrom(snapshot, cache === undefined || id === undefined ? {} : memoriesOf(cache)(id));
  return known.aside;
}

function asideFrom(snapshot: Snapshot, memory: { last?: FoundAside | undefined }): Aside {
  const isSame = memory.last !== undefined && isSameIn(memory.last, snapshot);
  const found = isSame ? memory.last : foundIn(snapshot);
  memory.last = found && { ...found, version: snapshot.version() };
  const aside = found?.deploying === undefined ? NONE : found.files;
  return { files: [...aside], others: lazy(() => snapshotSubset(snapshot, { includes: it => !aside.has(it) })) };
}

/** What was found in one state of an environment, without its files. */
interface FoundAside {
  readonly version: FilesVersion;
  readonly count: number;
  readonly places: Places;
  /** Files of policies alone, in folders of tests and the like, sorted. */
  readonly files: ReadonlySet<string>;
  /** A file elsewhere with other objects; undefined: there is none. */
  readonly deploying: string | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Environments of one index that are remembered. */
const MOST_REMEMBERED = 50;

const memoriesOf = lazyByObject((_: object) =>
  mostRecent(MOST_REMEMBERED, (): { last?: FoundAside | undefined } => ({})),
);

/** By the list of a file's objects: in a library of policies, thousands of files are looked at. */
const areAllPolicies = lazyByObject((objects: readonly WorkspaceObject[]) => objects.every(isPolicy));

const deploys = (uri: string, snapshot: Snapshot, { isAside }: Places): boolean =>
  !isAside(uri) && snapshot.objectsIn(uri).some(it => it.kind !== '' && !isPolicy(it));

/** undefined: there are no policies. */
function foundIn(snapshot: Snapshot): FoundAside | undefined {
  const holders = policyFiles(snapshot);
  if (holders.length === 0) return undefined;
  const places = lastingPlaces(placesOf(snapshot));
  const aside = holders.filter(it => places.isAside(it) && areAllPolicies(snapshot.objectsIn(it)));
  return {
    version: snapshot.version(),
    count: snapshot.files.size,
    places,
    files: new Set(aside.sort(compareText)),
    deploying: deployingIn(snapshot, places),
  };
}

function deployingIn(snapshot: Snapshot, places: Places): string | undefined {
  for (const uri of snapshot.files.keys()) if (deploys(uri, snapshot, places)) return uri;
  return undefined;
}

/** Whether the files that changed since then change nothing of it. */
function isSameIn({ version, count, places, files, deploying }: FoundAside, snapshot: Snapshot): boolean {
  const changed = filesChangedBetween(version, snapshot.version());
  if (changed === undefined || snapshot.files.size !== count) return false;
  const isAsBefore = (uri: string): boolean => {
    const objects = snapshot.objectsIn(uri);
    const isFile = places.isAside(uri) && objects.length > 0 && areAllPolicies(objects);
    const isDeploying = deploys(uri, snapshot, places);
    return isFile === files.has(uri) && (uri === deploying ? isDeploying : deploying !== undefined || !isDeploying);
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
