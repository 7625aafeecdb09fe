/** Fewer characters than this are not worth an ellipsis. */
const LEAST = 6;

/**
 * Shortens names of machines for a narrow place: a domain that all of them share is left out, and so is a beginning up to
 * a hyphen, for which `…` stands. Different names stay different. One name alone is left as it is.
 */
export function foldedNames(names: readonly string[]): (name: string) => string {
  const [first, ...others] = [...new Set(names)];
  if (first === undefined || others.length === 0) return name => name;
  const domain = others.reduce((shared, it) => commonDomain(shared, it), first.slice(domainStart(first)));
  const bare = [first, ...others].map(it => it.slice(0, it.length - domain.length));
  const start = bare.reduce(commonStart);
  const beginning = start.slice(0, start.lastIndexOf('-') + 1);
  const left = beginning.length >= LEAST ? beginning.length : 0;
  const folded = new Map(
    [first, ...others].map((name, i) => [name, `${left > 0 ? '…' : ''}${bare[i]?.slice(left) ?? name}`]),
  );
  return name => folded.get(name) ?? name;
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
