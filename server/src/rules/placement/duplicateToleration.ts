import { asList, asObject, asText, type JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { push } from '../../base/multiMap';
import { jsonText, printed } from '../../base/printed';
import { quoted } from '../../base/quoted';
import type { FieldPath } from '../../manifest/fieldPath';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

interface Facts {
  readonly relation: 'equal' | 'covered' | 'otherValue' | 'otherSeconds';
  readonly at: FieldPath;
  readonly otherAt: FieldPath;
  readonly other: number;
  readonly key: string | undefined;
  readonly effect: string | undefined;
  readonly shown: string;
  readonly otherShown: string;
}

interface Toleration {
  readonly index: number;
  readonly key: string | undefined;
  readonly effect: string | undefined;
  readonly exists: boolean;
  readonly operator: string;
  readonly value: string;
  readonly seconds: string | undefined;
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/duplicate-toleration',
    category: 'placement',
    severity: 'warning',
    cost: 'typing',
    summary: 'Two tolerations of a Pod have the same key and effect.',
    why: 'The API server accepts both, and both count: a taint that either one matches is tolerated. One that repeats another has no effect; one with another value is most often a slip.',
    remedy: 'Remove the one that does nothing. Where the values differ, keep both only when both are meant.',
    details: [
      'For placing a Pod, the list of tolerations is an "or": a taint is tolerated when any entry matches it. Order does not matter.',
      '',
      'For eviction by a `NoExecute` taint it does: of all entries that match the taint, the first in the list gives its',
      '`tolerationSeconds`. When several taints are tolerated, the shortest of their times counts.',
      '',
      'The admission plugin PodTolerationRestriction (off by default) let a later value replace an earlier one of the same key',
      'and effect in Kubernetes 1.15. Today it removes only what another toleration covers, so no value is lost.',
      '',
      'A RuntimeClass is stricter: a repeated entry in `scheduling.tolerations` is refused (`apiserver/duplicate-toleration`).',
    ].join('\n'),
    source: { project: 'kubernetes', symbol: 'ValidateTolerations, TolerationsTolerateTaint', fidelity: 'inspired' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/',
  },
  on: 'podSpec',

  *check(target) {
    const place = podSpecOf(target);
    if (place === undefined || asList(place.spec.tolerations).length < 2) return;
    const list = place.at.child('tolerations');
    const tolerations = asList(place.spec.tolerations).flatMap((it, index) => read(asObject(it), index) ?? []);
    const dropped = new Set<number>();
    const earlierOf = createEarlierFinder(dropped);
    for (const one of tolerations) {
      const earlier = earlierOf(one);
      if (earlier === undefined) continue;
      const relation = relationOf(earlier, one);
      // If `Exists` covers a value, the toleration with the value is the useless one, whatever their order.
      const [at, other] = relation === 'covered' && one.exists ? [earlier, one] : [one, earlier];
      if (relation === 'equal' || relation === 'covered') dropped.add(at.index);
      yield {
        at: list.index(at.index),
        part: 'value',
        facts: {
          relation,
          at: list.index(at.index),
          otherAt: list.index(other.index),
          other: other.index,
          key: one.key,
          effect: one.effect,
          shown: show(at),
          otherShown: show(other),
        },
        related: [{ object: target.object, at: list.index(other.index), message: t('the other toleration') }],
        ...((relation === 'equal' || relation === 'covered') && { unnecessary: true as const }),
      };
    }
  },

  message: ({ facts }) => {
    const subject = t`${facts.key === undefined ? t('all keys') : t`key ${quoted(facts.key)}`} and ${facts.effect === undefined ? t('all effects') : t`effect ${facts.effect}`}`;
    switch (facts.relation) {
      case 'equal':
        return t`this toleration repeats tolerations[${facts.other}] and does nothing`;
      case 'covered':
        return t`tolerations[${facts.other}] tolerates every value of ${subject}, so this one does nothing`;
      case 'otherSeconds':
        return t`tolerations[${facts.other}] has the same ${subject} with another tolerationSeconds: the first in the list that matches a taint gives its time`;
      default:
        return t`tolerations[${facts.other}] has the same ${subject} with another value: both count, this one does not replace the other`;
    }
  },

  fixes({ facts }, { object }, _context, edit) {
    if (facts.relation === 'equal' || facts.relation === 'covered') {
      const title =
        facts.relation === 'equal' ? t('Remove the repeated toleration') : t('Remove the toleration that does nothing');
      return [{ title, safety: 'safe', edits: [edit.remove(object, facts.at)] }];
    }
    return [
      { title: t`Keep only ${facts.otherShown}`, safety: 'unsafe', edits: [edit.remove(object, facts.at)] },
      { title: t`Keep only ${facts.shown}`, safety: 'unsafe', edits: [edit.remove(object, facts.otherAt)] },
    ];
  },
});

function read(it: JsonObject | undefined, index: number): Toleration | undefined {
  if (it === undefined) return undefined;
  const operator = asText(it.operator) ?? 'Equal';
  const seconds = it.tolerationSeconds;
  return {
    index,
    key: asText(it.key),
    effect: asText(it.effect),
    exists: operator === 'Exists',
    operator,
    value: asText(it.value) ?? '',
    seconds: seconds === undefined || seconds === null ? undefined : printed(seconds),
  };
}

/**
 * Finds for each toleration, in order, an earlier one with the same key and effect: the first that it repeats, or that
 * covers it or is covered by it, and that is not dropped; else the first of all.
 */
function createEarlierFinder(dropped: ReadonlySet<number>): (one: Toleration) => Toleration | undefined {
  const before = new Map<string, Toleration[]>();
  const firstLeft = (group: string): Toleration | undefined => {
    const list = before.get(group) ?? [];
    // A dropped toleration stays dropped, so that it is visited once.
    while (list[0] !== undefined && dropped.has(list[0].index)) list.shift();
    return list[0];
  };
  const firsts = new Map<string, Toleration>();
  return one => {
    const group = jsonText([one.key, one.effect]);
    const alike = jsonText([group, one.operator, one.value]);
    const withOperator = (operator: string): string => jsonText([group, operator]);
    const other = one.exists ? 'Equal' : one.operator === 'Equal' ? 'Exists' : undefined;
    const near = [alike, ...(other === undefined ? [] : [withOperator(other)])].flatMap(it => firstLeft(it) ?? []);
    const found = near.sort((a, b) => a.index - b.index)[0] ?? firsts.get(group);
    for (const it of [alike, withOperator(one.operator)]) push(before, it, one);
    if (!firsts.has(group)) firsts.set(group, one);
    return found;
  };
}

function relationOf(first: Toleration, second: Toleration): Facts['relation'] {
  const sameMatch = first.operator === second.operator && first.value === second.value;
  const covers = first.exists !== second.exists && [first.operator, second.operator].includes('Equal');
  if (first.seconds !== second.seconds) return sameMatch || covers ? 'otherSeconds' : 'otherValue';
  if (sameMatch) return 'equal';
  return covers ? 'covered' : 'otherValue';
}

function show({ operator, value, seconds }: Toleration): string {
  const what = operator === 'Exists' ? 'operator: Exists' : `${operator === 'Equal' ? 'value' : operator}: ${value}`;
  return seconds === undefined ? what : `${what}, tolerationSeconds: ${seconds}`;
}
