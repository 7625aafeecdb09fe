import { isUint64, parseDouble, parseInt64, parseUint64, plainDouble, shortDouble } from './numbers';
import { ofUnixSeconds, parseDuration, parseTime, timestampOf, timeText, unixSeconds } from './time';
import { CelDuration, CelFailure, CelTimestamp, CelTypeName, CelUint, type CelValue, typeName } from './values';

/** Upstream: ref.Val.ConvertToType, by the name of the function. */
export const CONVERSIONS: Readonly<Record<string, (value: CelValue) => CelValue>> = {
  int: toInt,
  uint: toUint,
  double: toDouble,
  string: toText,
  bool: value => (typeof value === 'string' ? truthOf(value) : undefined) ?? same(value, 'bool'),
  bytes: value => (typeof value === 'string' ? Buffer.from(value) : same(value, 'bytes')),
  duration: value =>
    (typeof value === 'string' ? parseDuration(value) : undefined) ?? same(value, 'google.protobuf.Duration'),
  timestamp: toTime,
  type: value => new CelTypeName(typeName(value)),
  dyn: value => value,
};

function same(value: CelValue, type: string): CelValue {
  const from = typeName(value);
  return from === type ? value : new CelFailure(`type conversion error from '${from}' to '${type}'`);
}

function toInt(value: CelValue): CelValue {
  if (typeof value === 'number') {
    // The least integer counts as too small.
    return Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : new CelFailure('integer overflow');
  }
  if (value instanceof CelUint) return value.value < 2n ** 63n ? value.value : new CelFailure('integer overflow');
  if (value instanceof CelTimestamp) return unixSeconds(value);
  if (value instanceof CelDuration) return value.nanos;
  return (typeof value === 'string' ? parseInt64(value) : undefined) ?? same(value, 'int');
}

function toUint(value: CelValue): CelValue {
  const overflow = () => new CelFailure('unsigned integer overflow');
  if (typeof value === 'bigint') return isUint64(value) ? new CelUint(value) : overflow();
  if (typeof value === 'number') {
    return value >= 0 && value < 2 ** 64 ? new CelUint(BigInt(Math.trunc(value))) : overflow();
  }
  const read = typeof value === 'string' ? parseUint64(value) : undefined;
  return read === undefined ? same(value, 'uint') : new CelUint(read);
}

function toDouble(value: CelValue): CelValue {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelUint) return Number(value.value);
  return (typeof value === 'string' ? parseDouble(value) : undefined) ?? same(value, 'double');
}

export function toText(value: CelValue): CelValue {
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return shortDouble(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp) return timeText(value);
  if (value instanceof CelDuration) return durationText(value);
  if (value instanceof CelTypeName) return value.name;
  if (value instanceof Uint8Array) return textOf(value);
  return same(value, 'string');
}

/** Upstream: Duration.Seconds, printed as it is. */
function durationText({ nanos }: CelDuration): string {
  const second = 1_000_000_000n;
  return `${plainDouble(Number(nanos / second) + Number(nanos % second) / 1e9)}s`;
}

function textOf(bytes: Uint8Array): CelValue {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelFailure('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function toTime(value: CelValue): CelValue {
  if (typeof value === 'bigint') return ofUnixSeconds(value);
  const read = typeof value === 'string' ? parseTime(value, 'required') : undefined;
  return read === undefined ? same(value, 'google.protobuf.Timestamp') : timestampOf(read.nanos, read.offset);
}

/** Upstream: strconv.ParseBool. */
function truthOf(text: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : undefined;
}
