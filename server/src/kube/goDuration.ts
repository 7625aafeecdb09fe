/** Nanoseconds of each unit. */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};

const LONGEST = 2 ** 63;

/** The error in a duration like `1h30m`; undefined for a valid one. Upstream: Go's time.ParseDuration. */
export function durationError(text: string): string | undefined {
  const bad = (): string => `time: invalid duration ${quote(text)}`;
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return undefined;
  if (unsigned === '') return bad();
  let [rest, nanoseconds] = [unsigned, 0];
  while (rest !== '') {
    const amount = /^(\d+(\.\d*)?|\.\d+)/.exec(rest)?.[0];
    if (amount === undefined) return bad();
    rest = rest.slice(amount.length);
    const unit = /^[^.\d]*/.exec(rest)?.[0] ?? '';
    if (unit === '') return `time: missing unit in duration ${quote(text)}`;
    const size = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (size === undefined) return `time: unknown unit ${quote(unit)} in duration ${quote(text)}`;
    rest = rest.slice(unit.length);
    nanoseconds += Number(amount) * size;
    if (nanoseconds > LONGEST || (nanoseconds === LONGEST && !text.startsWith('-'))) return bad();
  }
  return undefined;
}

/** Upstream: the quote function of Go's time package, which escapes all but plain ASCII byte by byte. */
function quote(text: string): string {
  const escaped = [...new TextEncoder().encode(text)].map(byte => {
    if (byte < 0x20 || byte >= 0x80) return `\\x${byte.toString(16).padStart(2, '0')}`;
    const character = String.fromCharCode(byte);
    return character === '"' || character === '\\' ? `\\${character}` : character;
  });
  return `"${escaped.join('')}"`;
}
