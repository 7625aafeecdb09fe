import type { Analysis, AnalysisHost, WorkspaceChange } from '../../analysis/analysis';
import { createAnalysisHost, noEngine } from '../../analysis/host';
import { mayHoldPolicies } from '../../analysis/scenario';
import type { Settings } from '../../analysis/settings';
import type { UpgradeReport, UpgradeRequest } from '../../analysis/upgrade';
import { iterateToEnd } from '../../base/asyncIterables';
import { PolicyStopped } from '../../policy/engine/engine';
import { complain } from '../complain';
import { type CliWorld, UsageError } from '../world';
import { boundsOfArguments, joinedBounds } from './borders';
import { fetchClusters } from './clusters';
import { collect, pathOf, type RequestedPath } from './collect';
import type { BoundedPath, Collected } from './collected';
import {
  boundsOf,
  type ConfigurationFlags,
  checkNamed,
  type FoundConfiguration,
  findConfigurations,
  pathFrom,
  pathsOf,
} from './configuration';
import type { PlainChange } from './plainChange';
import { lookAround, renderAll, renderingsOf } from './sources';

/** Policies whose verdicts are missing: the result would look clean without them. */
export interface NotEvaluated {
  /** vap, gatekeeper, conftest or kyverno. */
  readonly policies: string;
  readonly reason: string;
}

/** The files that a command was asked for, in an analysis that holds whatever they may refer to. */
export interface OpenedWorkspace {
  readonly asked: readonly Collected[];
  readonly analysis: Analysis;
  /** What the analysis was made of; undefined where a part of it cannot be given to another thread. */
  readonly plainChanges: readonly PlainChange[] | undefined;
  /** Whether policies that users bring have a say. */
  readonly hasPolicies: () => boolean;
  /** What was asked for and could not be done though everything is read: one sentence. */
  readonly failure?: string;
  readonly notEvaluated: readonly NotEvaluated[];
  /** What an upgrade changes for the files that were asked for. */
  readonly upgrade: (request: Pick<UpgradeRequest, 'versions' | 'only'>) => Promise<UpgradeReport>;
}

export interface OpenOptions extends ConfigurationFlags {
  readonly settings: Settings;
  readonly above: (configured: Settings) => Settings;
  /** Whether kustomizations and charts are rendered. */
  readonly render?: boolean;
  /** later: policies are not asked about this state, as other states of it are to come. */
  readonly policies?: 'later';
  /** A baseline that the command line names. */
  readonly baseline?: string;
}

/**
 * Reads the files of the paths, and the rest of the environments of berth.yaml that they belong to. Without paths that is
 * the chosen environment, else the present folder. Throws UsageError.
 */
export async function openWorkspace(
  paths: readonly string[],
  options: OpenOptions,
  world: CliWorld,
): Promise<OpenedWorkspace> {
  const { settings, above, environment } = options;
  const found = await findConfigurations(paths.length === 0 ? ['.'] : paths, options, world);
  const failed: NotEvaluated[] = [];
  const { host, plainChanges } = recording(newHost(world, it => failed.push(it)));
  const configurations = found.map(({ configuration: { uri, file } }) => ({ uri, text: file.text }));
  host.apply({ settings, above, folders: [...found.map(it => it.folder), { uri: '' }], files: configurations });

  const isConfiguration = new Set(found.map(it => world.absolute(it.configuration.uri)));
  const isWanted = (path: string): boolean => !isConfiguration.has(world.absolute(path));
  const isAsked = (path: string): boolean =>
    isWanted(path) && (environment === undefined || host.analysis().environmentsOf(path).length > 0);
  const whole = environment === undefined ? ['.'] : pathsOf(found, new Set([environment]));
  const wanted: readonly RequestedPath[] = paths.length === 0 ? whole : paths;
  for (const it of wanted) if (typeof it !== 'string') await checkNamed(it, world);
  const asked = await collect(wanted, world, isAsked);
  world.expect?.(asked.reduce((sum, it) => sum + ('text' in it ? it.text.length : 0), 0));
  const areAsked = options.policies !== 'later' && settings.only?.includes('policy') !== false;
  if (areAsked && asked.some(needsEngine)) world.policyEngine.start();
  host.apply({ files: textsOf(asked) });

  const ofAsked = asked.flatMap(it => host.analysis().environmentsOf(it.path));
  const names = new Set([...ofAsked, ...(environment === undefined ? [] : [environment])]);
  const named = [...pathsOf(found, names), ...filesOf(found)];
  const { baseline } = options;
  const files = new Set([...filesOf(found), ...(baseline === undefined ? [] : [baseline])].map(pathOf));
  const known = new Set(asked.map(it => world.absolute(it.path)));
  const isAround = (path: string): boolean =>
    isWanted(path) &&
    !known.has(world.absolute(path)) &&
    (files.has(path) ||
      host
        .analysis()
        .environmentsOf(path)
        .some(it => names.has(it)));
  for (const it of named) await checkNamed(it, world);
  if (baseline !== undefined && (await world.entry(baseline, 'anywhere')).kind === 'missing')
    throw new UsageError(`--baseline: there is no file ${baseline}; \`berth baseline\` writes one.`);
  const around = [...named, ...(baseline === undefined ? [] : [baseline])];
  const read = await collect(around, world, isAround);
  for (const it of read) if ('failure' in it && files.has(it.path)) throw new UsageError(`${it.path}: ${it.failure}`);
  host.apply({ files: textsOf(read) });
  await fetchClusters(host, boundsOf(found), world);
  const bounds = joinedBounds([boundsOf(found), await boundsOfArguments(paths.length === 0 ? ['.'] : paths, world)]);
  await lookAround(host, bounds, world);
  const failure = options.render === true ? await renderAll(host, bounds, world) : undefined;
  const unasked = options.policies === 'later' ? toldNotice(host, world) : await judgePolicies(host, settings, world);
  return {
    asked,
    analysis: host.analysis(),
    notEvaluated: [...unasked, ...failed],
    plainChanges: plainChanges(),
    hasPolicies: host.hasPolicies,
    upgrade: request =>
      host.upgrade({
        ...request,
        uris: asked.map(it => it.path),
        ...(options.render === true && { rendered: step => renderingsOf(step, bounds, world) }),
      }),
    ...(failure !== undefined && { failure }),
  };
}

