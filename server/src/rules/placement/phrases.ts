import { t } from '../../base/l10n';
import { canonicalText, quantityOf, zeroQuantity } from '../../kube/quantity';
import { FieldPath } from '../../manifest/fieldPath';
import type { Attempt } from '../../scheduler/result';
import type { WorkspaceObject } from '../../workspace/object';
import type { PlacementFacts } from '../framework/placementFacts';

/** "1 node", "3 nodes". */
export function counted(count: number, noun: keyof typeof COUNTS): string {
  return COUNTS[noun](count);
}

const COUNTS = {
  CSIStorageCapacity: (n: number) => (n === 1 ? t('1 CSIStorageCapacity') : t`${n} CSIStorageCapacities`),
  Pod: (n: number) => (n === 1 ? t('1 Pod') : t`${n} Pods`),
  device: (n: number) => (n === 1 ? t('1 device') : t`${n} devices`),
  disruption: (n: number) => (n === 1 ? t('1 disruption') : t`${n} disruptions`),
  domain: (n: number) => (n === 1 ? t('1 domain') : t`${n} domains`),
  'free volume': (n: number) => (n === 1 ? t('1 free volume') : t`${n} free volumes`),
  node: (n: number) => (n === 1 ? t('1 node') : t`${n} nodes`),
  taint: (n: number) => (n === 1 ? t('1 taint') : t`${n} taints`),
};

const MOST_NAMES = 3;

/** "a", "a and b", "a, b, c and 4 more". */
export function listed(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  const shown = rest > 1 ? [...names.slice(0, MOST_NAMES), t`${rest} more`] : names;
  return shown.length < 2 ? shown.join('') : t`${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** An amount of a resource as a manifest writes it: cpu is counted in millicores, memory in bytes. */
export function amountText(resource: string, amount: number): string {
  if (resource === 'cpu') return canonicalText(quantityOf(`${amount}m`) ?? zeroQuantity);
  const isBytes = resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
  return canonicalText({ ...(quantityOf(amount) ?? zeroQuantity), format: isBytes ? 'BinarySI' : 'DecimalSI' });
}

/** The first of an object's Pods that finds no node, with its scheduling attempt. */
export function stuckOf(object: WorkspaceObject, facts: PlacementFacts): Attempt | undefined {
  const stuck = facts.podsOf(object).find(it => facts.nodeOf(it) === undefined && facts.attemptOf(it) !== undefined);
  const attempt = stuck && facts.attemptOf(stuck);
  return attempt?.status === 'unschedulable' ? attempt : undefined;
}

/** The scheduler's own message for an object's Pod without a node; '' if each has one. */
export function upstreamWords(object: WorkspaceObject, facts: PlacementFacts): string {
  return stuckOf(object, facts)?.message ?? '';
}

/** Where a problem of all Pods of an object is reported. */
export function nameLocation({ manifest }: WorkspaceObject): FieldPath {
  const name = FieldPath.of('metadata', 'name');
  return manifest.has(name) ? name : FieldPath.of('metadata', 'generateName');
}
