import { t } from '../../../base/l10n';
import { printed } from '../../../base/printed';
import { parseQuantity, quantityMilliValue, quantityValue } from '../../../kube/quantity';
import type { LimitRange, ResourceList } from '../../../kube/types';
import { amountLike } from '../amounts';
import { type ChangeCandidate, type ChangeKind, type Situation, specEdit } from '../candidate';
import type { Edit, PathStep } from '../edits';

const PLUGIN = 'LimitRanger';

type Field = 'min' | 'max' | 'maxLimitRequestRatio';

/** One error of the LimitRanger, parsed from its message. */
interface Complaint {
  readonly field: Field;
  readonly resource: string;
  readonly type: string;
  readonly bound: number;
  /** The bound as in the message. */
  readonly written: string;
}

const COMPLAINT =
  /(?:(minimum|maximum) (\S+) usage|(\S+) max limit to request ratio) per (Container|Pod) is ([^\s,.]+(?:\.\d+)?)/g;

/** Resolves a LimitRange's refusal: each amount set to its bound, or the LimitRange changed. */
export function keepLimits(situation: Situation): readonly ChangeCandidate[] {
  const { message = '' } = situation.heldBack ?? {};
  const complaints = [...message.matchAll(COMPLAINT)].flatMap(it => complaintOf(it) ?? []);
  if (complaints.length === 0) return [];
  return [...atBounds(situation, complaints), ...rangeChanges(situation, complaints)];
}

function complaintOf([, end, amount, ratioOf, type = '', text = '']: RegExpMatchArray): Complaint | undefined {
  const quantity = parseQuantity(text);
  const resource = amount ?? ratioOf;
  if (quantity === undefined || resource === undefined) return undefined;
  const field = ratioOf !== undefined ? 'maxLimitRequestRatio' : end === 'minimum' ? 'min' : 'max';
  const isMilli = resource === 'cpu' || field === 'maxLimitRequestRatio';
  const bound = isMilli ? quantityMilliValue(quantity) : quantityValue(quantity);
  return { field, resource, type, bound: field === 'maxLimitRequestRatio' ? bound / 1000 : bound, written: text };
}

interface Amounts {
  readonly path: readonly PathStep[];
  readonly name: string;
  readonly request: number | undefined;
  readonly limit: number | undefined;
  readonly written: { readonly requests: string; readonly limits: string };
}

/** Resolves all errors together, since one alone leaves the Pod refused; changes what is written of a container. */
function atBounds(situation: Situation, complaints: readonly Complaint[]): readonly ChangeCandidate[] {
  const wanted = new Map<string, RequiredAmounts>();
  for (const it of complaints) for (const change of answers(it, amountsIn(situation, it.resource))) put(wanted, change);
  const changes = [...wanted.values()];
  if (changes.length === 0) return [];
  const words = changes.map(({ list, resource, text, name, before }) => {
    if (list === 'requests')
      return before === ''
        ? t`request ${resource} of ${text} (container ${name})`
        : t`request ${resource} of ${text} instead of ${before} (container ${name})`;
    return before === ''
      ? t`limit ${resource} to ${text} (container ${name})`
      : t`limit ${resource} to ${text} instead of ${before} (container ${name})`;
  });
  const edits = changes.map(it =>
    specEdit(situation.holder, [...it.path, 'resources', it.list, it.resource], 'set', it.text),
  );
  return [change('refused', words.join(', '), 2, edits)];
}

interface RequiredAmounts {
  readonly path: readonly PathStep[];
  readonly name: string;
  readonly list: 'requests' | 'limits';
  readonly resource: string;
  readonly text: string;
  readonly before: string;
}

/** A later error about the same amount repeats or tightens it. */
function put(wanted: Map<string, RequiredAmounts>, it: RequiredAmounts): void {
  wanted.set(`${it.path.join()} ${it.list} ${it.resource}`, it);
}