/** Whether a file likely holds policies that only the engine judges, which can start while the files are read. */
const needsEngine = (file: Collected): boolean =>
  'text' in file && ENGINE_KINDS.some(it => file.text.includes(`\nkind: ${it}`));

const ENGINE_KINDS = ['ValidatingAdmissionPolicyBinding', 'MutatingAdmissionPolicyBinding', 'ConstraintTemplate'];

/** What an analysis of the command line needs of the outside. */
export type HostWorld = Pick<CliWorld, 'readPack' | 'absolute' | 'policyEngine' | 'err'>;

/** @param onNotEvaluated hears of policies that failed while they were evaluated */
export function newHost(world: HostWorld, onNotEvaluated: (it: NotEvaluated) => void = () => undefined): AnalysisHost {
  return createAnalysisHost({
    readPack: world.readPack,
    absolute: world.absolute,
    policyEngine: world.policyEngine,
    problems: 'once',
    onBug(code, error) {
      const reason = error instanceof Error ? error.message : String(error);
      const [, policies] = /^policy\/(.+)$/.exec(code) ?? [];
      const isStopped = policies !== undefined && error instanceof PolicyStopped;
      complain(world, isStopped ? `policies of ${policies} were stopped: ${reason}.` : `a bug in ${code}: ${reason}`);
      if (policies !== undefined) onNotEvaluated({ policies, reason });
    },
  });
}

/** A host that records its changes, as long as all of them are plain. */
function recording(host: AnalysisHost): {
  readonly host: AnalysisHost;
  readonly plainChanges: () => readonly PlainChange[] | undefined;
} {
  const changes: WorkspaceChange[] = [];
  const isPlain = ({ rendered, clusters }: WorkspaceChange): boolean =>
    rendered === undefined && clusters === undefined;
  return {
    host: {
      ...host,
      apply(change) {
        changes.push(change);
        return host.apply(change);
      },
    },
    plainChanges: () => (changes.every(isPlain) ? changes.map(({ above: _, ...plain }) => plain) : undefined),
  };
}

/**
 * Policies are asked only where somebody wants to hear of them, or of placements that they may change; where they cannot be,
 * that is said once.
 */
export async function judgePolicies(
  host: AnalysisHost,
  { only }: Settings,
  world: Pick<CliWorld, 'err'>,
): Promise<readonly NotEvaluated[]> {
  const { uris, text } = host.analysis();
  const arePlaced = (): boolean =>
    only?.includes('placement') === true && (uris.some(it => mayHoldPolicies(text(it) ?? '')) || host.hasPolicies());
  if (only !== undefined && !only.includes('policy') && !arePlaced()) return [];
  const unasked = toldNotice(host, world);
  await iterateToEnd(host.evaluatePolicies([]));
  return unasked;
}

/** Says which policies nothing can evaluate. */
function toldNotice(host: AnalysisHost, world: Pick<CliWorld, 'err'>): readonly NotEvaluated[] {
  const notice = host.policyNotice();
  if (notice !== undefined) complain(world, notice.message);
  return notice?.engines.map(policies => ({ policies, reason: noEngine() })) ?? [];
}

/** The files that configurations name beside manifests. */
function filesOf(found: readonly FoundConfiguration[]): readonly BoundedPath[] {
  return found.flatMap(it =>
    [it.configuration, ...it.configuration.environments].flatMap(({ settings }) =>
      [pathFrom(it, settings.schedulerConfig) ?? [], pathFrom(it, settings.baseline) ?? []].flat(),
    ),
  );
}

function textsOf(files: readonly Collected[]): readonly { readonly uri: string; readonly text: string }[] {
  return files.flatMap(it => ('text' in it ? [{ uri: it.path, text: it.text }] : []));
}
