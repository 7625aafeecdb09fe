import type { JsonObject } from '../../base/json';
import { optionalText } from '../../kube/goFields';

/** Upstream: k8s.io/pod-security-admission/api, Level. */
export type Level = 'privileged' | 'baseline' | 'restricted';

/** The minor of a policy `v1.MINOR`, or the server's own. Upstream: k8s.io/pod-security-admission/api, Version. */
export type Version = number | 'latest';

export interface LevelVersion {
  readonly level: Level;
  readonly version: Version;
}

/** What happens to a violation, strictest first. */
export const MODES = ['enforce', 'warn', 'audit'] as const;
export type Mode = (typeof MODES)[number];

export type Policy = Readonly<Record<Mode, LevelVersion>>;

export const LEVELS: readonly Level[] = ['privileged', 'baseline', 'restricted'];
export const LEVEL_DETAIL = `must be one of ${LEVELS.join(', ')}`;
export const VERSION_DETAIL = 'must be "latest" or "v1.x"';

const PREFIX = 'pod-security.kubernetes.io/';
const MAX_MINOR = 9_223_372_036_854_775_807n;

export const levelLabel = (mode: Mode): string => `${PREFIX}${mode}`;
export const versionLabel = (mode: Mode): string => `${PREFIX}${mode}-version`;

/** `restricted:latest`, `baseline:v1.30`. */
export function levelVersionText({ level, version }: LevelVersion): string {
  return `${level}:${versionText(version)}`;
}

export function versionText(version: Version): string {
  return version === 'latest' ? version : `v1.${version}`;
}

/** undefined for an unknown level. */
export function parseLevel(word: string): Level | undefined {
  return LEVELS.find(it => it === word);
}

/** undefined unless it is `latest` or `v1.MINOR`. */
export function parseVersion(word: string): Version | undefined {
  if (word === 'latest') return word;
  const [, minor] = /^v1\.(\d|[1-9]\d*)$/.exec(word) ?? [];
  return minor === undefined || BigInt(minor) > MAX_MINOR ? undefined : Number(minor);
}

/** A label whose value is not a valid level or version. */
export interface LabelError {
  readonly label: string;
  readonly value: string;
  readonly detail: string;
}

/** The policy that results from the labels of a Namespace and the defaults, and the label that sets each mode. */
export interface LabelledPolicy {
  readonly policy: Policy;
  readonly errors: readonly LabelError[];
  readonly labels: Readonly<Partial<Record<Mode, string>>>;
}

/** The order of upstream's errors. */
const READ_ORDER: readonly Mode[] = ['enforce', 'audit', 'warn'];

/**
 * An unreadable level counts as `restricted` for enforce and as `privileged` for audit and warn; an unreadable version
 * counts as `latest`. The enforced level also applies to warn if no label sets that. Upstream: api.PolicyToEvaluate.
 */
export function policyOfLabels(given: JsonObject | undefined, defaults: Policy): LabelledPolicy {
  const errors: LabelError[] = [];
  const labels: Partial<Record<Mode, string>> = {};
  const policy: Record<Mode, LevelVersion> = { ...defaults };
  const levels: Partial<Record<Mode, Level>> = {};
  const read = <T>(mode: Mode, label: string, parse: (word: string) => T | undefined, detail: string, other: T) => {
    const value = optionalText(given, label);
    if (value === undefined) return undefined;
    labels[mode] ??= label;
    const known = parse(value);
    if (known === undefined) errors.push({ label, value, detail });
    return { known, counts: known ?? other };
  };
  for (const mode of READ_ORDER) {
    const ofError: Level = mode === 'enforce' ? 'restricted' : 'privileged';
    const level = read(mode, levelLabel(mode), parseLevel, LEVEL_DETAIL, ofError);
    const version = read<Version>(mode, versionLabel(mode), parseVersion, VERSION_DETAIL, 'latest');
    if (level?.known !== undefined) levels[mode] = level.known;
    policy[mode] = {
      level: level?.counts ?? defaults[mode].level,
      version: version?.counts ?? defaults[mode].version,
    };
  }
  const isWarnSet = optionalText(given, levelLabel('warn')) !== undefined;
  if (!isWarnSet && levels.enforce !== undefined && isStricter(levels.enforce, policy.warn.level)) {
    const isVersionSet = optionalText(given, versionLabel('warn')) !== undefined;
    const { version } = isVersionSet ? policy.warn : policy.enforce;
    policy.warn = { level: levels.enforce, version };
    labels.warn = levelLabel('enforce');
  }
  return { policy, errors, labels };
}

export function isPrivileged(policy: Policy): boolean {
  return MODES.every(it => policy[it].level === 'privileged');
}

/** Upstream: api.Policy.Equivalent. */
export function isEquivalent(a: Policy, b: Policy): boolean {
  return MODES.every(
    it => a[it].level === b[it].level && (a[it].level === 'privileged' || a[it].version === b[it].version),
  );
}

function isStricter(a: Level, b: Level): boolean {
  return LEVELS.indexOf(a) > LEVELS.indexOf(b);
}
