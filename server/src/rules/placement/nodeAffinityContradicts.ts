import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { grouped } from '../../base/multiMap';
import { quoted } from '../../base/quoted';
import { parseInt64, type Requirement, type SelectorOperator } from '../../kube/labelSelector';
import type { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { defineRule, type Finding } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

interface Facts {
  readonly reason: string;
  /** What becomes of the Pod: no node at all, one term less, or a preference without effect. */
  readonly effect: 'noNode' | 'noTerm' | 'noPreference';
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/node-affinity-contradicts',
    category: 'placement',
    severity: 'error',
    cost: 'typing',
    summary: 'A term of a node affinity contradicts itself or the nodeSelector, so that no node can match it.',
    why: 'All requirements of a term must hold, and those of nodeSelector with them. If no term can match, the Pod stays Pending on every cluster.',
    remedy: 'Remove one of the two requirements, or write alternatives as two terms.',
    details:
      'Said without any Node: no labels meet the term. `Gt` and `Lt` compare whole numbers; with anything else the term matches nothing, as does a term that is empty. Where another term can still match, or the term is only preferred, it is a warning.',
    source: { project: 'kubernetes', symbol: 'nodeaffinity.NewLazyErrorNodeSelector', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#node-affinity',
  },
  on: 'podSpec',

  *check(target) {
    const place = podSpecOf(target);
    const affinity = asObject(fieldAt(place?.spec, 'affinity', 'nodeAffinity'));
    if (place === undefined || affinity === undefined) return;
    const own = nodeSelectorOf(place.spec, place.at);
    const at = place.at.child('affinity', 'nodeAffinity');
    const required = asList(fieldAt(affinity, REQUIRED, 'nodeSelectorTerms'));
    const terms = required.map((it, i) => conflictIn(it, at.child(REQUIRED, 'nodeSelectorTerms').index(i), own));
    const effect = terms.every(it => it !== undefined) ? 'noNode' : 'noTerm';
    for (const it of terms) if (it !== undefined) yield findingFor(it, effect);
    for (const [i, it] of asList(affinity[PREFERRED]).entries()) {
      const term = asObject(it)?.preference;
      // An empty preference is skipped, as is meant.
      const found = isEmptyTerm(term)
        ? undefined
        : conflictIn(term, at.child(PREFERRED).index(i).child('preference'), own);
      if (found !== undefined) yield findingFor(found, 'noPreference');
    }
  },

  message: ({ facts: { reason, effect } }) => `${reason}, ${EFFECTS[effect]()}`,
});

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const EFFECTS: Readonly<Record<Facts['effect'], () => string>> = {
  noNode: () => t('so no node of any cluster takes the Pod'),
  noTerm: () => t('so this term matches no node'),
  noPreference: () => t('so this preference has no effect'),
};

interface Conflict {
  readonly at: FieldPath;
  readonly reason: string;
}

function findingFor({ at, reason }: Conflict, effect: Facts['effect']): Finding<Facts> {
  return { at, part: 'value', facts: { reason, effect }, severity: effect === 'noNode' ? 'error' : 'warning' };
}

interface Placed extends Requirement {
  readonly at: FieldPath;
  readonly of: 'labels' | 'fields' | 'nodeSelector';
}

/** The first contradiction in a term, and where to change it. */
function conflictIn(term: JsonValue | undefined, at: FieldPath, own: readonly Placed[]): Conflict | undefined {
  const written = requirementsOf(term, at);
  if (written.length === 0) {
    return isEmptyTerm(term) ? { at, reason: t('this term is empty and matches no node') } : undefined;
  }
  const unread = written.find(it => isComparison(it) && !isComparable(it));
  if (unread !== undefined) {
    return { at: unread.at, reason: t`${shown(unread)} compares with no whole number of 64 bits` };
  }
  const all = [...own, ...written];
  for (const group of grouped(all, it => `${it.of === 'fields'} ${it.key}`).values()) {
    const last = group.at(-1);
    if (last === undefined || last.of === 'nodeSelector' || isPossible(group)) continue;
    const pair = pairIn(group);
    const [a, b] = pair ?? [];
    if (a !== undefined && b !== undefined)
      return { at: b.at, reason: t`no node meets both ${shown(a)} and ${shown(b)}` };
    return { at: last.at, reason: t`no node meets all ${group.length} requirements on ${last.key}` };
  }
  return undefined;
}

/** Upstream: nodeaffinity.isEmptyNodeSelectorTerm. */
function isEmptyTerm(term: JsonValue | undefined): boolean {
  const lists = [asObject(term)?.matchExpressions, asObject(term)?.matchFields];
  return lists.every(it => asList(it).length === 0);
}

