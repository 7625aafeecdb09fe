import { durationError } from '../../../kube/goDuration';

const NANOSECONDS: readonly (readonly [string, number])[] = [
  ['h', 3600e9],
  ['m', 60e9],
  ['s', 1e9],
  ['ms', 1e6],
  ['us', 1e3],
  ['µs', 1e3],
  ['μs', 1e3],
  ['ns', 1],
];

const SMALL = [
  ['ms', 1e6],
  ['µs', 1e3],
] as const;

/** Nanoseconds of a duration such as `1h30m`; 0 for an invalid one. Upstream: time.ParseDuration. */
export function nanoseconds(text: string): number {
  if (durationError(text) !== undefined) return 0;
  const sign = text.startsWith('-') ? -1 : 1;
  const parts = [...text.replace(/^[-+]/, '').matchAll(/(\d+(?:\.\d*)?|\.\d+)([a-zµμ]+)/g)];
  const sizes = new Map(NANOSECONDS);
  return (
    sign * parts.reduce((acc, [, amount, unit]) => acc + Math.trunc(Number(amount) * (sizes.get(unit ?? '') ?? 0)), 0)
  );
}

/** A duration as Go prints it: `1m0s`, `1.5s`, `2ms`. Upstream: time.Duration.String. */
export function durationText(duration: number): string {
  const sign = duration < 0 ? '-' : '';
  const all = Math.abs(duration);
  if (all === 0) return '0s';
  if (all < 1e9) {
    const [unit, size] = SMALL.find(it => it[1] <= all) ?? ['ns', 1];
    return `${sign}${all / size}${unit}`;
  }
  const hours = Math.trunc(all / 3600e9);
  const minutes = Math.trunc((all % 3600e9) / 60e9);
  const seconds = `${(all % 60e9) / 1e9}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}
