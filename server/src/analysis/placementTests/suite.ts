import type { UnknownObject } from '../../base/json';
import { runToEnd } from '../../base/steps';
import type { AskPolicies } from '../../cluster/admission/mutationAdmission';
import type { ClusterContent } from '../../cluster/sources/content';
import { defaultClusterObjects } from '../../cluster/sources/defaultCluster';
import type { Kube } from '../../kube/kube';
import { parseManifests } from '../../manifest/parse';
import type { Problem } from '../../rules/framework/problem';
import { type RunOptions, readScenarioSteps } from '../../scheduler/scenario';
import { overlaidOn } from '../clusters/externalCluster';
import { defaultSettings, type Settings } from '../configuration/settings';
import { objectsIn, type PlaceFile } from '../placement/scenario';
import { type MutationAnswers, withMutationAnswers } from '../policies/mutationAnswers';
import type { AnalysisWorld } from '../state/world';
import { isPlacementTest, type PlacementTestFile } from './format';
import { readPlacementTest } from './read';
import { type Accepted, type RefusedObject, runTest, type TestResult } from './run';

export { acceptedPath, acceptedText, readAccepted } from './accepted';
export { isPlacementTest, type PlacementTestFile } from './format';
export type { Accepted, TestResult } from './run';

type FactsWorld = Pick<AnalysisWorld, 'readPack' | 'onBug'>;

/** The problems of some files that see nothing but each other. `analysis/host` has it; a suite is part of what it answers. */
export type ProblemsOfFiles = (
  files: readonly PlaceFile[],
  settings: Settings,
  world: FactsWorld,
) => readonly Problem[];

/** What a file of tests needs of the outside. */
export interface SuiteWorld extends FactsWorld {
  readonly problemsOfFiles: ProblemsOfFiles;
  readonly kube: Kube;
  /** What stands in the files that `manifests` names. */
  readonly manifests: readonly PlaceFile[];
  /** What the cluster source holds; absent where the test names none. */
  readonly cluster?: ClusterContent;
  readonly accepted: Accepted;
  /** What mutating policies among the manifests make of objects; absent: there are none. */
  readonly askPolicies?: AskPolicies | undefined;
}

export interface SuiteResult {
  readonly file: PlacementTestFile;
  readonly results: readonly TestResult[];
  /** Manifests that could not be read, one sentence each. */
  readonly problems: readonly string[];
}

/** Reads a file of placement tests; wrong parts are told in `problems` and left out. */
export function placementTestOf({ uri, text }: PlaceFile): PlacementTestFile {
  return readPlacementTest(parseManifests(uri, text));
}

/** Runs every test of a file, or those with the names in `only`. */
export function runPlacementTests(
  file: PlacementTestFile,
  world: SuiteWorld,
  only: (name: string) => boolean = () => true,
): SuiteResult {
  const manifests = world.manifests.filter(it => !isPlacementTest(it.uri));
  const { objects, unread } = objectsIn(manifests);
  const tests = file.tests.filter(it => only(it.name));
  const asksServer = tests.some(it => it.expect.some(({ expectation }) => expectation.kind === 'refused'));
  const stage = {
    objects: onCluster(file, objects, world.cluster),
    options: optionsOf(file, world),
    refusals: asksServer ? refusalsIn(manifests, file, world) : [],
    accepted: world.accepted,
  };
  return { file, results: tests.map(it => runTest(it, stage)), problems: unread };
}

/** Asks policies about all that is deployed before anything is tried; nothing is placed for that. */
export function askPoliciesOfTests(file: PlacementTestFile, world: SuiteWorld): void {
  const { objects } = objectsIn(world.manifests.filter(it => !isPlacementTest(it.uri)));
  runToEnd(readScenarioSteps(onCluster(file, objects, world.cluster), optionsOf(file, world)));
}

/** Runs the tests of a file once everything is known that they ask of the mutating policies among its manifests. */
export async function runWithPolicies<T>(
  file: PlacementTestFile,
  world: SuiteWorld,
  answers: MutationAnswers | undefined,
  run: (world: SuiteWorld) => T,
): Promise<T> {
  await withMutationAnswers(answers, askPolicies => askPoliciesOfTests(file, { ...world, askPolicies }));
  return withMutationAnswers(answers, askPolicies => run({ ...world, askPolicies }));
}

const optionsOf = ({ featureGates }: PlacementTestFile, { kube, askPolicies }: SuiteWorld): RunOptions => ({
  kubernetesVersion: kube.minor,
  isGateOn: kube.isGateOn,
  featureGates,
  askPolicies,
});

function onCluster(
  { cluster = 'auto' }: PlacementTestFile,
  objects: readonly UnknownObject[],
  content: ClusterContent | undefined,
): readonly UnknownObject[] {
  if (content !== undefined) return [...content.objects, ...objects.filter(it => it.kind !== 'Node')];
  const hasNodes = objects.some(it => it.kind === 'Node');
  return cluster === 'default' || (cluster === 'auto' && !hasNodes)
    ? overlaidOn(defaultClusterObjects(), objects)
    : objects;
}

/** What the API server says of the manifests, as `berth check` would. */
function refusalsIn(
  manifests: readonly PlaceFile[],
  { featureGates }: PlacementTestFile,
  world: SuiteWorld,
): readonly RefusedObject[] {
  const settings = { ...defaultSettings, kubernetesVersion: world.kube.minor, featureGates };
  const told = world.problemsOfFiles(manifests, settings, world);
  return told.flatMap(({ severity, category, code, fieldPath = '', message, object }) => {
    const isRefusal = severity === 'error' && ['apiserver', 'decode', 'policy'].includes(category);
    if (!isRefusal || object === undefined) return [];
    const { namespace, kind, name = '' } = object;
    const named = `${kind}/${name}`;
    return [{ object: namespace === undefined ? named : `${namespace}/${named}`, code, field: fieldPath, message }];
  });
}
