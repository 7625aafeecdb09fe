/**
 * A semantic version. Upstream: github.com/blang/semver/v4.Version. Written by hand: the `semver` package limits numbers
 * to 2^53 and texts to 256 characters, and accepts `=v1.2.3`.
 */
export interface Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly pre: readonly string[];
  readonly build: readonly string[];
}

const number = '(0|[1-9][0-9]*)';
const preRelease = '(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)';
const build = '[0-9a-zA-Z-]+';
const pattern = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${preRelease}(?:\\.${preRelease})*))?(?:\\+(${build}(?:\\.${build})*))?$`,
);
const largest = 2n ** 64n - 1n;

/** undefined for an invalid version. Upstream: semver.Parse. */
export function parseSemver(text: string): Semver | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, major = '', minor = '', patch = '', pre, metadata] = match;
  const numbers = [major, minor, patch].map(BigInt);
  if (numbers.some(it => it > largest)) return undefined;
  const [a = 0n, b = 0n, c = 0n] = numbers;
  return { major: a, minor: b, patch: c, pre: pre?.split('.') ?? [], build: metadata?.split('.') ?? [] };
}

/**
 * A version with an optional leading `v`, leading zeros and missing parts. Upstream:
 * k8s.io/apiserver/pkg/cel/library.normalizeAndParse.
 */
export const parseSemverLeniently = (text: string): Semver | undefined => parseSemver(normalizedSemver(text));

/** A version with all three parts; an incomplete one with a suffix stays as it is. */
export function normalizedSemver(text: string): string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const written = minor === undefined ? [major] : rest.length === 0 ? [major, minor] : [major, minor, rest.join('.')];
  const parts = written.map(it => (it.length > 1 ? it.replace(/^0+/, '').replace(/^(?![0-9])/, '0') : it));
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return parts.join('.');
  return [...parts, '0', '0'].slice(0, 3).join('.');
}

/** What is wrong with a version. Upstream: semver.Parse. */
export function semverComplaint(text: string): string {
  if (text === '') return 'Version string empty';
  const [major, minor, ...rest] = text.split('.');
  if (rest.length === 0) {
    return /[+-]/.test(text)
      ? 'short version cannot contain PreRelease/Build meta data'
      : 'No Major.Minor.Patch elements found';
  }
  const patch = rest.join('.').replace(/[+-].*$/s, '');
  for (const [name, part = ''] of [
    ['major', major],
    ['minor', minor],
    ['patch', patch],
  ] as const) {
    if (!/^\d*$/.test(part)) return `Invalid character(s) found in ${name} number ${JSON.stringify(part)}`;
    if (/^0./.test(part)) {
      return `${name[0]?.toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${JSON.stringify(part)}`;
    }
    if (part === '') return 'strconv.ParseUint: parsing "": invalid syntax';
    if (BigInt(part) > largest) return `strconv.ParseUint: parsing ${JSON.stringify(part)}: value out of range`;
  }
  return `Invalid character(s) found in prerelease or build meta data ${JSON.stringify(text)}`;
}

/** Negative, zero or positive. Build metadata is ignored. Upstream: semver.Version.Compare. */
export function compareSemvers(a: Semver, b: Semver): number {
  for (const part of ['major', 'minor', 'patch'] as const) {
    if (a[part] !== b[part]) return a[part] < b[part] ? -1 : 1;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length);
  for (const [i, item] of a.pre.entries()) {
    const other = b.pre[i];
    if (other === undefined) return 1;
    const order = comparePreRelease(item, other);
    if (order !== 0) return order;
  }
  return a.pre.length < b.pre.length ? -1 : 0;
}

function comparePreRelease(a: string, b: string): number {
  const isNumber = [a, b].map(it => /^[0-9]+$/.test(it));
  if (isNumber[0] && isNumber[1]) return BigInt(a) === BigInt(b) ? 0 : BigInt(a) < BigInt(b) ? -1 : 1;
  if (isNumber[0] !== isNumber[1]) return isNumber[0] ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
