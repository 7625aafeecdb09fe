const SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };

/** Seconds of a Go duration such as `1h30m`; NaN for an invalid one. */
export function secondsOf(text: string): number {
  if (!/^(?:\d+(?:\.\d*)?(?:h|m|s|ms|us|µs|ns))+$/.test(text)) return Number.NaN;
  const parts = [...text.matchAll(/(\d+(?:\.\d*)?)(h|ms|m|s|us|µs|ns)/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (SECONDS[unit ?? ''] ?? 0), 0);
}
