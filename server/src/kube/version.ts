import { t } from '../base/l10n';

/** The minors whose facts are part of Berth, oldest first. `server/data/kubernetes` has one pack for each. */
export const supportedMinors: readonly string[] = ['1.31', '1.32', '1.33', '1.34', '1.35', '1.36', '1.37'];

export const newestMinor = '1.37';

/** The newest patch release of each supported minor that Berth knows: 14 of 1.31 is 1.31.14. */
const NEWEST_PATCHES: Readonly<Record<string, number>> = {
  1.31: 14,
  1.32: 13,
  1.33: 13,
  1.34: 10,
  1.35: 8,
  1.36: 4,
  1.37: 2,
};

/** A version of Kubernetes. */
export interface KubernetesVersion {
  /** For example "1.37". */
  readonly minor: string;
  /** 2 of 1.37.2; absent if only the minor is named. */
  readonly patch?: number;
}

/** A patch release. */
export type Release = Required<KubernetesVersion>;

/**
 * A version as people and clouds write it: 1.37, v1.37.2, 1.34+, v1.34.2-gke.1200, v1.33.4-eks-abc, v1.31.9+k3s1. Any
 * minor, known to Berth or not; undefined for other texts.
 */
export function versionIn(text: string): KubernetesVersion | undefined {
  const [, minor, patch] = VERSION.exec(text.trim()) ?? [];
  if (minor === undefined) return undefined;
  return { minor, ...(patch !== undefined && { patch: Number(patch) }) };
}

const VERSION = /^v?((?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5}))(?:\+|\.(\d{1,9})(?:[-+][\w.+-]{1,200})?)?$/;

/** The same for a minor that Berth knows. */
export function knownVersion(text: string): KubernetesVersion | undefined {
  const version = versionIn(text);
  return version !== undefined && supportedMinors.includes(version.minor) ? version : undefined;
}

/** The patch release that counts for a version of a supported minor: the newest known one for a later one, or for none. */
export function releaseOf({ minor, patch = Number.POSITIVE_INFINITY }: KubernetesVersion): Release {
  return { minor, patch: Math.min(patch, NEWEST_PATCHES[minor] ?? 0) };
}

/** A sentence about a patch release that is newer than Berth knows; undefined for all other versions. */
export function unknownPatch(version: KubernetesVersion): string | undefined {
  const { minor, patch } = releaseOf(version);
  if (version.patch === undefined || version.patch <= patch) return undefined;
  const counts = `${minor}.${patch}`;
  return t`Kubernetes ${versionText(version)} is newer than the patch releases that Berth knows; it counts as ${counts}.`;
}

/** `1.37.2`, or `1.37`. */
export function versionText({ minor, patch }: KubernetesVersion): string {
  return patch === undefined ? minor : `${minor}.${patch}`;
}
