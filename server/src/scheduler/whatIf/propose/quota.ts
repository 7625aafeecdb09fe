import { t } from '../../../base/l10n';
import { smallest } from '../../../base/manyItems';
import { printed } from '../../../base/printed';
import { isExtendedResource } from '../../../cluster/resources/resources';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from '../../../kube/quantity';
import { amountLike } from '../amounts';
import { type ChangeCandidate, type Situation, specEdit } from '../candidate';
import { type Edit, type PathStep, valueIn } from '../edits';
import { countOf } from './replicas';

const PLUGIN = 'ResourceQuota';

const EXCEEDED = /exceeded quota: (\S+), requested: (\S+), used: (\S+), limited: (\S+)/;
const SILENT = /failed quota: (\S+): must specify (.+)$/;

type Amounts = ReadonlyMap<string, Quantity>;

/** Resolves a ResourceQuota's refusal: less for each Pod, or more in the quota. */
export function keepQuota(situation: Situation): readonly ChangeCandidate[] {
  const { message = '' } = situation.heldBack ?? {};
  const exceeded = EXCEEDED.exec(message);
  if (exceeded) {
    const [, name = '', requested, used, limited] = exceeded;
    const quota: Exceeded = { name, requested: listed(requested), used: listed(used), limited: listed(limited) };
    return [...lowered(situation, quota), ...raised(situation, quota)];
  }
  const [, , silent] = SILENT.exec(message) ?? [];
  return silent === undefined ? [] : fromMessage(situation, silent);
}

interface Exceeded {
  readonly name: string;
  readonly requested: Amounts;
  readonly used: Amounts;
  readonly limited: Amounts;
}

/** Amounts as the server prints them: `limits.cpu=2,pods=1`. */
function listed(text = ''): Amounts {
  const pairs = text.split(',').flatMap(it => {
    const at = it.lastIndexOf('=');
    const quantity = parseQuantity(it.slice(at + 1));
    return quantity === undefined ? [] : [[it.slice(0, at), quantity] as const];
  });
  return new Map(pairs);
}

const change = (words: string, cost: number, edits: readonly Edit[]): ChangeCandidate => ({
  kind: 'refused',
  plugin: PLUGIN,
  words,
  edits,
  cost,
  verifiedBy: 'run',
});

/** As much of each amount as every Pod of the workload can get; existing Pods free what they no longer request. */
function lowered(situation: Situation, { name, requested, used, limited }: Exceeded): readonly ChangeCandidate[] {
  const { wanted, refused } = replicasIn(situation);
  const changes = [...requested].map(([resource, asks]) => {
    const field = quotaFieldOf(resource);
    const [before, limit] = [used.get(resource), limited.get(resource)];
    if (field === undefined || before === undefined || limit === undefined) return undefined;
    const count = field.resource === 'cpu' ? quantityMilliValue : quantityValue;
    const others = count(before) - (wanted - refused) * count(asks);
    const each = Math.floor((count(limit) - others) / wanted);
    return loweredTo(situation, field, each, count(asks));
  });
  const isWhole = changes.every(it => it !== undefined);
  if (!isWhole || changes.length === 0) return [];
  const all = changes.flatMap(it => it ?? []);
  const share = smallest(all.map(it => it.share));
  return [
    change(
      t`${all.map(it => it.words).join(', ')}, as the quota ${name} has no more`,
      1 + 9 * (1 - share),
      all.flatMap(it => it.edits),
    ),
  ];
}

interface QuotaField {
  readonly list: 'requests' | 'limits';
  readonly resource: string;
}

/** The Pod field that a quota's resource counts; undefined: it counts no amount. */
function quotaFieldOf(resource: string): QuotaField | undefined {
  const [, list, name] = /^(requests|limits)\.(.+)$/.exec(resource) ?? [];
  if (list !== undefined && name !== undefined && name !== 'storage')
    return { list: list as QuotaField['list'], resource: name };
  return resource === 'cpu' || resource === 'memory' ? { list: 'requests', resource } : undefined;
}

interface Lowered {
  readonly words: string;
  readonly edits: readonly Edit[];
  /** The fraction of what was requested. */
  readonly share: number;
}

