import type { UnknownObject } from '../../base/json';
import type { IsCancelled, Steps } from '../../base/steps';
import type { AskPolicies } from '../../cluster/admission/mutationAdmission';
import { clusterIndex } from '../../cluster/sources/clusterIndex';
import type { ClusterContent } from '../../cluster/sources/content';
import type { Kube } from '../../kube/kube';
import { versionText } from '../../kube/version';
import type { ManifestFile } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import type { Problem } from '../../rules/framework/problem';
import { readScenarioSteps } from '../../scheduler/scenario';
import { defaultSettings, gatesMeant, type Settings } from '../configuration/settings';
import { type NodeSource, nodeSource, objectsInCluster, runOptions } from '../placement/clusterRun';
import { objectsIn, type PlaceFile } from '../placement/parsedFiles';
import { type PolicyAsker, scenarioPolicies } from '../placement/scenarioPolicies';
import { withMutationAnswers } from '../policies/mutationAnswers';
import type { AnalysisWorld } from '../state/world';
import { isPlacementTest, type PlacementTestFile } from './format';
import { readPlacementTest } from './read';
import { type Accepted, type RefusedObject, type TestResult, testsSteps } from './run';

type FactsWorld = Pick<AnalysisWorld, 'readPack' | 'onBug'>;

/** The problems of some files on their own. `analysis/host` implements it, which imports this folder. */
export type ProblemsOfFiles = (
  files: readonly PlaceFile[],
  settings: Settings,
  world: FactsWorld,
) => readonly Problem[];

/** How long work is done, and how long tests may take. */
export interface TestTime {
  /** Does all the work, with breaks where others wait for answers. */
  readonly finish: <T>(steps: Steps<T>) => T | Promise<T>;
  /** Whether the time of all tests is over. */
  readonly isOver: IsCancelled;
}

/** What a file of tests needs of the outside. */
export interface SuiteWorld extends FactsWorld, TestTime {
  readonly problemsOfFiles: ProblemsOfFiles;
  readonly kube: Kube;
  /** The files that `manifests` names. */
  readonly manifests: readonly ManifestFile[];
  /** What the cluster source holds; absent where the test names none. */
  readonly cluster?: ClusterContent;
  readonly accepted: Accepted;
  /** Evaluates the mutating policies among the manifests; absent: they change nothing. */
  readonly policies?: PolicyAsker | undefined;
}

export interface SuiteResult {
  readonly file: PlacementTestFile;
  readonly results: readonly TestResult[];
  /** Manifests that could not be read, one sentence each. */
  readonly problems: readonly string[];
}

/** Reads a file of placement tests; invalid parts are reported in `problems` and left out. */
export function placementTestOf({ uri, text }: PlaceFile): PlacementTestFile {
  return readPlacementTest(parseManifests(uri, text));
}

/**
 * Runs every test of a file, or those with the names in `only`. The mutating policies among the manifests are asked first about
 * everything that is deployed, and then about what the tests change.
 */
export async function runPlacementTests(
  file: PlacementTestFile,
  world: SuiteWorld,
  only: (name: string) => boolean = () => true,
): Promise<SuiteResult> {
  const { kube, policies, accepted, finish, isOver } = world;
  const manifests = world.manifests.filter(it => !isPlacementTest(it.uri));
  const { objects: written, unread } = objectsIn(manifests);
  const tests = file.tests.filter(it => only(it.name));
  const asksServer = tests.some(it => it.expect.some(({ expectation }) => expectation.kind === 'refused'));
  const refusals = asksServer ? refusalsIn(manifests, file, world) : [];
  const answers =
    policies &&
    scenarioPolicies(
      manifests,
      { kube, cluster: world.cluster && clusterIndex(world.cluster), origin: 'declared' },
      policies,
    );
  const { objects, nodes } = clusterOf(file, written, world.cluster);
  const context = { kube, nodes, namespace: undefined, featureGates: gatesOf(file, world) };
  const placed = objectsInCluster(objects, context);
  const optionsOf = (askPolicies: AskPolicies | undefined) => runOptions({ ...context, askPolicies });
  if (answers) await withMutationAnswers(answers, ask => finish(readScenarioSteps(placed, optionsOf(ask))));
  const results = await withMutationAnswers(answers, ask =>
    finish(testsSteps(tests, { objects: placed, options: optionsOf(ask), refusals, accepted, isOver })),
  );
  return { file, results, problems: unread };
}

/** The gates of the file go before those that its cluster names. */
const gatesOf = ({ featureGates }: PlacementTestFile, { cluster }: SuiteWorld): Settings['featureGates'] =>
  gatesMeant({ featureGates, ...(cluster?.featureGates && { gatesOfCluster: cluster.featureGates }) });

/** The Nodes of a cluster source count in place of those among the manifests. */
function clusterOf(
  { cluster = 'auto' }: PlacementTestFile,
  objects: readonly UnknownObject[],
  content: ClusterContent | undefined,
): { readonly objects: readonly UnknownObject[]; readonly nodes: NodeSource } {
  const isNode = ({ kind }: UnknownObject): boolean => kind === 'Node';
  if (content === undefined) return { objects, nodes: nodeSource(cluster, objects.some(isNode)) };
  return { objects: [...content.objects, ...objects.filter(it => !isNode(it))], nodes: 'own' };
}

/** The API server's refusals of the manifests, as `berth check` reports them. */
function refusalsIn(
  manifests: readonly ManifestFile[],
  file: PlacementTestFile,
  world: SuiteWorld,
): readonly RefusedObject[] {
  const featureGates = gatesOf(file, world);
  const settings = { ...defaultSettings, kubernetesVersion: versionText(world.kube), featureGates };
  const reported = world.problemsOfFiles(manifests, settings, world);
  return reported.flatMap(({ severity, category, code, fieldPath = '', message, object }) => {
    const isRefusal = severity === 'error' && ['apiserver', 'decode', 'policy'].includes(category);
    if (!isRefusal || object === undefined) return [];
    const { namespace, kind, name = '' } = object;
    const named = `${kind}/${name}`;
    return [{ object: namespace === undefined ? named : `${namespace}/${named}`, code, field: fieldPath, message }];
  });
}
