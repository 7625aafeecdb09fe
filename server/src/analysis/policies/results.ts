import { lazy } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import type { PolicyCheck } from '../../policy/policySet';
import { POLICY_SETS } from '../../policy/policySets';
import { type PolicyPlace, type PolicyResult, policyProblem } from '../../policy/result';
import type { Problem } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { EnvironmentPolicies, PolicyEvaluation } from './policyEvaluation';
import type { LoadedPolicySet, LoadedPolicySets } from './policySets';

/** By which codes of problems begin. */
export const ENGINES = POLICY_SETS.map(it => it.engine);

type Reading = Pick<PolicyEvaluation, 'problemsOf' | 'problemsOfText' | 'mutationsOf' | 'resultsIn' | 'resultsOfText'>;

/** Gives out what is known. */
export function createResultReader(standings: LoadedPolicySets): Reading {
  const standingsOf = (scene: EnvironmentPolicies): readonly LoadedPolicySet[] => standings.of(scene, ENGINES);
  const ofChecks = new WeakMap<PolicyCheck, ReturnType<typeof resultsByFile>>();
  const checkedIn = ({ checked }: LoadedPolicySet, uri: string): readonly PolicyResult[] => {
    if (checked === undefined) return [];
    const byFile = ofChecks.get(checked) ?? resultsByFile(checked);
    ofChecks.set(checked, byFile);
    return byFile.get(uri) ?? [];
  };
  return {
    problemsOf(scene, uri) {
      const textOf = (of: string): string | undefined => scene.snapshot.files.get(of)?.text;
      const results = standingsOf(scene).flatMap(it => resultsIn(it, checkedIn(it, uri), scene.snapshot, uri));
      return results.flatMap(it => policyProblem(it, textOf) ?? []);
    },
    problemsOfText(uri) {
      const told = standings
        .all()
        .flatMap(it => [...(it.checked?.inFiles ?? []), ...it.set.late().inFiles])
        .filter(it => it.uri === uri);
      const different = new Map(told.map(it => [JSON.stringify(it), it]));
      return [...different.values()].map((it): Problem => ({ ...it, category: 'policy', related: [], fixes: [] }));
    },
    mutationsOf: (scene, object) =>
      standingsOf(scene).flatMap(it => it.answers.get(object.manifest.contentId)?.mutations ?? []),
    resultsOfText(scene, uri) {
      const told = resultsBy(standingsOf(scene), scene.snapshot, it => it.sourceText?.uri).get(uri) ?? [];
      return told.map(([it, object]) => movedTo(it, object, scene.snapshot));
    },
    resultsIn(scene) {
      const asked = standingsOf(scene);
      const byPolicy = lazy(() => resultsBy(asked, scene.snapshot, it => it.source?.object.manifest.contentId));
      return ({ manifest: { contentId } }) => {
        if (!asked.some(it => it.set.parts.includes(contentId))) return undefined;
        return (byPolicy().get(contentId) ?? []).map(([it, object]) => movedTo(it, object, scene.snapshot));
      };
    },
  };
}

const fileOf = ({ place }: PolicyResult): string => place.object.manifest.uri;

const resultsByFile = ({ results }: PolicyCheck) => grouped(results, fileOf);

/** What policies say of the objects of a file, and of those in it that are policies themselves. */
function resultsIn(
  { set, answers }: LoadedPolicySet,
  checked: readonly PolicyResult[],
  snapshot: Snapshot,
  uri: string,
): readonly PolicyResult[] {
  const ofObjects = snapshot
    .objectsIn(uri)
    .flatMap(object =>
      (answers.get(object.manifest.contentId)?.results ?? []).map(it => movedTo(it, object, snapshot)),
    );
  const late = set.late().results.filter(it => fileOf(it) === uri);
  const ofPolicies = [...checked, ...late].flatMap(it => {
    const object = currentOf(it.place.object, snapshot);
    return object === undefined ? [] : [movedTo(it, object, snapshot)];
  });
  return [...ofObjects, ...ofPolicies];
}

type Told = readonly [result: PolicyResult, object: WorkspaceObject];

/** Each result with its object as it stands now, by what the result comes from. */
function resultsBy<Source>(
  standings: readonly LoadedPolicySet[],
  snapshot: Snapshot,
  sourceOf: (result: PolicyResult) => Source | undefined,
): ReadonlyMap<Source, readonly Told[]> {
  const res = new Map<Source, Told[]>();
  const objects = [...snapshot.files.keys()].flatMap(uri => snapshot.objectsIn(uri));
  for (const { answers } of standings) {
    for (const object of objects) {
      for (const result of answers.get(object.manifest.contentId)?.results ?? []) {
        const source = sourceOf(result);
        if (source === undefined) continue;
        const told = res.get(source);
        if (told === undefined) res.set(source, [[result, object]]);
        else told.push([result, object]);
      }
    }
  }
  return res;
}

/** The result at the places where its objects stand now: their text may have moved since they were judged. */
function movedTo(result: PolicyResult, object: WorkspaceObject, snapshot: Snapshot): PolicyResult {
  const { source, ...rest } = result;
  const moved = { ...rest, place: { ...result.place, object } };
  const now = source && currentOf(source.object, snapshot);
  return now === undefined ? moved : { ...moved, source: { ...(source as PolicyPlace), object: now } };
}

function currentOf(object: WorkspaceObject, snapshot: Snapshot): WorkspaceObject | undefined {
  const { uri, contentId } = object.manifest;
  return snapshot.objectsIn(uri).find(it => it.manifest.contentId === contentId);
}
