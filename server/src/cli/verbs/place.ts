import { posix } from 'node:path';
import { clusterIndex, externalCluster, requestFor } from '../../analysis/clusters';
import { nearestNames, ROLE_FILES, versionText } from '../../analysis/metadata';
import {
  type Comparison,
  type Explanation,
  openScenario,
  type PlaceFile,
  type PlaceOptions,
  type PodSuggestions,
  QUEUES,
  type ScenarioPlacement,
} from '../../analysis/scenario';
import {
  defaultSettings,
  kubeOf,
  type Settings,
  settingsIn,
  settingsUnder,
  versionMeant,
} from '../../analysis/settings';
import { compareText } from '../../base/compareText';
import { type LineIndex, lineIndex } from '../../text/lineIndex';
import { printableJson } from '../../text/printable';
import {
  boundedAttempts,
  MOST_LATE_VERDICTS,
  MOST_VERDICTS,
  sizeLimit,
  withoutVerdicts,
  withShortTexts,
} from '../answerSize';
import { unlessBadInput } from '../badInput';
import { complain } from '../complain';
import { EXIT, type ExitCode, worstOf } from '../exit';
import { boundsOfArguments, joinedBounds, skippedIn } from '../input/borders';
import { readCluster } from '../input/clusters';
import { collect, collectManifests, type RequestedPath } from '../input/collect';
import type { Collected } from '../input/collected';
import {
  type ConfigurationFlags,
  checkNamed,
  type FoundConfiguration,
  filesIn,
  findConfigurations,
  pathFrom,
  pathsOf,
} from '../input/configuration';
import { aboveOf, oneOf, PLACE_FORMATS, PLACE_LIMITS, type PlaceFormat, readSource } from '../input/options';
import { policyAsker } from '../input/policyAsker';
import { type RenderedFiles, withRendered } from '../input/sources';
import { startTimeLimit, type TimeLimit } from '../input/timeLimit';
import { newHost } from '../input/workspace';
import { renderComparison } from '../render/comparison';
import { renderExplanation } from '../render/explanation';
import { CONTRACT } from '../render/json';
import { renderPlacement } from '../render/placement';
import { andMore, colourful, counted, plain } from '../render/style';
import { suggestionJson, suggestionLines } from '../render/suggestions';
import { fitted } from '../render/width';
import { type CliWorld, UsageError } from '../world';

/** The options of `berth place` as commander hands them over. */
export interface PlaceFlags extends ConfigurationFlags {
  readonly cluster?: string;
  readonly kubernetesVersion?: string;
  readonly featureGates?: string;
  readonly schedulerConfig?: string;
  readonly format: string;
  readonly failOn: string;
  readonly verbose?: boolean;
  readonly askExtenders?: boolean;
  readonly suggest?: boolean;
  /** Whether kustomizations and charts are rendered. */
  readonly render?: boolean;
  readonly compare?: boolean;
  readonly explain?: string;
  readonly timeLimit?: string;
}

/** The options that say where Pods are placed. */
type ClusterFlags = ConfigurationFlags &
  Pick<PlaceFlags, 'cluster' | 'kubernetesVersion' | 'featureGates' | 'schedulerConfig'>;

/** What one argument gave: placements, or why there are none. */
interface Outcome {
  readonly scenario: string;
  readonly placement?: ScenarioPlacement;
  /** By Pod id. */
  readonly suggestions?: ReadonlyMap<string, PodSuggestions>;
  readonly files?: readonly PlaceFile[];
  readonly explanation?: Explanation;
  readonly comparison?: Comparison;
  /** What there was no time for. */
  readonly cut?: PlaceCut;
  /** Whether the time was over before everything was known. */
  readonly isLate?: true;
  /** Whether so much time is over that no further verdicts of nodes are computed. */
  readonly isSpent?: () => boolean;
  readonly error?: string;
}

interface PlaceCut {
  /** The number of Pods that were not tried. */
  readonly pods?: number;
  /** Pods without a node for which no changes were looked for. */
  readonly suggestions?: number;
  readonly parts?: readonly ('placement' | 'explanation' | 'suggestions' | 'comparison')[];
}

/** Statuses that leave a Pod without a node; a superseded look inside a gang is not the last word on its Pod. */
const FAILING: ReadonlySet<string> = new Set(['unschedulable', 'error', 'rejected', 'gated']);

