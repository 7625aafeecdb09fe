import type { Settings } from '../analysis/analysis';
import { defaultSettings } from '../analysis/analysis';
import {
  defaultPodSecurity,
  newestMinor,
  readPodSecurity,
  supportedMinors,
  withDefaultLevels,
} from '../analysis/known';
import type { Category, Severity } from '../rules/problem';
import { UsageError } from './world';

export const CHECK_FORMATS = ['text', 'json', 'sarif', 'github'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

export const PLACE_FORMATS = ['text', 'json'] as const;
export type PlaceFormat = (typeof PLACE_FORMATS)[number];

export const CATEGORIES = [
  'syntax',
  'decode',
  'apiserver',
  'dropped',
  'warning',
  'reference',
  'placement',
  'policy',
] as const satisfies readonly Category[];

const SEVERITIES = ['error', 'warning', 'info', 'hint', 'off'] as const;

export const CHECK_LIMITS = ['error', 'warning', 'info', 'never'] as const;
export type CheckLimit = (typeof CHECK_LIMITS)[number];

export const PLACE_LIMITS = ['unschedulable', 'never'] as const;
export type PlaceLimit = (typeof PLACE_LIMITS)[number];

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
  return words(value).map(it => oneOf('--only', it, CATEGORIES));
}

/** Reads a minor as users write it: 1.37, v1.37, 1.37.2. Throws UsageError. */
export function readVersion(value: string): string {
  const [, minor] = /^v?(\d+\.\d+)(?:\.\d+)?$/.exec(value.trim()) ?? [];
  const known = supportedMinors.find(it => it === minor);
  if (known !== undefined) return known;
  throw new UsageError(`Kubernetes "${value}" is not known to Berth; it knows ${supportedMinors.join(', ')}.`);
}

/** Reads `A=true,B=false`. Throws UsageError. */
export function readGates(value: string): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    words(value).map(word => {
      const [, name, state] = /^([A-Za-z][A-Za-z0-9]*)=(true|false)$/i.exec(word) ?? [];
      if (name === undefined) throw new UsageError(`--feature-gates "${word}" must look like NAME=true or NAME=false.`);
      return [name, state?.toLowerCase() === 'true'];
    }),
  );
}

/** One part of the files, `index` from 0. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Reads `I/N`, I from 1 to N. Throws UsageError. */
export function readShard(value: string): Shard {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(value) ?? [];
  const shard = { index: Number(part) - 1, of: Number(of) };
  if (shard.index >= 0 && shard.index < shard.of) return shard;
  throw new UsageError(`--shard "${value}" must look like I/N with I from 1 to N.`);
}

/** Reads a whole number from 1. Throws UsageError. */
export function readJobs(value: string): number {
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  throw new UsageError(`--jobs "${value}" must be a whole number from 1.`);
}

/** What a configuration file may say, read from its parsed YAML. Throws UsageError for the first thing that is wrong. */
export function readConfiguration(value: unknown, path: string): Partial<Settings> {
  if (value === null || value === undefined) return {};
  const fail = (what: string): never => {
    throw new UsageError(`The configuration ${path} is not valid: ${what}.`);
  };
  if (typeof value !== 'object' || Array.isArray(value)) return fail('it must be a mapping');
  const known = ['kubernetesVersion', 'featureGates', 'severity', 'completeSources', 'podSecurity'];
  const unknown = Object.keys(value).find(it => !known.includes(it));
  if (unknown !== undefined) return fail(`"${unknown}" is not one of: ${known.join(', ')}`);
  const { kubernetesVersion, featureGates, severity, completeSources, podSecurity } = value as Readonly<
    Record<string, unknown>
  >;
  const isNumberOrText = typeof kubernetesVersion === 'string' || typeof kubernetesVersion === 'number';
  if (kubernetesVersion !== undefined && !isNumberOrText) fail('kubernetesVersion must be a minor such as "1.37"');
  if (completeSources !== undefined && typeof completeSources !== 'boolean')
    fail('completeSources must be true or false');
  const gates = entriesOf(
    featureGates,
    (it): it is boolean => typeof it === 'boolean',
    key => fail(`featureGates${key} must be true or false`),
  );
  const severities = entriesOf(
    severity,
    (it): it is (typeof SEVERITIES)[number] => SEVERITIES.some(known => known === it),
    key => fail(`severity${key} must be one of: ${SEVERITIES.join(', ')}`),
  );
  const security = podSecurity === undefined ? undefined : readPodSecurity(podSecurity);
  const [wrong] = security?.problems ?? [];
  if (wrong !== undefined) fail(`podSecurity: ${wrong}`);
  return {
    ...(isNumberOrText && { kubernetesVersion: readVersion(String(kubernetesVersion)) }),
    ...(gates && { featureGates: gates }),
    ...(severities && { severity: severities }),
    ...(typeof completeSources === 'boolean' && { completeSources }),
    ...(security && { podSecurity: security.podSecurity }),
  };
}

/** Settings from the configuration file and, above it, the command line. */
export function settingsOf(
  configuration: Partial<Settings>,
  given: { readonly kubernetesVersion?: string; readonly featureGates?: string; readonly podSecurity?: string },
): Settings {
  return {
    ...defaultSettings,
    kubernetesVersion: newestMinor,
    ...configuration,
    ...(given.podSecurity !== undefined && {
      podSecurity: readLevels(configuration.podSecurity ?? defaultPodSecurity, given.podSecurity),
    }),
    ...(given.kubernetesVersion !== undefined && { kubernetesVersion: readVersion(given.kubernetesVersion) }),
    featureGates: {
      ...configuration.featureGates,
      ...(given.featureGates !== undefined && readGates(given.featureGates)),
    },
  };
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

function entriesOf<T>(
  value: unknown,
  isValid: (entry: unknown) => entry is T,
  fail: (key: string) => never,
): Readonly<Record<string, T>> | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('');
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => (isValid(entry) ? [key, entry] : fail(`.${key}`))),
  );
}