/** The containers' amounts, scaled to a total for the whole Pod; undefined where that is not sensible. */
function loweredTo(
  { holder, pod }: Situation,
  { list, resource }: QuotaField,
  each: number,
  asks: number,
): readonly Lowered[] | undefined {
  const share = each / asks;
  if (!(share > 0 && share < 1) || isExtendedResource(resource)) return undefined;
  const fields = (holder.spec.containers ?? []).flatMap(({ name = '', resources }, i) => {
    const own = resources?.[list]?.[resource] ?? pod.source.spec?.containers?.[i]?.resources?.[list]?.[resource];
    const quantity = own === undefined ? undefined : parseQuantity(printed(own));
    return own === undefined || quantity === undefined ? [] : [{ name, i, written: printed(own), quantity }];
  });
  if (fields.length === 0) return undefined;
  return fields.map(({ name, i, written, quantity }) => {
    const amount = resource === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);
    const text = amountLike(resource, written, Math.floor(amount * share));
    const path: readonly PathStep[] = ['containers', i, 'resources', list, resource];
    return {
      words:
        list === 'requests'
          ? t`request ${text} ${resource} instead of ${written} (container ${name})`
          : t`limit to ${text} ${resource} instead of ${written} (container ${name})`,
      edits: [specEdit(holder, path, 'set', text)],
      share,
    };
  });
}

/** A quota large enough for every Pod of the workload. */
function raised(situation: Situation, { name, requested, used, limited }: Exceeded): readonly ChangeCandidate[] {
  const { documents, pod } = situation;
  const object = { group: '', kind: 'ResourceQuota', namespace: pod.namespace, name };
  const written = documents.find(object);
  if (written === undefined) return [];
  const { refused } = replicasIn(situation);
  const edits = [...requested].flatMap(([resource, asks]) => {
    const path = ['spec', 'hard', resource];
    const before = used.get(resource);
    if (valueIn(written, path) === undefined || before === undefined) return [];
    const all = Array.from({ length: refused }).reduce<Quantity>(sum => addQuantities(sum, asks), before);
    const limit = limited.get(resource);
    if (limit === undefined || compareQuantities(subtractQuantities(all, limit), ZERO) <= 0) return [];
    const { text: _, ...sum } = all;
    return [{ object, path, action: 'set' as const, value: formatQuantity(sum) }];
  });
  if (edits.length === 0) return [];
  const changesText = edits.map(
    it => t`${String(it.path[2])} to ${String(it.value)} instead of ${printed(valueIn(written, it.path))}`,
  );
  return [change(t`raise ${changesText.join(', ')} in the ResourceQuota ${name}`, 4, edits)];
}

const ZERO = parseQuantity('0')!;

/** How many Pods the workload wants, and how many of them are refused. */
function replicasIn({ holder, documents, heldBack }: Situation): {
  readonly wanted: number;
  readonly refused: number;
} {
  const refused = 1 + (heldBack?.more ?? 0);
  const wanted = countOf(holder.ref, documents)?.count ?? refused;
  return { wanted: Math.max(wanted, refused), refused };
}

/** Adds the amounts that the quota requires of containers, where the corresponding request or limit is written. */
function fromMessage({ holder }: Situation, silent: string): readonly ChangeCandidate[] {
  const edits = silent.split('; ').flatMap(part => {
    const [resource = '', names = ''] = part.split(' for: ');
    const field = quotaFieldOf(resource);
    return field === undefined ? [] : names.split(',').map(name => ({ field, name }));
  });
  const found = edits.map(({ field: { list, resource }, name }) => {
    const i = (holder.spec.containers ?? []).findIndex(it => it.name === name);
    const other = list === 'limits' ? 'requests' : 'limits';
    const amount = holder.spec.containers?.[i]?.resources?.[other]?.[resource];
    if (amount === undefined) return undefined;
    return {
      words:
        list === 'limits'
          ? t`limit ${resource} to ${printed(amount)} (container ${name})`
          : t`request ${resource} of ${printed(amount)} (container ${name})`,
      edit: specEdit(holder, ['containers', i, 'resources', list, resource], 'set', amount),
    };
  });
  if (found.length === 0 || found.some(it => it === undefined)) return [];
  const all = found.flatMap(it => it ?? []);
  return [
    change(
      all.map(it => it.words).join(', '),
      2,
      all.map(it => it.edit),
    ),
  ];
}