/** Places the Pods of each scenario. Never throws for bad input: that is exit code 2 and a sentence. */
export async function place(scenarios: readonly string[], flags: PlaceFlags, world: CliWorld): Promise<ExitCode> {
  const inJson = flags.format === 'json' ? NOTHING : undefined;
  return unlessBadInput(world, () => placeAllOf(scenarios, flags, world), inJson);
}

async function placeAllOf(scenarios: readonly string[], flags: PlaceFlags, world: CliWorld): Promise<ExitCode> {
  const format = oneOf('--format', flags.format, PLACE_FORMATS);
  const limit = oneOf('--fail-on', flags.failOn, PLACE_LIMITS);
  const codes: ExitCode[] = [];
  for (const asked of await scenariosOf(scenarios, flags, world)) {
    tellEnvironments(asked, flags, world);
    const options = await placeOptions(asked.found, flags, world);
    const outcome = await outcomeOf(asked, options, flags, startTimeLimit(flags.timeLimit, world), world);
    if (outcome.error !== undefined) complain(world, outcome.error);
    for (const part of rendered(outcome, format, flags.verbose === true ? 'verbose' : 'brief', world)) world.out(part);
    codes.push(exitOf(outcome, limit));
  }
  return worstOf(codes);
}

/** A path is one cluster here, whatever environments its files belong to. */
function tellEnvironments({ scenario, found }: AskedScenario, { environment }: PlaceFlags, world: CliWorld): void {
  const { uri, environments } = found?.configuration ?? { uri: '', environments: [] };
  if (environment !== undefined || environments.length === 0) return;
  const names = environments.map(it => it.name).join(', ');
  complain(world, `${scenario} is placed as one cluster; --environment places what ${uri} lists as one of: ${names}.`);
}

/** What several folders render comes into one cluster, too. */
function tellRendered(scenario: string, folders: readonly string[], world: CliWorld): void {
  if (folders.length < 2) return;
  const all = `what ${folders.length} kustomizations and charts render: ${firstNames(folders)}`;
  complain(world, `${scenario} is placed as one cluster with ${all}. Name one of these folders to place it alone.`);
}

/** Without `--render` a base and its overlays are so many files, of which an overlay's most often hold no object. */
function tellUnrendered(scenario: string, files: readonly PlaceFile[], world: CliWorld): void {
  const folders = files.flatMap(({ uri }) => (ROLE_FILES.includes(posix.basename(uri)) ? posix.dirname(uri) : []));
  if (folders.length === 0) return;
  const made = `what kustomize and helm make of ${firstNames(folders)}`;
  complain(world, `${scenario} is placed as its files are written; --render places ${made}.`);
}

function firstNames(folders: readonly string[]): string {
  const names = [...folders].sort(compareText).slice(0, MOST_FOLDERS).join(', ');
  return folders.length > MOST_FOLDERS ? `${names} ${andMore(folders.length - MOST_FOLDERS)}` : names;
}

/** More names are counted. */
const MOST_FOLDERS = 5;

/** All arguments as one scenario; without one the chosen environment, else the present folder. */
export async function scenarioOf(
  paths: readonly string[],
  flags: ConfigurationFlags,
  world: CliWorld,
): Promise<AskedScenario> {
  const [first, ...others] = await scenariosOf(paths, flags, world);
  if (first === undefined) throw new UsageError(`No berth.yaml has the environment "${flags.environment}".`);
  return {
    ...first,
    scenario: [first, ...others].map(it => it.scenario).join(' '),
    paths: [first, ...others].flatMap(it => it.paths),
  };
}

interface AskedScenario {
  readonly scenario: string;
  readonly paths: readonly RequestedPath[];
  readonly isWanted: (path: string) => boolean;
  readonly found: FoundConfiguration | undefined;
}

/** Each argument is a scenario; without one the chosen environment is, else the present folder. */
async function scenariosOf(
  scenarios: readonly string[],
  flags: ConfigurationFlags,
  world: CliWorld,
): Promise<readonly AskedScenario[]> {
  const { environment } = flags;
  if (scenarios.length === 0 && environment !== undefined) {
    const all = await findConfigurations(['.'], flags, world);
    const paths = pathsOf(all, new Set([environment]));
    for (const it of paths) await checkNamed(it, world);
    return all.map(found => ({ scenario: environment, paths, isWanted: filesIn(found, environment, world), found }));
  }
  const asked: AskedScenario[] = [];
  for (const scenario of scenarios.length === 0 ? ['.'] : scenarios) {
    const [found] = await findConfigurations([scenario], flags, world);
    asked.push({ scenario, paths: [scenario], isWanted: path => path !== found?.configuration.uri, found });
  }
  return asked;
}

