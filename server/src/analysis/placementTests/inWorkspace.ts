import type { ClusterContent } from '../../cluster/sources/content';
import { parseClusterSource } from '../../cluster/sources/source';
import type { Kube } from '../../kube/kube';
import type { ManifestFile } from '../../manifest/manifest';
import { folderOf, isBelow, resolveIn } from '../../workspace/paths';
import { contentOfFile } from '../clusters/sources';
import type { Settings } from '../configuration/settings';
import { kubeOf } from '../state/facts';
import type { AnalysisWorld } from '../state/world';
import { acceptedPath, acceptedText, readAccepted } from './accepted';
import { isPlacementTest } from './format';
import { readPlacementTest } from './read';
import type { Accepted, TestResult } from './run';
import { type ProblemsOfFiles, runPlacementTests, type SuiteWorld } from './suite';

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
interface TestWorld extends Pick<AnalysisWorld, 'readPack' | 'onBug' | 'policyEngine'> {
  readonly problemsOfFiles: ProblemsOfFiles;
  readonly kubeOf: (version: string | undefined) => Kube;
}

type Files = ReadonlyMap<string, ManifestFile>;

/** The placement tests of a workspace. */
export interface PlacementTests {
  /** The tests, file by file. */
  placementTests(): readonly ListedTests[];
  /** Runs tests of one file, all when no names are given, on what the workspace holds now. */
  runPlacementTests(uri: string, only?: readonly string[]): Promise<WorkspaceRun>;
}

/** The state of a workspace that its tests run on. */
interface TestContext {
  readonly state: { readonly files: Files };
  readonly world: AnalysisWorld;
  readonly environmentOf: (uri: string) => { readonly settings: Settings; readonly kube: Kube };
}

export function placementTests(context: TestContext, problemsOfFiles: ProblemsOfFiles): PlacementTests {
  const { world, environmentOf } = context;
  const { files } = context.state;
  return {
    placementTests: () => testsIn(files),
    runPlacementTests(uri, only) {
      const { settings, kube } = environmentOf(uri);
      const kubeFor = (version = settings.kubernetesVersion) =>
        version === settings.kubernetesVersion ? kube : kubeOf(world, { ...settings, kubernetesVersion: version }).kube;
      return runTestsOf(uri, only, files, { ...world, problemsOfFiles, kubeOf: kubeFor });
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
  if (written === undefined) return nothing('the file is not in the workspace');
  const file = readPlacementTest(written);
  const [wrong] = file.problems;
  if (wrong !== undefined) return nothing(wrong.clause);
  const kube = world.kubeOf(file.kubernetesVersion);
  const cluster = clusterOf(file.cluster, uri, files, kube.minor);
  if (cluster !== undefined && 'problem' in cluster) return nothing(cluster.problem);
  const places = file.manifests.map(it => resolveIn(folderOf(uri), it));
  const uris = [...files.keys()].filter(it => places.some(place => it === place || isBelow(it, place)));
  const manifests = uris.sort().flatMap(it => files.get(it) ?? []);
  if (manifests.length === 0) return nothing(`there is no manifest in ${file.manifests.join(', ')}`);
  const accepted = acceptedOf(uri, files);
  const { readPack, onBug, policyEngine, problemsOfFiles } = world;
  const stage: SuiteWorld = {
    kube,
    readPack,
    onBug,
    problemsOfFiles,
    manifests,
    ...(cluster && { cluster: cluster.content }),
    accepted,
    ...(policyEngine && { policies: { engine: policyEngine, onFailure: it => onBug('policy/mutating', it) } }),
  };
  const isWanted = (name: string): boolean => only === undefined || only.includes(name);
  const { results, problems } = await runPlacementTests(file, stage, isWanted);
  if (problems[0] !== undefined) return nothing(problems[0]);
  const asking = results.filter(it => it.test.expect.some(({ expectation }) => expectation.kind === 'unmoved'));
  const after = { ...accepted, ...Object.fromEntries(asking.map(it => [it.test.name, it.placements])) };
  return { results, ...(asking.length > 0 && { toAccept: { uri: acceptedPath(uri), text: acceptedText(after) } }) };
}

const nothing = (problem: string): WorkspaceRun => ({ results: [], problem });

function acceptedOf(uri: string, files: Files): Accepted {
  return readAccepted(files.get(acceptedPath(uri))?.text ?? '{}') ?? {};
}

function clusterOf(
  text: string | undefined,
  uri: string,
  files: Files,
  minor: string,
): { readonly content: ClusterContent } | { readonly problem: string } | undefined {
  if (text === undefined) return undefined;
  const parsed = parseClusterSource(text);
  if ('problem' in parsed) return { problem: `cluster ${parsed.problem}` };
  const { source } = parsed;
  if (source.from === 'live') return { problem: 'a live cluster is asked by `berth test` on the command line only' };
  if (!('file' in source)) return undefined;
  const file = files.get(resolveIn(folderOf(uri), source.file));
  if (file === undefined) return { problem: `${source.file} is not in the workspace` };
  const content = contentOfFile(source.from, file.text, minor);
  return content.state === 'unreachable' ? { problem: content.reason ?? text } : { content };
}
