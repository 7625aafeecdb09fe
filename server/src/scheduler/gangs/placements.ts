import type { GroupSnapshot, PodGroupModel } from '../framework/interface';
import { membersOn } from './podGroup';

/** Nodes that can take a whole group. */
export interface Placement {
  readonly name: string;
  /** Absent: all. */
  readonly within?: ReadonlySet<string>;
}

/**
 * One placement for each value of the group's topology key, sorted by value; only the group's current one if it already
 * runs; all nodes when it has no key. Upstream: TopologyPlacement.GeneratePlacements, whose order is random.
 */
export function placementsOf(
  group: PodGroupModel,
  at: GroupSnapshot,
): readonly Placement[] | { readonly fault: string } {
  const key = group.topology?.key;
  if (key === undefined) return [{ name: '' }];
  const required = domainOf(group, key, at);
  if (typeof required === 'object') {
    return { fault: `cannot determine domain for already scheduled pods: ${required.fault}` };
  }
  const domains = new Map<string, Set<string>>();
  for (const { name, node } of at.nodes) {
    const value = node.labels[key];
    if (value === undefined || (required !== undefined && value !== required)) continue;
    const found = domains.get(value);
    if (found) found.add(name);
    else domains.set(value, new Set([name]));
  }
  return [...domains].map(([name, within]) => ({ name, within })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function domainOf(
  group: PodGroupModel,
  key: string,
  { nodes }: GroupSnapshot,
): string | undefined | { readonly fault: string } {
  let domain: string | undefined;
  for (const pod of membersOn(nodes, group)) {
    const value = nodes.find(it => it.name === pod.nodeName)?.node.labels[key];
    if (value === undefined) return { fault: `no topology domain found for pod ${pod.id}` };
    if (domain !== undefined && domain !== value) {
      return { fault: `more than 1 domain found for pod group: ${domain}, ${value}` };
    }
    domain = value;
  }
  return domain;
}
