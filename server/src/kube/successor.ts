import type { ApiLife, KindInfo, Kube } from './kube';

/** What takes the place of a kind in an API version that goes or is gone. */
export interface Successor {
  readonly apiVersion: string;
  readonly kind: string;
  /** Its facts; undefined: this minor does not have it. */
  readonly info: KindInfo | undefined;
}

/** Replacements of replacements: flowcontrol went through four versions. */
const LONGEST_CHAIN = 8;

/**
 * The version that upstream recommends, or where that is gone, too, what follows it; else the newest version of the group.
 * Versions that are served without being enabled go first. Undefined if nothing takes its place.
 */
export function successorOf(apiVersion: string, kind: string, kube: Kube): Successor | undefined {
  const all = [recommended(apiVersion, kind, kube), newerInGroup(apiVersion, kind, kube)];
  return all.find(it => it?.info?.served === 'on') ?? all.find(it => it !== undefined);
}

/** What to do where no API version takes its place: a clause. */
export function adviceFor(apiVersion: string, kind: string, kube: Kube): string | undefined {
  return chainOf(apiVersion, kind, kube).findLast(it => it.advice !== undefined)?.advice;
}

/** Whether minor `a` is `b` or earlier. */
export function isUpTo(a: string, b: string): boolean {
  return Number(a.split('.')[1]) <= Number(b.split('.')[1]);
}

function recommended(apiVersion: string, kind: string, kube: Kube): Successor | undefined {
  const named = chainOf(apiVersion, kind, kube).flatMap(it => it.replacement ?? []);
  const known = named.map(it => {
    const [version = '', replacing = ''] = it.split(' ');
    return { apiVersion: version, kind: replacing, info: kube.kindOf(version, replacing) };
  });
  return known.findLast(it => it.info !== undefined) ?? known.findLast(it => isThere(it, kube));
}

/** Of a subresource, such as an Eviction, nothing but the life is known. */
function isThere({ apiVersion, kind }: Successor, kube: Kube): boolean {
  const life = kube.apiLife(apiVersion, kind);
  if (life === undefined) return false;
  return (life.gone === undefined || !isUpTo(life.gone, kube.minor)) && isUpTo(life.introduced ?? '1.0', kube.minor);
}

function chainOf(apiVersion: string, kind: string, kube: Kube): readonly ApiLife[] {
  const chain: ApiLife[] = [];
  let next: readonly string[] = [apiVersion, kind];
  while (chain.length < LONGEST_CHAIN) {
    const life = kube.apiLife(next[0] ?? '', next[1] ?? '');
    if (life === undefined) return chain;
    chain.push(life);
    if (life.replacement === undefined) return chain;
    next = life.replacement.split(' ');
  }
  return chain;
}

function newerInGroup(apiVersion: string, kind: string, kube: Kube): Successor | undefined {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const [best] = kube
    .kinds()
    .filter(it => it.origin === 'built-in' && it.group === group && it.kind === kind && it.served !== 'no')
    .filter(it => priorityOf(it.version) > priorityOf(version))
    .sort(
      (a, b) => Number(b.served === 'on') - Number(a.served === 'on') || priorityOf(b.version) - priorityOf(a.version),
    );
  return best && { apiVersion: group === '' ? best.version : `${group}/${best.version}`, kind, info: best };
}

/** Upstream: version.CompareKubeAwareVersionStrings: stable before beta before alpha, then the greater numbers. */
function priorityOf(version: string): number {
  const [, major = '0', stage, minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  const rank = stage === undefined ? 2 : stage === 'beta' ? 1 : 0;
  return rank * 1_000_000 + Number(major) * 1_000 + Number(minor);
}
