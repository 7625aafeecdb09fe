import type { ExploredOrders, OutcomeGroup } from '../../analysis/scenario';
import { printable, printableStrings } from '../../text/printable';
import { counted, type Paint } from './style';

/** More groups of outcomes than these are for the JSON. */
const MOST_GROUPS = 10;
/** More names in a row are counted. */
const MOST_NAMES = 12;

/** What becomes of Pods that arrive in any order, for people. */
export function renderOrders(scenario: string, explored: ExploredOrders, paint: Paint): string {
  const { permutations, renamings, strandedOrders } = explored;
  const { groups, refused, notes, cut } = printableStrings({
    groups: explored.groups,
    refused: explored.refused,
    notes: explored.notes,
    cut: explored.cut,
  });
  const total = permutations / renamings;
  const share = (orders: bigint): string => `${inDigits(orders / renamings)} of ${inDigits(total)} orders`;
  const nameOf = shortName(groups);
  const sorted = groups.toSorted(
    (a, b) => Number(a.isAllPlaced) - Number(b.isAllPlaced) || (a.orders < b.orders ? 1 : a.orders > b.orders ? -1 : 0),
  );
  const [worst] = sorted;
  const stranded = `Stranded in ${share(strandedOrders)}`;
  const verdict =
    worst === undefined || worst.isAllPlaced
      ? paint('green', 'Every Pod is placed, whatever the order.')
      : `${paint('red', stranded)}: ${names(worst.example.witness, nameOf)}`;
  const rest = sorted.length - MOST_GROUPS;
  const lines = [
    paint('bold', printable(scenario)),
    arrivals(worst?.example.witness.length ?? 0, total, renamings),
    verdict,
    ...sorted.slice(0, MOST_GROUPS).flatMap(it => groupLines(it, share(it.orders), nameOf, paint)),
    ...(rest > 0 ? [`${counted(rest, 'more outcome')} with --format json.`] : []),
    ...refused.map(it => `${it.pod} ${paint('red', 'is refused')}: ${it.message}`),
    ...[...notes, ...cut].map(it => `${paint('yellow', 'note')} ${it}`),
  ];
  return `${lines.join('\n')}\n`;
}

function arrivals(pods: number, total: bigint, renamings: bigint): string {
  if (pods === 0) return 'There is no Pod to place.';
  const orders = `${inDigits(total)} ${total === 1n ? 'order' : 'orders'}`;
  const alike = renamings > 1n ? ', names of equal Pods left aside' : '';
  return `${counted(pods, 'Pod')} may arrive in ${orders}${alike}.`;
}

function groupLines(
  { example, isAllPlaced, outcomes }: OutcomeGroup,
  share: string,
  nameOf: (id: string) => string,
  paint: Paint,
): readonly string[] {
  const { placements, pending, evicted, witness } = example;
  const onNodes = new Map<string, string[]>();
  for (const [pod, node] of Object.entries(placements)) onNodes.set(node, [...(onNodes.get(node) ?? []), pod]);
  const alike = outcomes > 1n ? `, with other names in ${inDigits(outcomes)} ways` : '';
  const order = `when they come as ${names(witness, nameOf)}`;
  return [
    `${paint(isAllPlaced ? 'green' : 'red', share)} may end so${alike}; ${paint('dim', order)}`,
    ...[...onNodes].sort().map(([node, pods]) => `  ${node}: ${names(pods, nameOf)}`),
    ...(pending.length > 0
      ? [`  ${paint('red', pending.length === 1 ? 'waits' : 'wait')}: ${names(pending, nameOf)}`]
      : []),
    ...(evicted.length > 0 ? [`  ${paint('red', 'evicted')}: ${names(evicted, nameOf)}`] : []),
  ];
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
  return count < 10n ** 15n ? count.toLocaleString('en') : `about ${Number(count).toExponential(1)}`;
}
