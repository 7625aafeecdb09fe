import { t } from '../../base/l10n';
import { parseClusterSource } from '../../cluster/sources/source';
import type { ManifestFile } from '../../manifest/manifest';
import { folderOf, isBelow, resolveIn } from '../../workspace/paths';
import { contentOfFile } from '../clusters/sources';
import { AUTO_VERSION, type Settings } from '../configuration/settings';
import type { AnalysisWorld } from '../state/world';
import { acceptedAfter, acceptedPath, acceptedText, readAccepted } from './accepted';
import { isPlacementTest } from './format';
import { gatesOfTests, testGround } from './ground';
import { readPlacementTest } from './read';
import type { Accepted, TestResult } from './run';
import { type ProblemsOfFiles, runPlacementTests, type SuiteWorld, type TestTime } from './suite';

/** The tests of one file, for an explorer. */
export interface ListedTests {
  readonly uri: string;
  readonly tests: readonly { readonly name: string; readonly start: number; readonly end: number }[];
}

export interface WorkspaceRun {
  readonly results: readonly TestResult[];
  /** Why nothing was run. */
  readonly problem?: string;
  /** The file of accepted placements with those of this run, to be written when the user accepts them. */
  readonly toAccept?: { readonly uri: string; readonly text: string };
}

/** What the tests of a workspace need of the outside. */
interface TestWorld extends Pick<AnalysisWorld, 'readPack' | 'onBug' | 'policyEngine'>, TestTime {
  readonly problemsOfFiles: ProblemsOfFiles;
  /** Those of the environment that the file of tests belongs to. */
  readonly settings: Pick<Settings, 'kubernetesVersion' | 'featureGates' | 'gatesOfCluster'>;
}

type Files = ReadonlyMap<string, ManifestFile>;

/** The placement tests of a workspace. */
export interface PlacementTests {
  /** The tests, file by file. */
  placementTests(): readonly ListedTests[];
  /** Runs tests of one file, all when no names are given, on what the workspace holds now. */
  runPlacementTests(uri: string, time: TestTime, only?: readonly string[]): Promise<WorkspaceRun>;
}

/** The state of a workspace that its tests run on. */
interface TestContext {
  readonly state: { readonly files: Files };
  readonly world: AnalysisWorld;
  readonly environmentOf: (uri: string) => { readonly settings: Settings };
}

export function placementTests(context: TestContext, problemsOfFiles: ProblemsOfFiles): PlacementTests {
  const { world, environmentOf } = context;
  const { files } = context.state;
  return {
    placementTests: () => testsIn(files),
    runPlacementTests(uri, time, only) {
      const { settings } = environmentOf(uri);
      return runTestsOf(uri, only, files, { ...world, ...time, problemsOfFiles, settings });
    },
  };
}

export function testsIn(files: Files): readonly ListedTests[] {
  return [...files.values()]
    .filter(it => isPlacementTest(it.uri))
    .map(file => ({
      uri: file.uri,
      tests: readPlacementTest(file).tests.map(({ name, span }) => ({ name, start: span.start, end: span.end })),
    }));
}

/** Runs tests of a file of the workspace on what the workspace holds now, saved or not. */
export async function runTestsOf(
  uri: string,
  only: readonly string[] | undefined,
  files: Files,
  world: TestWorld,
): Promise<WorkspaceRun> {
  const written = files.get(uri);
  if (written === undefined) return nothing(t('the file is not in the workspace'));
  const file = readPlacementTest(written);
  const [wrong] = file.problems;
  if (wrong !== undefined) return nothing(wrong.clause);
  const clusterFile = clusterFileOf(file.cluster, uri, files);
  if (clusterFile !== undefined && 'problem' in clusterFile) return nothing(clusterFile.problem);
  const { readPack, onBug, policyEngine, problemsOfFiles, settings: around, finish, isOver } = world;
  const featureGates = gatesOfTests(file, around);
  const ground = await testGround(
    {
      settings: { kubernetesVersion: file.kubernetesVersion ?? AUTO_VERSION, featureGates },
      around: around.kubernetesVersion,
      readCluster: async version => clusterFile && contentOfFile(clusterFile.from, clusterFile.text, version),
    },
    { readPack },
  );
  const { kube, cluster, problems: unknown, notes } = ground;
  if (cluster?.state === 'unreachable') return nothing(cluster.reason ?? file.cluster ?? uri);
  if (unknown[0] !== undefined) return nothing(unknown[0]);
  const places = file.manifests.map(it => resolveIn(folderOf(uri), it));
  const uris = [...files.keys()].filter(it => places.some(place => it === place || isBelow(it, place)));
  const manifests = uris.sort().flatMap(it => files.get(it) ?? []);
  if (manifests.length === 0) return nothing(t`there is no manifest in ${file.manifests.join(', ')}`);
  const accepted = acceptedOf(uri, files);
  const stage: SuiteWorld = {
    kube,
    readPack,
    onBug,
    problemsOfFiles,
    finish,
    isOver,
    manifests,
    ...(cluster && { cluster }),
    accepted,
    ...(policyEngine && { policies: { engine: policyEngine, onFailure: it => onBug('policy/mutating', it) } }),
  };
  const names = only && new Set(only);
  const isWanted = (name: string): boolean => names?.has(name) ?? true;
  const run = await runPlacementTests({ ...file, featureGates }, stage, isWanted);
  if (run.problems[0] !== undefined) return nothing(run.problems[0]);
  const results = run.results.map(it => ({ ...it, notes: [...notes, ...it.notes] }));
  const after = results.some(hasMoved) ? acceptedAfter(results, accepted) : undefined;
  if (after === undefined || after === 'tooMany') return { results };
  return { results, toAccept: { uri: acceptedPath(uri), text: acceptedText(after) } };
}

const hasMoved = ({ failures }: TestResult): boolean =>
  failures.some(({ expected }) => expected.expectation.kind === 'unmoved');

const nothing = (problem: string): WorkspaceRun => ({ results: [], problem });

function acceptedOf(uri: string, files: Files): Accepted {
  return readAccepted(files.get(acceptedPath(uri))?.text ?? '{}') ?? {};
}

/** The file that a test's `cluster` names; undefined for a source that is no file. */
function clusterFileOf(
  text: string | undefined,
  uri: string,
  files: Files,
): { readonly from: 'kind' | 'snapshot'; readonly text: string } | { readonly problem: string } | undefined {
  if (text === undefined) return undefined;
  const parsed = parseClusterSource(text);
  if ('problem' in parsed) return { problem: t`cluster ${parsed.problem}` };
  const { source } = parsed;
  if (source.from === 'live') return { problem: t('a live cluster is asked by `berth test` on the command line only') };
  if (!('file' in source)) return undefined;
  const file = files.get(resolveIn(folderOf(uri), source.file));
  return file === undefined
    ? { problem: t`${source.file} is not in the workspace` }
    : { from: source.from, text: file.text };
}