export async function placeOptions(
  found: FoundConfiguration | undefined,
  flags: ClusterFlags,
  world: CliWorld,
): Promise<PlaceOptions> {
  const settings = aboveOf(flags)(settingsIn(found?.configuration, flags.environment));
  const cluster = await clusterOf(found, flags, settings, world);
  const told = typeof cluster === 'object' ? cluster.known.content : undefined;
  const { kube, problems, notes } = kubeOf(world, settingsUnder(settings, told));
  for (const it of [...problems, ...notes]) complain(world, it);
  const schedulerConfig = flags.schedulerConfig ?? pathFrom(found, settings.schedulerConfig);
  if (typeof schedulerConfig === 'object') await checkNamed(schedulerConfig, world);
  const configuration = schedulerConfig === undefined ? [] : await mustRead(schedulerConfig, world);
  return {
    kube,
    featureGates: settings.featureGates,
    cluster,
    ...(flags.environment !== undefined && { origin: 'declared' }),
    ...(settings.namespace !== undefined && { namespace: settings.namespace }),
    ...(configuration[0] && { schedulerConfiguration: configuration[0] }),
  };
}

async function clusterOf(
  found: FoundConfiguration | undefined,
  flags: ClusterFlags,
  settings: Settings,
  world: CliWorld,
): Promise<PlaceOptions['cluster']> {
  const { source } = readSource(settings.cluster);
  if (source.from === 'default' || source.from === 'workspace') return source.from;
  if (source.from === 'auto') return 'auto';
  const namedBy = flags.cluster === undefined ? found : undefined;
  const request = namedBy
    ? requestFor(settings.cluster, posix.dirname(namedBy.configuration.uri), 'configuration')
    : requestFor(settings.cluster, '', 'settings');
  if (request === undefined) return 'auto';
  const content = await readCluster(
    request,
    versionMeant(settings.kubernetesVersion, undefined),
    namedBy?.bounds ?? [],
    world,
  );
  return externalCluster(request, clusterIndex(content));
}

export async function mustRead(path: RequestedPath, world: CliWorld): Promise<readonly PlaceFile[]> {
  const files = await collect([path], world);
  return files.map(it => {
    if ('failure' in it) throw new UsageError(`${it.path}: ${it.failure}`);
    return { uri: it.path, text: it.text };
  });
}

async function outcomeOf(
  asked: AskedScenario,
  given: PlaceOptions,
  flags: PlaceFlags,
  time: TimeLimit,
  world: CliWorld,
): Promise<Outcome> {
  const { scenario, paths, isWanted } = asked;
  const collected = await collectManifests(paths, world, isWanted);
  const written = collected.flatMap(it => ('text' in it ? [{ uri: it.path, text: it.text }] : []));
  const unread = collected.flatMap(wrongWith);
  if (written.length === 0) return { scenario, error: unread[0] ?? `${scenario} holds no YAML or JSON file.` };
  const rendered =
    flags.render === true
      ? await renderedIn(written, asked, given, world)
      : { files: written, folders: [], problems: [] };
  if (flags.render === true) tellRendered(scenario, rendered.folders, world);
  else tellUnrendered(scenario, written, world);
  const texts = rendered.files;
  const problems = [...unread, ...rendered.problems];
  const found = await foundIn(texts, { ...given, isCancelled: time.isOver }, flags, time, world);
  const { explain } = flags;
  const isUnknown = explain !== undefined && !found.explanation && found.cut?.parts?.includes('explanation') !== true;
  if (isUnknown && found.placement) return { scenario, error: unknownPod(scenario, explain, found.placement) };
  const late = time.sentence();
  const errors = [...problems, ...(found.placement?.unread ?? []), ...(late === undefined ? [] : [late])];
  const isLate = late !== undefined || time.isOver();
  return {
    scenario,
    files: texts,
    ...found,
    ...(isLate && { isLate }),
    isSpent: () => time.used() > SPENT,
    ...(errors.length > 0 && { error: sentence(errors) }),
  };
}

/** The share of the time limit after which an answer is printed without further verdicts. */
const SPENT = 1.1;

