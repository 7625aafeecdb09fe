import { type ClusterSource, parseClusterSource } from '../../analysis/clusters';
import {
  CLUSTER_QUESTIONS,
  defaultPodSecurity,
  knownVersion,
  PRESETS,
  supportedMinors,
  USUAL_QUESTIONS,
  versionText,
  withDefaultLevels,
} from '../../analysis/metadata';
import { AUTO_VERSION, type Settings } from '../../analysis/settings';
import type { Category, Severity } from '../../rules/framework/problem';
import { UsageError } from '../world';
import type { SettingFlags } from './settingFlags';

export const CHECK_FORMATS = ['text', 'json', 'sarif', 'github'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

export const UPGRADE_FORMATS = ['text', 'json', 'markdown', 'sarif'] as const;
export type UpgradeFormat = (typeof UPGRADE_FORMATS)[number];

export const PLACE_FORMATS = ['text', 'json'] as const;
export type PlaceFormat = (typeof PLACE_FORMATS)[number];

export const EXPLORE_FORMATS = ['text', 'json', 'junit', 'dot', 'mermaid', 'svg'] as const;
export type ExploreFormat = (typeof EXPLORE_FORMATS)[number];

export const CATEGORIES = [
  'syntax',
  'decode',
  'apiserver',
  'dropped',
  'warning',
  'reference',
  'placement',
  'known-issue',
  'policy',
] as const satisfies readonly Category[];

/** What `check` must not go without. */
export const REQUIRED = ['policies'] as const;
export const CHECK_LIMITS = ['error', 'warning', 'info', 'never'] as const;
export type CheckLimit = (typeof CHECK_LIMITS)[number];

export const TEST_FORMATS = ['text', 'json', 'junit', 'tap'] as const;

export const PLACE_LIMITS = ['unschedulable', 'never'] as const;
export type PlaceLimit = (typeof PLACE_LIMITS)[number];

export const WHAT_IF_LIMITS = ['harm', 'never'] as const;

/** The severities that `--fail-on` counts. */
export function countsFor(limit: CheckLimit): readonly Severity[] {
  const all: readonly Severity[] = ['error', 'warning', 'info'];
  return limit === 'never' ? [] : all.slice(0, all.indexOf(limit) + 1);
}

/** Reads a word that must be one of a few. Throws UsageError. */
export function oneOf<T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(it => it === value);
  if (found !== undefined) return found;
  throw new UsageError(`${option} "${value}" is not one of: ${allowed.join(', ')}.`);
}

/** Reads `a,b`. Throws UsageError for a word that is no category, or when there is none. */
export function readCategories(value: string): readonly Category[] {
  const categories = words(value).map(it => oneOf('--only', it, CATEGORIES));
  if (categories.length === 0) throw new UsageError(`--only names no category; it may name ${CATEGORIES.join(', ')}.`);
  return categories;
}

/** Reads a version as users and clouds write it: 1.37, v1.37.2, v1.34.2-gke.1200. Throws UsageError. */
function readVersion(value: string): string {
  if (value === AUTO_VERSION) return value;
  const known = knownVersion(value);
  if (known !== undefined) return versionText(known);
  throw new UsageError(`Kubernetes "${value}" is not known to Berth; it knows ${supportedMinors.join(', ')}.`);
}

/** Reads `A=true,B=false`. Throws UsageError. */
function readGates(value: string): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    words(value).map(word => {
      const [, name, state] = /^([A-Za-z][A-Za-z0-9]*)=(true|false)$/i.exec(word) ?? [];
      if (name === undefined) throw new UsageError(`--feature-gates "${word}" must look like NAME=true or NAME=false.`);
      return [name, state?.toLowerCase() === 'true'];
    }),
  );
}

/** One part of the work, `index` from 0. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Reads `I/N`, where I counts from `first`. Throws UsageError. */
export function readShard(value: string, first: 0 | 1): Shard {
  const [, part, of] = /^(\d{1,9})\/(\d{1,9})$/.exec(value) ?? [];
  const shard = { index: Number(part) - first, of: Number(of) };
  if (shard.index >= 0 && shard.index < shard.of) return shard;
  throw new UsageError(`--shard "${value}" must look like I/N with I from ${first} to ${first === 0 ? 'N - 1' : 'N'}.`);
}

/** Reads a whole number from 1. Throws UsageError. */
export function readJobs(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  throw new UsageError(`--jobs "${value}" must be a whole number from 1.`);
}

/** Reads how many of something there may be, a whole number from 1. Throws UsageError. */
export function readCount(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value);
  throw new UsageError(`${option} "${value}" must be a whole number from 1.`);
}

/** What the command line puts above the settings of every configuration. Throws UsageError. */
export function aboveOf(flags: SettingFlags): (configured: Settings) => Settings {
  const kubernetesVersion = flags.kubernetesVersion === undefined ? undefined : readVersion(flags.kubernetesVersion);
  const gates = flags.featureGates === undefined ? {} : readGates(flags.featureGates);
  const { podSecurity: levels } = flags;
  const presets = flags.preset === undefined ? [] : words(flags.preset).map(it => oneOf('--preset', it, PRESETS));
  if (levels !== undefined) readLevels(defaultPodSecurity, levels);
  if (flags.cluster !== undefined) readSource(flags.cluster);
  return configured => ({
    ...configured,
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(flags.cluster !== undefined && { cluster: flags.cluster }),
    featureGates: { ...configured.featureGates, ...gates },
    ...(flags.baseline !== undefined && { baseline: flags.baseline }),
    presets: [...new Set([...configured.presets, ...presets])],
    ...(levels !== undefined && { podSecurity: readLevels(configured.podSecurity ?? defaultPodSecurity, levels) }),
  });
}

/** What can be asked of a scenario: whether every order of arrival places every Pod, and what controllers may do afterwards. */
export const SCENARIO_QUESTIONS = ['order', ...CLUSTER_QUESTIONS] as const;
export type ScenarioQuestion = (typeof SCENARIO_QUESTIONS)[number];

/** Reads `--ask`; everything when it is not given. Throws UsageError. */
export function readQuestions(value: string | undefined): readonly ScenarioQuestion[] {
  if (value === undefined) return ['order', ...USUAL_QUESTIONS];
  const asked = words(value).map(it => oneOf('--ask', it, SCENARIO_QUESTIONS));
  if (asked.length === 0)
    throw new UsageError(`--ask names no question; it may name ${SCENARIO_QUESTIONS.join(', ')}.`);
  return asked;
}

/** Reads `--cluster`. Throws UsageError. */
export function readSource(text: string): { readonly source: ClusterSource } {
  const parsed = parseClusterSource(text);
  if ('source' in parsed) return parsed;
  throw new UsageError(`--cluster ${parsed.problem}.`);
}

/** Throws UsageError. */
function readLevels(podSecurity: typeof defaultPodSecurity, value: string): typeof defaultPodSecurity {
  const read = withDefaultLevels(podSecurity, value);
  const [wrong] = read.problems;
  if (wrong !== undefined) throw new UsageError(`--pod-security ${wrong}.`);
  return read.podSecurity;
}

function words(value: string): readonly string[] {
  return value
    .split(',')
    .map(it => it.trim())
    .filter(it => it !== '');
}
