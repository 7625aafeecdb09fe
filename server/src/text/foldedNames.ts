import { grouped } from '../base/multiMap';

/** Fewer characters than this are not worth an ellipsis. */
const LEAST = 6;
/** Names of at most this length are left as they are. */
const LONG = 16;
/** So much of a name's end stays. */
const LAST = 4;

/**
 * Shortens names of machines for a narrow place: a domain that all of them share is left out, or every domain of long names that
 * differ without, as clouds name machines by their zone; and so is a beginning up to a hyphen, for which `…` stands, and what the names of a pool share in their middle. Different names stay different. One name alone is left as it is.
 */
export function foldedNames(names: readonly string[]): (name: string) => string {
  const [first, ...others] = [...new Set(names)];
  if (first === undefined || others.length === 0) return name => name;
  const bare = withoutDomains([first, ...others]);
  const start = bare.reduce(commonStart);
  const beginning = start.slice(0, start.lastIndexOf('-') + 1);
  const left = beginning.length >= LEAST ? beginning.length : 0;
  const ends = bare.map(it => it.slice(left));
  const short = withoutMiddles(ends).map(it => `${left > 0 ? '…' : ''}${it}`);
  const folded = new Map([first, ...others].map((name, i) => [name, short[i] ?? name]));
  return name => folded.get(name) ?? name;
}

function withoutDomains(names: readonly [string, ...string[]]): readonly string[] {
  const hosts = names.map(it => it.slice(0, domainStart(it)));
  if (names.some(it => it.length > LONG) && new Set(hosts).size === names.length) return hosts;
  const [first, ...others] = names;
  const domain = others.reduce((shared, it) => commonDomain(shared, it), first.slice(domainStart(first)));
  return names.map(it => it.slice(0, it.length - domain.length));
}

/**
 * Leaves out what names with the same first part share behind it, as the nodes of a pool do ("gpu-7f3c9a1e-p9aa"), of
 * names that are long. At least the last characters stay.
 */
function withoutMiddles(names: readonly string[]): readonly string[] {
  const parts = names.map(it => it.split('-'));
  const shared = commonCount(parts);
  const poolsOf = new Map(names.map((name, i) => [name, (parts[i] ?? []).slice(0, shared + 1).join('-')]));
  const poolOf = (name: string): string => poolsOf.get(name) ?? name;
  const pools = grouped(names, poolOf);
  const commonLengths = new Map([...pools].map(([pool, its]) => [pool, its.reduce(commonStart).length]));
  const shortened = names.map(name => {
    const pool = poolOf(name);
    const head = pool.length + 1;
    const end = Math.min(commonLengths.get(pool) ?? 0, name.length - LAST);
    return name.length <= LONG || end - head < LEAST ? name : `${name.slice(0, head)}…${name.slice(end)}`;
  });
  return new Set(shortened).size === new Set(names).size ? shortened : names;
}

/** How many first parts all lists share. */
function commonCount([first = [], ...others]: readonly (readonly string[])[]): number {
  const end = first.findIndex((it, i) => others.some(other => other[i] !== it));
  return end < 0 ? first.length : end;
}

function domainStart(name: string): number {
  const dot = name.indexOf('.');
  return dot < 0 ? name.length : dot;
}

/** The longest ending of whole labels that a name shares with a domain. */
function commonDomain(domain: string, name: string): string {
  const ends = [...domain.matchAll(/\./g)].map(it => domain.slice(it.index));
  return ends.find(it => name.length > it.length && name.endsWith(it)) ?? '';
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
}
