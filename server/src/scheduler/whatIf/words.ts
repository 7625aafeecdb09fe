import { t } from '../../base/l10n';
import type { ChangeOutcome } from './outcome';

/** Further names are only counted. */
const MAX_NAMES = 3;

/** The changes as one instruction with a capital: "Tolerate the taint a=b:NoSchedule and request 2Gi memory …". */
export function changesInWords(words: readonly string[]): string {
  const all = words.join(t(' and '));
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}`;
}

/** "opens 2 nodes (n1, n2) and lands on n1; default/db-0 no longer fits". */
export function outcomeInWords(outcome: ChangeOutcome): string {
  const { node, nominatedNode, opens, alsoPlaced, noLongerPlaced, evicted, stillWithout } = outcome;
  const gains = [
    node !== undefined ? landing(opens, node) : waiting(nominatedNode, evicted),
    ...(alsoPlaced.length > 0
      ? [isOne(alsoPlaced) ? t`${names(alsoPlaced)} gets a node, too` : t`${names(alsoPlaced)} get nodes, too`]
      : []),
  ];
  const prices = [
    ...(node !== undefined && evicted.length > 0
      ? [isOne(evicted) ? t`${names(evicted)} is evicted for it` : t`${names(evicted)} are evicted for it`]
      : []),
    ...(noLongerPlaced.length > 0
      ? [isOne(noLongerPlaced) ? t`${names(noLongerPlaced)} no longer fits` : t`${names(noLongerPlaced)} no longer fit`]
      : []),
    ...(stillWithout.length > 0
      ? [
          isOne(stillWithout)
            ? t`${names(stillWithout)} still has no node`
            : t`${names(stillWithout)} still have no node`,
        ]
      : []),
  ];
  return [...gains, ...(prices.length > 0 ? [t`but ${prices.join(t(', and '))}`] : [])].join('; ');
}

function landing(opens: readonly string[], node: string): string {
  const others = opens.filter(it => it !== node);
  if (others.length === 0) return t`the Pod lands on ${node}`;
  return t`opens ${opens.length} nodes (${names(opens)}); the Pod lands on ${node}`;
}

function waiting(nominatedNode: string | undefined, evicted: readonly string[]): string {
  if (nominatedNode === undefined) return t('all of its Pods that are left have a node');
  return isOne(evicted)
    ? t`the Pod preempts 1 Pod on ${nominatedNode} (${names(evicted)}) and lands there once it has gone`
    : t`the Pod preempts ${evicted.length} Pods on ${nominatedNode} (${names(evicted)}) and lands there once they have gone`;
}

function names(all: readonly string[]): string {
  const rest = all.length - MAX_NAMES;
  return rest > 1 ? t`${all.slice(0, MAX_NAMES).join(', ')} and ${rest} more` : all.join(', ');
}

const isOne = (all: readonly string[]): boolean => all.length === 1;
