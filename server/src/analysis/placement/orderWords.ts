import type { EnvironmentPlacement } from './environmentPlacement';

/** `a`, `b ×2`: equal names in a row are counted. */
export function inARow(names: readonly string[]): readonly string[] {
  const rows: { readonly name: string; count: number }[] = [];
  for (const name of names) {
    const last = rows.at(-1);
    if (last?.name === name) last.count += 1;
    else rows.push({ name, count: 1 });
  }
  return rows.map(it => (it.count > 1 ? `${it.name} ×${it.count}` : it.name));
}

/** The workload that makes the Pod, or the Pod itself. */
export function namesIn(placement: EnvironmentPlacement): (pod: string) => string {
  const pods = new Map(placement.pods.map(it => [it.id, it]));
  return id => {
    const pod = pods.get(id);
    return (pod && placement.ownerOf(pod)?.name) ?? id.slice(id.indexOf('/') + 1);
  };
}

/** Large counts as a power of ten. */
export function inDigits(count: bigint): string {
  const digits = String(count);
  return digits.length < 10 ? digits : `10^${digits.length - 1}`;
}
