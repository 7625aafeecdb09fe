const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'] as const;
const DECIMAL = ['', 'k', 'M', 'G', 'T', 'P'] as const;

/** Millicores in the style of the written amount: "1750m", or "1.5" where cores were written. */
export function cpuLike(written: string, milli: number): string {
  if (milli % 1000 === 0) return String(milli / 1000);
  return !written.endsWith('m') && milli % 100 === 0 ? String(milli / 1000) : `${milli}m`;
}

/**
 * At most this many bytes, in the style of the written amount: 3.5Gi where 4Gi was written, 3686Mi where gibibytes
 * would not be a short number. Rounded down to a whole unit of the next smaller one.
 */
export function bytesLike(written: string, bytes: number): string {
  const [, suffix = ''] = /([kKMGTP]i?)$/.exec(written.trim()) ?? [];
  const units: readonly string[] = suffix.endsWith('i') || suffix === '' ? BINARY : DECIMAL;
  const base = units === BINARY ? 1024 : 1000;
  const largest = suffix === '' ? largestUnit(bytes) : units.indexOf(suffix);
  for (let i = largest; i > 0; i -= 1) {
    const amount = bytes / base ** i;
    if (amount >= 1 && Number.isInteger(amount * 8)) return `${amount}${units[i]}`;
    if (i < largest && amount >= 16) return `${Math.floor(amount)}${units[i]}`;
  }
  return String(Math.floor(bytes));
}

function largestUnit(bytes: number): number {
  return Math.min(BINARY.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
}

/**
 * An amount in placement's units (cpu in millicores, all else in its base unit), in the style of the written amount.
 */
export function amountLike(resource: string, written: string, amount: number): string {
  if (resource === 'cpu') return cpuLike(written, amount);
  const isInBytes = resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
  return isInBytes ? bytesLike(written, amount) : String(Math.floor(amount));
}
