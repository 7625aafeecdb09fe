import { posix } from 'node:path';
import { parseClusterSource, requestFor } from '../../analysis/clusters';
import { problemsOfFiles } from '../../analysis/host';
import {
  type Accepted,
  acceptedAfter,
  acceptedPath,
  acceptedText,
  gatesOfTests,
  isPlacementTest,
  isToAccept,
  MOST_ACCEPTED,
  type PlacementTestFile,
  placementTestOf,
  readAccepted,
  runPlacementTests,
  type SuiteWorld,
  testGround,
} from '../../analysis/placementTests';
import { LISTED_OF_A_CODE } from '../../analysis/problems';
import { parsedFiles, runToEnd } from '../../analysis/scenario';
import { defaultSettings, type Settings, settingsIn, settingsUnder, versionMeant } from '../../analysis/settings';
import type { Bounds } from '../../disk/within';
import { lineIndex } from '../../text/lineIndex';
import { unlessBadInput } from '../badInput';
import { complain } from '../complain';
import { EXIT, type ExitCode } from '../exit';
import { boundsOfArguments, OUTSIDE } from '../input/borders';
import { readCluster } from '../input/clusters';
import { collect, collectManifests } from '../input/collect';
import { filesIn, findConfigurations } from '../input/configuration';
import { aboveOf, oneOf, TEST_FORMATS } from '../input/options';
import { policyAsker } from '../input/policyAsker';
import { startTimeLimit, type TimeLimit } from '../input/timeLimit';
import { andMore, colourful, counted, plain } from '../render/style';
import { renderTests, type TestedFile } from '../render/tests';
import { fitted } from '../render/width';
import { type CliWorld, UsageError } from '../world';

/** The options of `berth test` as commander hands them over. */
export interface TestFlags {
  readonly format: string;
  readonly filter?: string;
  readonly update?: boolean;
  readonly timeLimit?: string;
  readonly kubernetesVersion?: string;
  readonly featureGates?: string;
}

/** Runs the placement tests of some files or folders. Never throws for bad input: that is exit code 2 and a sentence. */
export async function test(paths: readonly string[], flags: TestFlags, world: CliWorld): Promise<ExitCode> {
  const run = () => runTests(paths.length === 0 ? ['.'] : paths, flags, world);
  return unlessBadInput(world, run, flags.format === 'json' ? { files: [] } : undefined);
}

async function runTests(paths: readonly string[], flags: TestFlags, world: CliWorld): Promise<ExitCode> {
  const format = oneOf('--format', flags.format, TEST_FORMATS);
  const start = world.now();
  const time = startTimeLimit(flags.timeLimit, world);
  const found = (await collect(paths, world)).filter(it => isPlacementTest(it.path));
  const bounds = await boundsOfArguments(paths, world);
  if (found.length === 0) throw new UsageError(`There is no *.placement-test.yaml in ${paths.join(', ')}.`);
  const files: TestedFile[] = [];
  for (const it of found) {
    if ('failure' in it) files.push({ path: it.path, problems: [it.failure], results: [] });
    else files.push(await testFile({ uri: it.path, text: it.text }, bounds, flags, time, world));
  }
  const late = time.sentence();
  if (late !== undefined) complain(world, late);
  const run = { files, milliseconds: Math.round(world.now() - start) };
  const text = renderTests(run, format, world.colours ? colourful : plain);
  world.out(format === 'text' ? fitted(text, world.columns) : text);
  if (late !== undefined || files.some(it => it.problems.length > 0)) return EXIT.failed;
  return files.some(it => it.results.some(({ failures }) => failures.length > 0)) ? EXIT.found : EXIT.clean;
}

