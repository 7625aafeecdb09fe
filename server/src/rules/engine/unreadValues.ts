import type { JsonObject, JsonValue } from '../../base/json';
import type { FieldPath } from '../../manifest/fieldPath';
import type { ExpectedType } from '../decode/decode';
import { decodingOf } from '../decode/decoding';
import type { RuleContext, RuleFinding, RuleTarget } from '../framework/rule';

/** More values are not exchanged: each makes a copy of what it is in. */
const MOST_VALUES = 100;

/**
 * An object as it may be once other tools have set some values: without them, and with plausible ones. What is wrong in both is
 * wrong whatever they are. undefined where a value cannot be left out.
 * @param undecoded The findings that say that the server cannot decode these values.
 */
export function possibleTargets(
  target: RuleTarget,
  undecoded: readonly RuleFinding[],
  context: RuleContext,
): readonly [RuleTarget, RuleTarget] | undefined {
  const types = new Map<string, ExpectedType>();
  for (const it of decodingOf(target, context)) if (it.what === 'mismatch') types.set(it.at.toString(), it.wanted);
  let [without, plausible] = [target.value, target.value];
  const places = new Map(undecoded.map(({ finding: { at } }) => [at.toString(), at]));
  if (places.size > MOST_VALUES) return undefined;
  for (const [text, { segments }] of places) {
    const type = types.get(text);
    // An item that is left out moves the others.
    if (type === undefined || segments.length === 0 || typeof segments.at(-1) === 'number') return undefined;
    without = changedAt(without, segments, undefined) as JsonObject;
    plausible = changedAt(plausible, segments, SAMPLES[type]) as JsonObject;
  }
  return [
    { ...target, value: without },
    { ...target, value: plausible },
  ];
}

/** The findings that are also among others: of the same rule, at the same place, of the same kind. */
export function inBoth(found: readonly RuleFinding[], others: readonly RuleFinding[]): readonly RuleFinding[] {
  const there = new Set(others.map(keyOf));
  return found.filter(it => there.has(keyOf(it)));
}

const keyOf = ({ rule, finding: { at, part, errorType = '', fieldPath = '' } }: RuleFinding): string =>
  JSON.stringify([rule.meta.code, at.toString(), part, errorType, fieldPath]);

/** Values that most fields of a type accept. */
const SAMPLES: Readonly<Record<ExpectedType, JsonValue>> = {
  string: 'a',
  boolean: true,
  integer: 1,
  int32: 1,
  int64: 1,
  number: 1,
  intOrString: 1,
  quantity: '1',
  time: '2020-01-01T00:00:00Z',
  microTime: '2020-01-01T00:00:00.000000Z',
  duration: '1s',
  bytes: '',
  list: [],
  map: {},
  object: {},
  any: null,
};

/** A copy with another value at a place, or without it; what is beside it is shared. */
function changedAt(
  value: JsonValue | undefined,
  [segment, ...rest]: FieldPath['segments'],
  to: JsonValue | undefined,
): JsonValue | undefined {
  if (segment === undefined) return to;
  if (typeof segment === 'number') {
    if (!Array.isArray(value)) return value;
    return value.map((it: JsonValue, i) => (i === segment ? (changedAt(it, rest, to) ?? null) : it));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const name = typeof segment === 'string' ? segment : segment.key;
  const { [name]: before, ...others } = value as JsonObject;
  const now = changedAt(before, rest, to);
  return now === undefined ? others : { ...others, [name]: now };
}
