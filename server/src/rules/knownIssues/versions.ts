import { t } from '../../base/l10n';
import { lazyByText } from '../../base/lazy';
import { type KubernetesVersion, versionIn } from '../../kube/version';

/** Patch releases from one on, and before another: `>=1.34.0 <1.34.4`. Numbers as `ordinalOf` gives them. */
export interface VersionRange {
  readonly from: number;
  readonly before: number;
}

const PATCHES = 1_000;

/** A number that orders patch releases of one major version. */
export function ordinalOf({ minor, patch = 0 }: KubernetesVersion): number {
  return Number(minor.slice(minor.indexOf('.') + 1)) * PATCHES + patch;
}

/** The range of a text such as `>=1.34.0 <1.34.4`, `<1.32` or `*`; undefined for another text. */
export function readRange(text: string): VersionRange | undefined {
  if (text === '*') return { from: 0, before: Number.POSITIVE_INFINITY };
  const [, from, before] = /^(?:>=([\d.]+))?(?:(?<=\d) )?(?:<([\d.]+))?$/.exec(text) ?? [];
  const [first, last] = [from, before].map(it => (it === undefined ? undefined : versionIn(it)));
  if ((from === undefined) !== (first === undefined) || (before === undefined) !== (last === undefined))
    return undefined;
  if (first === undefined && last === undefined) return undefined;
  return {
    from: first === undefined ? 0 : ordinalOf(first),
    before: last === undefined ? Number.POSITIVE_INFINITY : ordinalOf(last),
  };
}

const rangeOf = lazyByText(readRange);

export function isAffected(version: KubernetesVersion, ranges: readonly string[]): boolean {
  const at = ordinalOf(version);
  return ranges.some(it => {
    const range = rangeOf(it);
    return range !== undefined && range.from <= at && at < range.before;
  });
}

/** Whether some patch release of a minor is affected. */
export function isMinorAffected(minor: string, ranges: readonly string[]): boolean {
  const first = ordinalOf({ minor });
  return ranges.some(it => {
    const range = rangeOf(it);
    return range !== undefined && range.from < first + PATCHES && first < range.before;
  });
}

/** The ranges for people: `up to 1.34.3, 1.35.0 to 1.35.2, 1.36`. */
export function rangesInWords(ranges: readonly string[]): string {
  return ranges
    .flatMap(it => rangeOf(it) ?? [])
    .map(inWords)
    .join(', ');
}

function inWords({ from, before }: VersionRange): string {
  if (before === Number.POSITIVE_INFINITY) return from === 0 ? t('all versions') : t`${minorOrPatch(from)} and later`;
  const last = before % PATCHES === 0 ? textOf(before - PATCHES).minor : textOf(before - 1).patch;
  if (from === 0) return t`up to ${last}`;
  const sameMinor = Math.floor(from / PATCHES) === Math.floor((before - 1) / PATCHES);
  if (before % PATCHES === 0 && sameMinor) {
    return from % PATCHES === 0 ? last : t`${textOf(from).patch} and later ${last}`;
  }
  const first = before % PATCHES === 0 ? minorOrPatch(from) : textOf(from).patch;
  return first === last ? last : t`${first} to ${last}`;
}

/** The first release of a minor stands for the minor. */
const minorOrPatch = (ordinal: number): string =>
  ordinal % PATCHES === 0 ? textOf(ordinal).minor : textOf(ordinal).patch;

function textOf(ordinal: number): { readonly minor: string; readonly patch: string } {
  const minor = `1.${Math.floor(ordinal / PATCHES)}`;
  return { minor, patch: `${minor}.${ordinal % PATCHES}` };
}
