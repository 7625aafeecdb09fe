import { CelFailure, type CelList, type CelValue, isFailure, listOf } from './values';

/** Upstream: github.com/google/cel-go/ext.Strings, version 2. */

const outOfRange = (index: bigint): CelFailure => new CelFailure(`index out of range: ${index}`);
const pointsOf = (text: string): readonly string[] => [...text];

export function charAt(text: string, index: bigint): CelValue {
  const points = pointsOf(text);
  if (index < 0n || index > BigInt(points.length)) return outOfRange(index);
  return points[Number(index)] ?? '';
}

export function substring(text: string, start: bigint, end?: bigint): CelValue {
  const points = pointsOf(text);
  const length = BigInt(points.length);
  if (end !== undefined && start > end) {
    return new CelFailure(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > length) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > length)) return outOfRange(end);
  return points.slice(Number(start), Number(end ?? length)).join('');
}

export function indexOf(text: string, part: string, offset = 0n): CelValue {
  if (offset < 0n) return outOfRange(offset);
  const points = pointsOf(text);
  if (part === '') return offset > BigInt(points.length) ? BigInt(points.length) : offset;
  if (offset >= BigInt(points.length)) return -1n;
  const skipped = points.slice(0, Number(offset)).join('').length;
  const found = text.indexOf(part, skipped);
  return found < 0 ? -1n : BigInt(pointsOf(text.slice(0, found)).length);
}

export function lastIndexOf(text: string, part: string, offset?: bigint): CelValue {
  const points = pointsOf(text);
  const length = BigInt(points.length);
  if (offset === undefined) {
    if (part === '') return length;
    return text.length < part.length ? -1n : lastIndexOf(text, part, length - 1n);
  }
  if (offset < 0n) return outOfRange(offset);
  if (part === '') return offset > length ? length : offset;
  if (offset >= length) return -1n;
  const size = pointsOf(part).length;
  const last = Math.min(Number(offset), points.length - size);
  if (last < 0) return -1n;
  const found = text.lastIndexOf(part, points.slice(0, last).join('').length);
  return found < 0 ? -1n : BigInt(pointsOf(text.slice(0, found)).length);
}

export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, it => it.toLowerCase());
export const upperAscii = (text: string): string => text.replace(/[a-z]+/g, it => it.toUpperCase());

/** Upstream: strings.TrimSpace. */
const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const OUTER_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, 'g');
export const trim = (text: string): string => text.replace(OUTER_SPACE, '');

/** Upstream: strings.Replace, by which an empty text is found before each character and at the end. */
export function replace(text: string, old: string, by: string, count = -1n): string {
  if (count === 0n || old === by) return text;
  const parts = old === '' ? ['', ...pointsOf(text), ''] : text.split(old);
  const most = count < 0n ? parts.length : Number(count);
  if (most >= parts.length - 1) return parts.join(by);
  return `${parts.slice(0, most).join(by)}${most === 0 ? '' : by}${parts.slice(most).join(old)}`;
}

/** Upstream: strings.SplitN. */
export function split(text: string, separator: string, count = -1n): CelValue {
  const parts = separator === '' ? [...pointsOf(text)] : text.split(separator);
  if (count < 0n || count >= BigInt(parts.length)) return listOf(parts);
  if (count === 0n) return listOf([]);
  const kept = Number(count) - 1;
  return listOf([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
}

export function join(list: CelList, separator = ''): CelValue {
  const parts: string[] = [];
  for (let i = 0; i < list.size; i++) {
    const item = list.at(i);
    if (typeof item !== 'string') {
      return isFailure(item) ? item : new CelFailure(`join: invalid input: ${String(item)}`);
    }
    parts.push(item);
  }
  return parts.join(separator);
}
