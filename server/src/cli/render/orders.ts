import {
  type BrokenGroup,
  type ExploredOrders,
  type GroupDeadlock,
  type OutcomeGroup,
  wayInWords,
} from '../../analysis/scenario';
import { printable, printableStrings } from '../../text/printable';
import { counted, type Paint } from './style';

/** More groups of outcomes than these are for the JSON. */
const MOST_GROUPS = 10;
/** More names in a row are counted. */
const MOST_NAMES = 12;

/** What becomes of Pods that arrive in any order, for people. */
export function renderOrders(scenario: string, explored: ExploredOrders, paint: Paint): string {
  const { permutations: _, renamings: __, followed: ___, strandedOrders: ____, ...texts } = explored;
  const { groups, refused, notes, cut, shortest = [], deadlock, broken } = printableStrings(texts);
  const nameOf = shortName(groups);
  const sorted = groups.toSorted(
    (a, b) => Number(a.isAllPlaced) - Number(b.isAllPlaced) || Number((b.orders ?? 0n) - (a.orders ?? 0n)),
  );
  const rest = sorted.length - MOST_GROUPS;
  const lines = [
    paint('bold', printable(scenario)),
    ...headLines(sorted[0], explored, nameOf, paint),
    ...(shortest.length > 0 ? [`Shortest way there: ${wayInWords(shortest, nameOf)}`] : []),
    ...(deadlock ? findingLines(deadlockOf(deadlock), explored, nameOf, paint) : []),
    ...(broken ? findingLines(brokenOf(broken), explored, nameOf, paint) : []),
    ...sorted
      .filter(it => it.example.witness.length > 0)
      .slice(0, MOST_GROUPS)
      .flatMap(it => groupLines(it, explored, nameOf, paint)),
    ...(rest > 0 ? [`${counted(rest, 'more outcome')} with --format json.`] : []),
    ...refused.map(it => `${it.pod} ${paint('red', 'is refused')}: ${it.message}`),
    ...[...notes, ...cut].map(it => `${paint('yellow', 'note')} ${it}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** How many orders there are, and whether every Pod is placed in each. `worst`: a group that strands a Pod, if any does. */
function headLines(
  worst: OutcomeGroup | undefined,
  explored: ExploredOrders,
  nameOf: (id: string) => string,
  paint: Paint,
): readonly string[] {
  const { permutations, renamings, followed, strandedOrders, refused } = explored;
  const pods = worst?.example.witness.length ?? 0;
  if (worst === undefined || pods === 0) return ['There is no Pod to place.'];
  const total = permutations / renamings;
  const alike = renamings > 1n ? ', names of equal Pods left aside' : '';
  const isAll = followed === permutations;
  const sampled = isAll ? '' : `; ${inDigits(followed / renamings)} of them were followed`;
  const arrive = `${counted(pods, 'Pod')} may arrive in ${inDigits(total)} ${total === 1n ? 'order' : 'orders'}${alike}${sampled}.`;
  if (worst.isAllPlaced) {
    const those = refused.length === 0 ? 'Every Pod' : 'Every Pod that is let in';
    const verdict = isAll
      ? `${those} is placed, whatever the order.`
      : `${those} is placed in the orders that were followed.`;
    return [arrive, paint(isAll ? 'green' : 'yellow', verdict)];
  }
  const share = strandedOrders === undefined ? 'some orders' : shareOf(strandedOrders, explored);
  return [arrive, `${paint('red', `Stranded in ${share}`)}: ${names(worst.example.witness, nameOf)}`];
}

interface OrdersFinding {
  readonly kind: 'Deadlock' | 'Broken';
  /** Absent: not counted. */
  readonly orders?: bigint | undefined;
  readonly sentence: string;
  readonly shortest?: GroupDeadlock['shortest'] | undefined;
}

function findingLines(
  { kind, orders, sentence, shortest = [] }: OrdersFinding,
  explored: ExploredOrders,
  nameOf: (id: string) => string,
  paint: Paint,
): readonly string[] {
  const share = orders === undefined ? 'some orders' : shareOf(orders, explored);
  return [
    `${paint('red', `${kind} in ${share}`)}: ${sentence}`,
    ...(shortest.length > 0 ? [`Shortest way there: ${wayInWords(shortest, nameOf)}`] : []),
  ];
}

function deadlockOf({ between, orders, shortest }: GroupDeadlock): OrdersFinding {
  const sentence = `each of ${between.join(', ')} holds room that another needs, and none has all its Pods.`;
  return { kind: 'Deadlock', orders, sentence, shortest };
}

function brokenOf({ groups, orders, shortest }: BrokenGroup): OrdersFinding {
  const sentence = `preemption leaves ${groups.join(', ')} fewer Pods than are needed together.`;
  return { kind: 'Broken', orders, sentence, shortest };
}

function groupLines(
  { example, isAllPlaced, orders }: OutcomeGroup,
  explored: ExploredOrders,
  nameOf: (id: string) => string,
  paint: Paint,
): readonly string[] {
  const { placements, pending, evicted, witness } = example;
  const onNodes = new Map<string, string[]>();
  for (const [pod, node] of Object.entries(placements)) onNodes.set(node, [...(onNodes.get(node) ?? []), pod]);
  const share = orders === undefined ? 'Some orders' : shareOf(orders, explored);
  const waiting = pending.length === 1 ? 'waits' : 'wait';
  return [
    `${paint(isAllPlaced ? 'green' : 'red', share)} may end so, as ${names(witness, nameOf)}:`,
    ...[...onNodes].sort().map(([node, pods]) => `  ${node}: ${names(pods, nameOf)}`),
    ...(pending.length > 0 ? [`  ${paint('red', waiting)}: ${names(pending, nameOf)}`] : []),
    ...(evicted.length > 0 ? [`  ${paint('red', 'evicted')}: ${names(evicted, nameOf)}`] : []),
  ];
}

function shareOf(orders: bigint, { followed, renamings }: ExploredOrders): string {
  return `${inDigits(orders / renamings)} of ${inDigits(followed / renamings)} orders`;
}

function names(ids: readonly string[], nameOf: (id: string) => string): string {
  const shown = ids.slice(0, MOST_NAMES).map(nameOf).join(', ');
  return ids.length > MOST_NAMES ? `${shown} and ${ids.length - MOST_NAMES} more` : shown;
}

/** Without the namespace where there is one alone. */
function shortName(groups: readonly OutcomeGroup[]): (id: string) => string {
  const ids = groups.flatMap(({ example }) => [...example.witness, ...example.evicted]);
  const namespaces = new Set(ids.map(it => it.slice(0, it.indexOf('/'))));
  return namespaces.size === 1 ? id => id.slice(id.indexOf('/') + 1) : id => id;
}

function inDigits(count: bigint): string {
  const digits = String(count);
  return digits.length < 16 ? count.toLocaleString('en') : `about 10^${digits.length - 1}`;
}