async function testFile(
  source: { readonly uri: string; readonly text: string },
  bounds: Bounds,
  flags: TestFlags,
  time: TimeLimit,
  world: CliWorld,
): Promise<TestedFile> {
  const file = placementTestOf(source);
  const lines = lineIndex(source.text);
  const told = file.problems.slice(0, LISTED_OF_A_CODE);
  const problems = told.map(it => `${source.uri}:${lines.position(it.span.start).line + 1}: ${it.clause}`);
  const more = file.problems.length - told.length;
  if (more > 0) problems.push(`${source.uri}: ${andMore(more)}`);
  if (problems.length > 0) return { path: source.uri, problems, results: [] };
  const around = await settingsAround(source.uri, world);
  const settings = aboveOf(flags)({
    ...defaultSettings,
    ...(file.kubernetesVersion !== undefined && { kubernetesVersion: file.kubernetesVersion }),
    featureGates: gatesOfTests(file, around),
  });
  const readOwn = (version: string) => clusterOf(file, version, bounds, world);
  const { kubernetesVersion } = around;
  const request = { settings, around: kubernetesVersion, readCluster: readOwn };
  const { kube, cluster, problems: unknown, notes } = await testGround(request, world);
  for (const note of notes) complain(world, note);
  const accepted = await acceptedOf(source.uri, bounds, world);
  const manifests = await manifestsOf(file, bounds, world);
  const asked = { ...file, featureGates: settings.featureGates };
  const stage: SuiteWorld = {
    kube,
    readPack: world.readPack,
    onBug: (code, error) => complain(world, `a bug in ${code}: ${String(error)}`),
    problemsOfFiles,
    finish: runToEnd,
    isOver: time.isOver,
    manifests,
    ...(cluster && { cluster }),
    accepted,
    policies: policyAsker(world),
  };
  const isWanted = (name: string): boolean => flags.filter === undefined || name.includes(flags.filter);
  const suite = await runPlacementTests(asked, stage, isWanted);
  const undecided = suite.results.filter(it => it.isUndecided);
  if (undecided.length > 0) time.leave(`${counted(undecided.length, 'test')} of ${source.uri} came to an end`);
  const results = flags.update === true ? await update(suite.results, accepted, source.uri, world) : suite.results;
  return {
    path: source.uri,
    problems: [...unknown, ...suite.problems],
    results: results.map(it => ({ ...it, line: lines.position(it.test.span.start).line + 1 })),
  };
}

/**
 * The version and the gates of the environment that a file of tests belongs to, as the test explorer of an editor has
 * them. A live cluster that only the environment names is not asked.
 */
async function settingsAround(
  path: string,
  world: CliWorld,
): Promise<Pick<Settings, 'kubernetesVersion' | 'featureGates' | 'gatesOfCluster'>> {
  const [found] = await findConfigurations([path], {}, world);
  if (found === undefined) return defaultSettings;
  const { configuration, bounds } = found;
  const own = configuration.environments.find(it => filesIn(found, it.name, world)(path));
  const settings = settingsIn(configuration, own?.name);
  const request = requestFor(settings.cluster, posix.dirname(configuration.uri), 'configuration');
  if (request === undefined || request.source.from === 'live') return settings;
  const content = await readCluster(request, versionMeant(settings.kubernetesVersion, undefined), bounds, world);
  return settingsUnder(settings, content);
}

async function manifestsOf({ uri, manifests }: PlacementTestFile, bounds: Bounds, world: CliWorld) {
  const folder = posix.dirname(uri);
  const paths = manifests.map(it => ({ path: posix.join(folder, it), bounds }));
  const files = await collectManifests(paths, world, it => !isPlacementTest(it));
  const texts = files.map(it => {
    if ('failure' in it) throw new UsageError(`${uri} tests ${it.path}, which cannot be read: ${it.failure}`);
    return { uri: it.path, text: it.text };
  });
  return parsedFiles(texts).files;
}

async function clusterOf({ uri, cluster }: PlacementTestFile, version: string, bounds: Bounds, world: CliWorld) {
  if (cluster === undefined) return undefined;
  const parsed = parseClusterSource(cluster);
  if ('problem' in parsed) throw new UsageError(`${uri}: cluster ${parsed.problem}.`);
  const request = requestFor(cluster, posix.dirname(uri), 'configuration');
  return request && readCluster(request, version, bounds, world);
}

async function acceptedOf(uri: string, bounds: Bounds, world: CliWorld): Promise<Accepted> {
  const path = acceptedPath(uri);
  const { kind } = await world.entry(path, bounds);
  // It is written to, too.
  if (kind === 'outside') throw new UsageError(`${path} is not read: ${OUTSIDE}.`);
  if (kind !== 'file') return {};
  const read = await world.read(path, bounds);
  if ('failure' in read) throw new UsageError(`${path} cannot be read: ${read.failure}.`);
  const accepted = readAccepted(new TextDecoder().decode(read.value));
  if (accepted === undefined) throw new UsageError(`${path} is not what \`berth test --update\` writes; delete it.`);
  return accepted;
}

type TestResults = Awaited<ReturnType<typeof runPlacementTests>>['results'];

/** Accepts the placements of the tests that expect none to move, and reports these as passed. */
async function update(results: TestResults, before: Accepted, uri: string, world: CliWorld): Promise<TestResults> {
  const after = acceptedAfter(results, before);
  if (after === undefined) return results;
  if (after === 'tooMany')
    throw new UsageError(
      `${uri} has too many placements to accept: more than ${MOST_ACCEPTED.toLocaleString('en')} of tests with unmoved.`,
    );
  const written = await world.write(acceptedPath(uri), acceptedText(after));
  if ('failure' in written) throw new UsageError(`${acceptedPath(uri)} cannot be written: ${written.failure}.`);
  const isLeft: (it: TestResults[number]['failures'][number]) => boolean = ({ expected }) =>
    expected.expectation.kind !== 'unmoved';
  return results.map(it => (isToAccept(it) ? { ...it, failures: it.failures.filter(isLeft) } : it));
}