function unknownPod(scenario: string, name: string, { attempts }: ScenarioPlacement): string {
  const ids = [...new Set(attempts.map(it => it.pod))];
  const names = name.includes('/') ? ids : ids.map(it => it.slice(it.indexOf('/') + 1));
  const [near] = [...nearestNames(name, new Set(names)), ...names.filter(it => it.startsWith(name))];
  return `${scenario} has no Pod ${name}${near === undefined ? '.' : `; did you mean ${near}?`}`;
}

/** The files of a scenario with what is rendered from them, for its Kubernetes version. */
async function renderedIn(
  files: readonly PlaceFile[],
  { paths, found }: AskedScenario,
  { kube, featureGates }: PlaceOptions,
  world: CliWorld,
): Promise<RenderedFiles> {
  const named = paths.filter(it => typeof it === 'string');
  const bounds = joinedBounds([found?.bounds ?? [], await boundsOfArguments(named, world)]);
  const host = newHost(world);
  host.apply({
    settings: { ...defaultSettings, kubernetesVersion: versionText(kube), featureGates },
    folders: [{ uri: '' }],
  });
  return withRendered(files, host, bounds, world);
}

type Found = Pick<Outcome, 'placement' | 'explanation' | 'suggestions' | 'comparison' | 'cut'>;

/** All that is asked about a scenario, as far as there is time. */
async function foundIn(
  texts: readonly PlaceFile[],
  given: PlaceOptions,
  { askExtenders, suggest, explain, compare }: PlaceFlags,
  time: TimeLimit,
  world: CliWorld,
): Promise<Found> {
  const records = explain !== undefined || suggest ? 'decisions' : 'placement';
  const scenario = await time.within('the scenario was read', async () => {
    const opened = openScenario(texts, { ...given, records, policies: policyAsker(world) });
    await opened.admit();
    return opened;
  });
  if (scenario === undefined) return { cut: { parts: ['placement'] } };
  const placement = await time.within('the scenario was read', () =>
    askExtenders ? scenario.placementAsking(world.post) : scenario.placement(),
  );
  if (placement?.cut) time.leave(`${counted(placement.cut.pods, 'Pod')} had a turn`);
  const explanation =
    explain === undefined
      ? undefined
      : await time.within(`${explain} was explained`, () => ({ it: scenario.explanation(explain) }));
  const suggested = suggest && (await time.within('changes were looked for', scenario.suggestions));
  if (suggested && suggested.left > 0) time.leave(`changes for ${counted(suggested.left, 'Pod')} were looked for`);
  const comparison = compare && (await time.within('all was compared', () => scenario.comparison(world.solver())));
  const parts = [
    ...(placement === undefined ? (['placement'] as const) : []),
    ...(explain !== undefined && explanation === undefined ? (['explanation'] as const) : []),
    ...(suggest && suggested === undefined ? (['suggestions'] as const) : []),
    ...(compare && comparison === undefined ? (['comparison'] as const) : []),
  ];
  const cut: PlaceCut = {
    ...placement?.cut,
    ...(suggested && suggested.left > 0 && { suggestions: suggested.left }),
    ...(parts.length > 0 && { parts }),
  };
  return {
    ...(placement && { placement }),
    ...(explanation?.it && { explanation: explanation.it }),
    ...(suggested && { suggestions: suggested.suggestions }),
    ...(comparison && { comparison }),
    ...(Object.keys(cut).length > 0 && { cut }),
  };
}

export function wrongWith(file: Collected): readonly string[] {
  if ('failure' in file) return [`${file.path}: ${file.failure}`];
  return file.problem === undefined ? [] : [`${file.path}: ${file.problem}`];
}