function answers(
  { field, resource, type, bound, written }: Complaint,
  all: readonly Amounts[],
): readonly RequiredAmounts[] {
  const set = (it: Amounts, list: RequiredAmounts['list'], amount: number): RequiredAmounts => {
    const before = it.written[list];
    const text = amountLike(resource, before === '' ? written : before, amount);
    return { path: it.path, name: it.name, list, resource, text, before };
  };
  if (type === 'Pod') return ofWholePod(field, bound, all, set);
  return all.flatMap((it): readonly RequiredAmounts[] => {
    const { request = 0, limit } = it;
    if (field === 'min') {
      return [
        ...(request < bound ? [set(it, 'requests', bound)] : []),
        ...(limit !== undefined && limit < bound ? [set(it, 'limits', bound)] : []),
      ];
    }
    if (field === 'max') {
      return [
        ...(limit === undefined || limit > bound ? [set(it, 'limits', bound)] : []),
        ...(request > bound ? [set(it, 'requests', bound)] : []),
      ];
    }
    return limit !== undefined && limit > request * bound ? [set(it, 'requests', Math.ceil(limit / bound))] : [];
  });
}

/** An excess or a deficit of the whole Pod is assigned to the container with the largest amount. */
function ofWholePod(
  field: Field,
  bound: number,
  all: readonly Amounts[],
  set: (it: Amounts, list: RequiredAmounts['list'], amount: number) => RequiredAmounts,
): readonly RequiredAmounts[] {
  return (['requests', 'limits'] as const).flatMap(list => {
    const of = (it: Amounts): number => (list === 'requests' ? it.request : it.limit) ?? 0;
    const sum = all.reduce((total, it) => total + of(it), 0);
    const [most] = [...all].sort((a, b) => of(b) - of(a));
    const isWrong = field === 'min' ? sum < bound : field === 'max' && sum > bound;
    const amount = most === undefined ? 0 : of(most) + bound - sum;
    return most !== undefined && isWrong && sum > 0 && amount > 0 ? [set(most, list, amount)] : [];
  });
}

function amountsIn({ holder }: Situation, resource: string): readonly Amounts[] {
  return (['containers', 'initContainers'] as const).flatMap(field =>
    (holder.spec[field] ?? []).map(({ name = '', resources }, i): Amounts => {
      const amount = (list: ResourceList | undefined): number | undefined => {
        const quantity = list?.[resource] === undefined ? undefined : parseQuantity(printed(list[resource]));
        return quantity && (resource === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity));
      };
      const written = (list: ResourceList | undefined): string =>
        list?.[resource] === undefined ? '' : printed(list[resource]);
      const limit = amount(resources?.limits);
      return {
        path: [field, i],
        name,
        // A limit without a request is also the request.
        request: amount(resources?.requests) ?? limit,
        limit,
        written: { requests: written(resources?.requests), limits: written(resources?.limits) },
      };
    }),
  );
}

/** Changes the bounds, where LimitRanges of the namespace are written. */
function rangeChanges({ documents, pod }: Situation, complaints: readonly Complaint[]): readonly ChangeCandidate[] {
  const ranges = documents.ofKind('', 'LimitRange') as readonly unknown[] as readonly LimitRange[];
  const own = ranges.filter(it => (it.metadata?.namespace ?? 'default') === pod.namespace);
  return own.flatMap(range => {
    const name = range.metadata?.name ?? '';
    const object = { group: '', kind: 'LimitRange', namespace: pod.namespace, name };
    const edits = (range.spec?.limits ?? []).flatMap((item, i) =>
      complaints
        .filter(({ type, field, resource, written }) => item.type === type && isBound(item[field]?.[resource], written))
        .map(({ field, resource }): Edit => {
          const path = ['spec', 'limits', i, field, resource];
          return { object, path, action: 'remove' };
        }),
    );
    const distinct = edits.filter((it, i) => edits.findIndex(other => `${other.path}` === `${it.path}`) === i);
    if (distinct.length === 0) return [];
    const fieldsText = distinct.map(it => `${String(it.path[3])} ${String(it.path[4])}`).join(', ');
    return [change('refused', t`take ${fieldsText} out of the LimitRange ${name}`, 6, distinct)];
  });
}

function isBound(value: unknown, written: string): boolean {
  const [a, b] = [parseQuantity(printed(value ?? '')), parseQuantity(written)];
  return a !== undefined && b !== undefined && quantityMilliValue(a) === quantityMilliValue(b);
}

function change(kind: ChangeKind, words: string, cost: number, edits: readonly Edit[]): ChangeCandidate {
  return { kind, plugin: PLUGIN, words, edits, cost, verifiedBy: 'run' };
}
