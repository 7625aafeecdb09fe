import { compareText } from '../../base/compareText';
import { t } from '../../base/l10n';
import { lazy, lazyByObject } from '../../base/lazy';
import type { WorkspaceObject } from '../../workspace/object';
import { snapshotSubset } from '../../workspace/view';
import type { Snapshot } from '../../workspace/workspace';
import { type AskedEnvironment, isPolicy, placesOf, policyFiles } from './policyFiles';

/**
 * The files of policies that are not asked: those of tests, examples and tools, which are meant for what lies beside them, in an
 * environment that deploys something else. Whoever lists files in berth.yaml means all of them.
 */
export const policiesAside = ({ snapshot, environment }: AskedEnvironment): readonly string[] =>
  environment.origin === 'guessed' ? asideIn(snapshot).files : [];

/** The environment as its policies see it. */
export function withoutPoliciesAside<T extends AskedEnvironment>(environment: T): T {
  if (environment.environment.origin !== 'guessed') return environment;
  const { files, others } = asideIn(environment.snapshot);
  return files.length === 0 ? environment : { ...environment, snapshot: others() };
}

interface Aside {
  /** Sorted. */
  readonly files: readonly string[];
  /** All other files. */
  readonly others: () => Snapshot;
}

/** Each answer of policies makes a new analysis of the same snapshot, and all files of a workspace are looked at. */
const asideIn = lazyByObject((snapshot: Snapshot): Aside => {
  const files = filesAside(snapshot);
  const aside = new Set(files);
  return { files, others: lazy(() => snapshotSubset(snapshot, { includes: it => !aside.has(it) })) };
});

/** By the list of a file's objects: in a library of policies, thousands of files are looked at in each state. */
const areAllPolicies = lazyByObject((objects: readonly WorkspaceObject[]) => objects.every(isPolicy));

function filesAside(snapshot: Snapshot): readonly string[] {
  const holders = policyFiles(snapshot);
  if (holders.length === 0) return [];
  const { isAside } = placesOf(snapshot);
  const aside = holders.filter(it => isAside(it) && areAllPolicies(snapshot.objectsIn(it)));
  if (aside.length === 0) return [];
  const deploys = (uri: string): boolean =>
    !isAside(uri) && snapshot.objectsIn(uri).some(it => it.kind !== '' && !isPolicy(it));
  for (const uri of snapshot.files.keys()) if (deploys(uri)) return aside.sort(compareText);
  return [];
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