export function sentence([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} (and ${more.length} more)`;
}

function rendered(
  outcome: Outcome,
  format: PlaceFormat,
  detail: 'brief' | 'verbose',
  world: CliWorld,
): Iterable<string> {
  const { scenario, placement } = outcome;
  if (format === 'text') {
    const paint = world.colours ? colourful : plain;
    const comparison = outcome.comparison ? renderComparison(outcome.comparison, paint) : '';
    if (outcome.explanation) {
      return [fitted(renderExplanation(scenario, outcome.explanation, paint) + comparison, world.columns)];
    }
    const below = (pod: string): readonly string[] => {
      const found = outcome.suggestions?.get(pod);
      return found ? suggestionLines(found, paint) : [];
    };
    const style = { paint, columns: world.columns };
    const table =
      placement === undefined ? '' : renderPlacement(scenario, placement, detail, style, below, outcome.isSpent);
    return [fitted(table + comparison, world.columns)];
  }
  return jsonParts(outcome, skippedIn(world));
}

/** The line in parts, an attempt each: all together may be longer than any text can be. */
function* jsonParts(outcome: Outcome, skipped: ReturnType<typeof skippedIn>): Generator<string, void> {
  const { scenario, placement, error } = outcome;
  const { attempts: all, placements, evicted } = placement ?? NOTHING;
  const most = outcome.isLate === true ? MOST_LATE_VERDICTS : MOST_VERDICTS;
  const { attempts, without, withoutTies } = boundedAttempts(all, placement?.nodeCount ?? 0, most);
  let late = 0;
  const size = sizeLimit();
  // Verdicts are computed when they are printed.
  const inTime = (attempt: Attempt): Attempt => {
    const it = size.within(attempt);
    if (outcome.isSpent?.() !== true || !('nodes' in it)) return withShortTexts({ ...it });
    late += 1;
    return withShortTexts(withoutVerdicts(it));
  };
  yield `${printableJson({ contract: CONTRACT, scenario }).slice(0, -1)},"attempts":[`;
  let part = '';
  let separator = '';
  for (const it of withSuggestions(attempts, outcome, inTime)) {
    const text = printableJson(it);
    size.add(text);
    part += separator + text;
    separator = ',';
    if (part.length < PART_LENGTH) continue;
    yield part;
    part = '';
  }
  const left = size.left();
  const [nodes, tiedNodes] = [without + late + left.nodes, withoutTies + left.tiedNodes];
  const cut = { ...outcome.cut, ...(nodes > 0 && { nodes }), ...(tiedNodes > 0 && { tiedNodes }) };
  const rest = {
    ...withShortTexts({ placements, evicted }),
    ...(outcome.explanation && { explanation: outcome.explanation.steps }),
    ...(outcome.comparison && { comparison: outcome.comparison }),
    ...(placement?.groups && { groups: withShortTexts(placement.groups) }),
    ...(placement?.queue && { queue: withShortTexts(placement.queue), queueCounts: countsOf(placement.queue) }),
    ...(placement && { cluster: placement.cluster, notes: withShortTexts(placement.notes) }),
    ...(placement && placement.mutations.length > 0 && { mutations: placement.mutations }),
    ...(Object.keys(cut).length > 0 && { cut }),
    ...skipped,
    ...(error !== undefined && { error }),
  };
  yield `${part}],${printableJson(rest).slice(1)}\n`;
}

/** So many characters are written at once. */
const PART_LENGTH = 1_000_000;

/** The last attempt of a Pod has its suggestions. */
function* withSuggestions(
  attempts: ScenarioPlacement['attempts'],
  { suggestions, files = [] }: Outcome,
  inTime: (it: Attempt) => Attempt,
): Generator<object, void> {
  if (suggestions === undefined) {
    for (const it of attempts) yield inTime(it);
    return;
  }
  const lines = new Map(files.map(it => [it.uri, lineIndex(it.text)]));
  const linesOf = (path: string): LineIndex => lines.get(path) ?? lineIndex('');
  const last = new Map(attempts.flatMap((it, i) => (it.status === 'superseded' ? [] : [[it.pod, i] as const])));
  for (const [i, it] of attempts.entries()) {
    const found = suggestions.get(it.pod);
    const told = inTime(it);
    yield found && last.get(it.pod) === i ? { ...told, suggestions: suggestionJson(found, linesOf) } : told;
  }
}

type Attempt = ScenarioPlacement['attempts'][number];

const NOTHING = { attempts: [], placements: {}, evicted: [] } as const;

function exitOf({ placement, error }: Outcome, limit: (typeof PLACE_LIMITS)[number]): ExitCode {
  if (error !== undefined) return EXIT.failed;
  if (limit === 'never' || placement === undefined) return EXIT.clean;
  const last = new Map(placement.attempts.map(it => [it.pod, it.status]));
  return [...last.values()].some(it => FAILING.has(it)) ? EXIT.found : EXIT.clean;
}

/** How many Pods each queue of the scheduler holds in the end. */
function countsOf(queue: NonNullable<ScenarioPlacement['queue']>): Readonly<Record<string, number>> {
  return Object.fromEntries(QUEUES.map(name => [name, queue.filter(it => it.queue === name).length]));
}