/** Two requirements that exclude each other; of very many, no two are looked for. */
function pairIn(group: readonly Placed[]): readonly [Placed, Placed] | undefined {
  if (group.length > MOST_COMPARED) return undefined;
  for (const [i, b] of group.entries()) {
    const a = group.slice(0, i).find(it => !isPossible([it, b]));
    if (a !== undefined) return [a, b];
  }
  return undefined;
}

/** Whether some value, or a missing label, meets all requirements of one key. Linear in what is written. */
function isPossible(group: readonly Requirement[]): boolean {
  const isAbsent = group.some(it => it.operator === 'DoesNotExist');
  const needsLabel = group.some(it => it.operator !== 'DoesNotExist' && it.operator !== 'NotIn');
  if (isAbsent || !needsLabel) return !(isAbsent && needsLabel);
  const valuesOf = (operator: SelectorOperator) => group.filter(it => it.operator === operator).map(it => it.values);
  const excluded = new Set(valuesOf('NotIn').flat());
  const above = greatest(valuesOf('Gt').flatMap(([it = '']) => parseInt64(it) ?? []));
  const below = greatest(valuesOf('Lt').flatMap(([it = '']) => -(parseInt64(it) ?? 0n)));
  const isFree = (value: string): boolean => !excluded.has(value) && isWithin(value, above, below && -below);
  const listed = valuesOf('In').reduce<ReadonlySet<string> | undefined>(common, undefined);
  if (listed !== undefined) return [...listed].some(isFree);
  if (above === undefined && below === undefined) return true;
  // The number next to a bound, or the first beyond it that is not excluded.
  const step = above === undefined ? -1n : 1n;
  let value = (above ?? -below!) + step;
  while (excluded.has(String(value))) value += step;
  return isFree(String(value));
}

function common(known: ReadonlySet<string> | undefined, values: readonly string[]): ReadonlySet<string> {
  const others = new Set(values);
  if (known === undefined) return others;
  const [few, many] = known.size < others.size ? [known, others] : [others, known];
  return new Set([...few].filter(it => many.has(it)));
}

function greatest(numbers: readonly bigint[]): bigint | undefined {
  return numbers.reduce<bigint | undefined>((most, it) => (most === undefined || it > most ? it : most), undefined);
}

function isWithin(value: string, above: bigint | undefined, below: bigint | undefined): boolean {
  if (above === undefined && below === undefined) return true;
  const number = parseInt64(value);
  if (number === undefined) return false;
  return (above === undefined || number > above) && (below === undefined || number < below);
}

const MOST_COMPARED = 50;

function isComparison({ operator }: Requirement): boolean {
  return operator === 'Gt' || operator === 'Lt';
}

/** A requirement with another number of values is refused by the API server. */
function isComparable({ values }: Requirement): boolean {
  return values.length !== 1 || parseInt64(values[0] ?? '') !== undefined;
}

function nodeSelectorOf(spec: JsonObject, at: FieldPath): readonly Placed[] {
  return Object.entries(asObject(spec.nodeSelector) ?? {}).flatMap(([key, value]): readonly Placed[] =>
    typeof value === 'string'
      ? [{ key, operator: 'In', values: [value], at: at.child('nodeSelector').key(key), of: 'nodeSelector' }]
      : [],
  );
}

const OPERATORS: readonly SelectorOperator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];

function requirementsOf(term: JsonValue | undefined, at: FieldPath): readonly Placed[] {
  const read = (field: 'matchExpressions' | 'matchFields', of: Placed['of']): readonly Placed[] =>
    asList(asObject(term)?.[field]).flatMap((it, i): readonly Placed[] => {
      const written = asObject(it);
      const operator = OPERATORS.find(name => name === written?.operator);
      const values = asList(written?.values).filter(value => typeof value === 'string');
      const key = asText(written?.key);
      if (operator === undefined || key === undefined) return [];
      // The API server refuses In and NotIn without values.
      if (values.length === 0 && (operator === 'In' || operator === 'NotIn')) return [];
      return [{ key, operator, values, at: at.child(field).index(i), of }];
    });
  return [...read('matchExpressions', 'labels'), ...read('matchFields', 'fields')];
}

function shown({ key, operator, values, of }: Placed): string {
  if (of === 'nodeSelector') return `${key}=${values[0]} of nodeSelector`;
  return `${key} ${operator}${values.length === 0 ? '' : ` ${values.map(quoted).join(', ')}`}`;
}
