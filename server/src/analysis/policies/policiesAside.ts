import { compareText } from '../../base/compareText';
import { t } from '../../base/l10n';
import { lazyByObject } from '../../base/lazy';
import { snapshotSubset } from '../../workspace/view';
import { type AskedEnvironment, isPolicy, placesOf, policyFiles } from './policyFiles';

/**
 * The files of policies that are not asked: those of tests, examples and tools, which are meant for what lies beside them, in an
 * environment that deploys something else. Whoever lists files in berth.yaml means all of them.
 */
export const policiesAside = lazyByObject(({ snapshot, environment }: AskedEnvironment): readonly string[] => {
  if (environment.origin !== 'guessed') return [];
  const holders = policyFiles(snapshot);
  if (holders.length === 0) return [];
  const { isAside } = placesOf(snapshot);
  const aside = holders.filter(it => isAside(it) && snapshot.objectsIn(it).every(isPolicy));
  if (aside.length === 0) return [];
  const deploys = (uri: string): boolean =>
    !isAside(uri) && snapshot.objectsIn(uri).some(it => it.kind !== '' && !isPolicy(it));
  for (const uri of snapshot.files.keys()) if (deploys(uri)) return aside.sort(compareText);
  return [];
});

/** The environment as its policies see it. */
export function withoutPoliciesAside<T extends AskedEnvironment>(environment: T): T {
  const aside = new Set(policiesAside(environment));
  if (aside.size === 0) return environment;
  return { ...environment, snapshot: snapshotSubset(environment.snapshot, { includes: it => !aside.has(it) }) };
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
