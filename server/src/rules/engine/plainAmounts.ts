import { asObject, type JsonObject, type JsonValue } from '../../base/json';
import type { TextCounts } from './plainTexts';

/** The resources whose amounts are replaced, in forms that the server keeps as they are written. */
const PLAIN_FORMS: readonly (readonly [resource: string, form: RegExp])[] = [
  ['cpu', /^[1-9]\d{0,5}m$/],
  ['memory', /^[1-9]\d{0,5}[KMG]i$/],
];

const UNITS: Readonly<Record<string, number>> = { m: 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

export interface PlainAmounts {
  /** By their text: how often each is requested or limited, longer texts first. */
  readonly counts: TextCounts;
  /** How requests compare with limits, container by container. */
  readonly order: string;
}

/**
 * The amounts of CPU and memory that containers request and that limit them. In these forms rules only compare a request
 * with its limit. Where the Pod has resources of its own, the server adds amounts up, so that none are given.
 */
export function plainAmounts(podSpec: JsonObject | undefined, containers: readonly JsonValue[]): PlainAmounts {
  const counts = new Map<string, number>();
  let order = '';
  if (podSpec?.resources !== undefined) return { counts: [], order };
  for (const it of containers) {
    const { requests, limits } = asObject(asObject(it)?.resources) ?? {};
    for (const [resource, form] of PLAIN_FORMS) {
      const both = [asObject(requests)?.[resource], asObject(limits)?.[resource]].filter(it => it !== undefined);
      // Beside another form an amount has a meaning of its own.
      if (!both.every(it => typeof it === 'string' && form.test(it))) continue;
      for (const text of both as readonly string[]) counts.set(text, (counts.get(text) ?? 0) + 1);
      const [request, limit] = (both as readonly string[]).map(amountOf);
      if (request !== undefined && limit !== undefined) order += Math.sign(request - limit);
    }
  }
  return { counts: [...counts].sort(([a], [b]) => b.length - a.length), order };
}

function amountOf(text: string): number {
  const unit = text.replace(/^\d+/, '');
  return Number(text.slice(0, -unit.length)) * (UNITS[unit] ?? 1);
}
