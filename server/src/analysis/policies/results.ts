import { lazy, lazyByObject } from '../../base/lazy';
import { grouped, push } from '../../base/multiMap';
import type { PolicyCheck } from '../../policy/policySet';
import { POLICY_SETS } from '../../policy/policySets';
import { isTold, type PolicyLocation, type PolicyResult, policyProblem } from '../../policy/result';
import type { Problem } from '../../rules/framework/problem';
import { allObjects } from '../../workspace/allObjects';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { EnvironmentPolicies, PolicyEvaluation } from './policyEvaluation';
import type { LoadedPolicySet, LoadedPolicySets } from './policySets';

/** The first parts of codes of policy problems. */
export const ENGINES = POLICY_SETS.map(it => it.engine);

interface ResultReader
  extends Pick<PolicyEvaluation, 'problemsOf' | 'problemsOfText' | 'mutationsOf' | 'resultsOfText'> {
  /** @param judged the environment as its policies see it */
  resultsIn(
    environment: EnvironmentPolicies,
    judged: () => EnvironmentPolicies,
  ): ReturnType<PolicyEvaluation['resultsIn']>;
}

/** Results of the loaded policies, as far as they have been evaluated. */
export function createResultReader(policySets: LoadedPolicySets): ResultReader {
  const setsOf = (environment: EnvironmentPolicies): readonly LoadedPolicySet[] => policySets.of(environment, ENGINES);
  const resultsOfChecks = new WeakMap<PolicyCheck, ReturnType<typeof resultsByFile>>();
  const checkResultsIn = ({ check }: LoadedPolicySet, uri: string): readonly PolicyResult[] => {
    if (check === undefined) return [];
    const byFile = resultsOfChecks.get(check) ?? resultsByFile(check);
    resultsOfChecks.set(check, byFile);
    return byFile.get(uri) ?? [];
  };
  return {
    problemsOf(environment, uri) {
      const { snapshot } = environment;
      const textOf = (of: string): string | undefined => snapshot.files.get(of)?.text;
      const results = setsOf(environment).flatMap(it => resultsIn(it, checkResultsIn(it, uri), snapshot, uri));
      return results.flatMap(it => policyProblem(it, textOf) ?? []);
    },
    problemsOfText(uri) {
      const found = policySets
        .all()
        .flatMap(it => [...(it.check?.inFiles ?? []), ...it.set.runtimeProblems().inFiles])
        .filter(it => it.uri === uri);
      const distinct = new Map(found.map(it => [JSON.stringify(it), it]));
      return [...distinct.values()].map((it): Problem => ({ ...it, category: 'policy', related: [], fixes: [] }));
    },
    mutationsOf: (environment, object) =>
      setsOf(environment).flatMap(it => it.answers.get(object.manifest.contentId)?.mutations ?? []),
    resultsOfText(environment, uri) {
      const { snapshot } = environment;
      const found = resultsBy(setsOf(environment), snapshot, it => it.sourceText?.uri).get(uri) ?? [];
      return found.map(([it, object]) => movedTo(it, object, snapshot));
    },
    resultsIn(environment, judged) {
      const sets = setsOf(environment);
      // Each answer makes a new analysis, and of all hovers few are over a policy.
      const snapshot = lazy(() => judged().snapshot);
      const byPolicy = lazy(() => resultsBy(sets, snapshot(), it => it.source?.object.manifest.contentId));
      return ({ manifest: { contentId } }) => {
        if (!sets.some(it => it.set.dependencies.includes(contentId))) return undefined;
        return (byPolicy().get(contentId) ?? []).map(([it, object]) => movedTo(it, object, snapshot()));
      };
    },
  };
}

const fileOf = ({ location }: PolicyResult): string => location.object.manifest.uri;

const resultsByFile = ({ results }: PolicyCheck) => grouped(results, fileOf);

/** Results that are told about the objects of a file, including policies in it. */
function resultsIn(
  { set, answers }: LoadedPolicySet,
  checkResults: readonly PolicyResult[],
  snapshot: Snapshot,
  uri: string,
): readonly PolicyResult[] {
  const ofObjects = snapshot
    .objectsIn(uri)
    .flatMap(object =>
      (answers.get(object.manifest.contentId)?.results ?? []).filter(isTold).map(it => movedTo(it, object, snapshot)),
    );
  const late = set.runtimeProblems().results.filter(it => fileOf(it) === uri);
  const ofPolicies = [...checkResults, ...late].flatMap(it => {
    const object = currentOf(it.location.object, snapshot);
    return object === undefined ? [] : [movedTo(it, object, snapshot)];
  });
  return [...ofObjects, ...ofPolicies];
}

type ResultWithObject = readonly [result: PolicyResult, object: WorkspaceObject];

/** Results with their current objects, by the source of the result. */
function resultsBy<Source>(
  sets: readonly LoadedPolicySet[],
  snapshot: Snapshot,
  sourceOf: (result: PolicyResult) => Source | undefined,
): ReadonlyMap<Source, readonly ResultWithObject[]> {
  const res = new Map<Source, ResultWithObject[]>();
  const objects = allObjects(snapshot);
  for (const { answers } of sets) {
    for (const object of objects) {
      for (const result of answers.get(object.manifest.contentId)?.results ?? []) {
        const source = sourceOf(result);
        if (source !== undefined) push(res, source, [result, object]);
      }
    }
  }
  return res;
}

/** The result with the current locations of its objects, whose text may have moved since the evaluation. */
function movedTo(result: PolicyResult, object: WorkspaceObject, snapshot: Snapshot): PolicyResult {
  const { source, ...rest } = result;
  const moved = { ...rest, location: { ...result.location, object } };
  const now = source && currentOf(source.object, snapshot);
  return now === undefined ? moved : { ...moved, source: { ...(source as PolicyLocation), object: now } };
}

function currentOf(object: WorkspaceObject, snapshot: Snapshot): WorkspaceObject | undefined {
  const { uri, contentId } = object.manifest;
  return byContent(snapshot.objectsIn(uri)).get(contentId);
}

/** By the list of a file's objects. Of objects of one content the first one counts. */
const byContent = lazyByObject(
  (objects: readonly WorkspaceObject[]) => new Map(objects.map(it => [it.manifest.contentId, it] as const).reverse()),
);
