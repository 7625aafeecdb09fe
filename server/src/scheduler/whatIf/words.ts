import type { Outcome } from './outcome';

/** More names than these are counted only. */
const MOST_NAMES = 3;

/** What to do as one sentence part with a capital: "Tolerate the taint a=b:NoSchedule and request 2Gi memory …". */
export function changesInWords(words: readonly string[]): string {
  const all = words.join(' and ');
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}`;
}

/** "opens 2 nodes (n1, n2) and lands on n1; default/db-0 no longer fits". */
export function outcomeInWords(outcome: Outcome): string {
  const { node, nominatedNode, opens, alsoPlaced, noLongerPlaced, evicted, stillWithout } = outcome;
  const gains = [
    node !== undefined ? landing(opens, node) : waiting(nominatedNode, evicted),
    ...(alsoPlaced.length > 0 ? [`${names(alsoPlaced)} ${is(alsoPlaced, 'gets a node', 'get nodes')}, too`] : []),
  ];
  const prices = [
    ...(node !== undefined && evicted.length > 0
      ? [`${names(evicted)} ${is(evicted, 'is', 'are')} evicted for it`]
      : []),
    ...(noLongerPlaced.length > 0 ? [`${names(noLongerPlaced)} no longer ${is(noLongerPlaced, 'fits', 'fit')}`] : []),
    ...(stillWithout.length > 0 ? [`${names(stillWithout)} still ${is(stillWithout, 'has', 'have')} no node`] : []),
  ];
  return [...gains, ...(prices.length > 0 ? [`but ${prices.join(', and ')}`] : [])].join('; ');
}

function landing(opens: readonly string[], node: string): string {
  const others = opens.filter(it => it !== node);
  if (others.length === 0) return `the Pod lands on ${node}`;
  return `opens ${opens.length} nodes (${names(opens)}); the Pod lands on ${node}`;
}

function waiting(nominatedNode: string | undefined, evicted: readonly string[]): string {
  if (nominatedNode === undefined) return 'all of its Pods that are left have a node';
  const count = `${evicted.length} ${is(evicted, 'Pod', 'Pods')}`;
  return `the Pod preempts ${count} on ${nominatedNode} (${names(evicted)}) and lands there once ${is(evicted, 'it has', 'they have')} gone`;
}

function names(all: readonly string[]): string {
  const rest = all.length - MOST_NAMES;
  return rest > 1 ? `${all.slice(0, MOST_NAMES).join(', ')} and ${rest} more` : all.join(', ');
}

const is = (all: readonly string[], one: string, many: string): string => (all.length === 1 ? one : many);
