import { push } from '../../base/multiMap';
import { jsonText } from '../../base/printed';
import type { NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Resources } from '../../cluster/resources/resources';
import { type NodeInfo, nodeInfos } from '../framework/nodeInfo';
import { HOSTNAME } from '../plugins/podTopologySpread/constraints';
import type { Movable, MovableGroup } from './movable';
import type { Objective } from './objective';

/** A mixed integer programme in CPLEX's LP format, and the interpretation of its solution. */
export interface Formulation {
  readonly text: string;
  /** Pod id → node, for movable Pods that get a node; undefined when the values violate a constraint. */
  placed(value: (variable: string) => number): ReadonlyMap<string, string> | undefined;
  /** The values of the placement variables for a placement (Pod id → node), as a start for the solver. */
  start(nodeOf: ReadonlyMap<string, string>): ReadonlyMap<string, number>;
}

/** A linear sum: variables with their factors. */
type Terms = readonly (readonly [factor: number, variable: string])[];

interface Row {
  readonly terms: Terms;
  readonly relation: '<=' | '>=' | '=';
  readonly bound: number;
}

/** The index of groups, nodes and variables. */
interface Model {
  readonly movable: Movable;
  readonly nodes: readonly NodeInfo[];
  readonly labelsOf: ReadonlyMap<string, NodeModel['labels']>;
  readonly indexOf: ReadonlyMap<string, number>;
  /** The groups that may go to a node, in order, by its name. */
  readonly groupsOn: ReadonlyMap<string, readonly number[]>;
  /** Nodes where the first Pod costs one: no Pod that counts is there yet. */
  readonly unused: ReadonlySet<string>;
  /** x: the number of Pods of a group on a node. */
  x(group: number, node: string): string;
}

/**
 * Variables: integer x for each group and feasible node, u for the Pods of a group without a node, y for a node in use,
 * m for the smallest count among a spread constraint's domains, z for a domain that gets Pods, a for a gang that runs.
 */
export function formulate(movable: Movable, objective: Objective): Formulation {
  const { groups, cluster, minimum } = movable;
  const nodes = nodeInfos(cluster);
  const indexOf = new Map(nodes.map((it, i) => [it.name, i]));
  const using = new Set(cluster.running.filter(objective.uses).map(it => it.nodeName));
  const groupsOn = new Map<string, number[]>();
  for (const [g, { nodes }] of groups.entries()) for (const it of nodes) push(groupsOn, it, g);
  const model: Model = {
    movable,
    nodes,
    labelsOf: new Map(nodes.map(it => [it.name, it.node.labels])),
    indexOf,
    groupsOn,
    unused: new Set(nodes.map(it => it.name).filter(it => !using.has(it))),
    x: (group, node) => `x_${group}_${indexOf.get(node)}`,
  };
  const rows = [
    ...groups.map(({ pods, nodes }, g): Row => {
      const terms: Terms = [...nodes.map(it => [1, model.x(g, it)] as const), [1, `u_${g}`]];
      return { terms, relation: '=', bound: pods.length };
    }),
    ...nodes.flatMap(it => capacityRows(it, model, objective)),
    ...groups.flatMap((it, g) => spreadRows(it, g, model)),
    ...[...minimum].flatMap(([gang, count], i) => gangRows(gang, count, i, groups)),
    ...orderRows(model),
  ];
  const costs: Terms = [
    ...groups.map(({ pods }, g) => [objective.price(pods[0]!), `u_${g}`] as const),
    ...[...model.unused].map(it => [1, `y_${indexOf.get(it)}`] as const),
  ];
  return {
    text: lpText(costs, rows, upperBounds(model)),
    placed: value => placedBy(value, model),
    start: nodeOf => startFrom(nodeOf, model, objective),
  };
}

/** Capacities in integers, in a unit that divides all requests: what fits exactly then also fits in floating point. */
function capacityRows({ name, node, pods, requested }: NodeInfo, model: Model, objective: Objective): readonly Row[] {
  const { groups } = model.movable;
  const there = (model.groupsOn.get(name) ?? []).map(g => ({ g, pod: groups[g]!.pods[0]! }));
  if (there.length === 0) return [];
  const counting = there.filter(({ pod }) => objective.uses(pod));
  const y = `y_${model.indexOf.get(name)}`;
  const within = (amounts: readonly (readonly [number, number])[], free: number): Row => {
    const unit = amounts.reduce((unit, [amount]) => commonDivisor(unit, amount), 0) || 1;
    const terms: Terms = amounts.map(([amount, g]) => [amount / unit, model.x(g, name)]);
    return { terms, relation: '<=', bound: Math.max(0, Math.floor(free / unit)) };
  };
  const ifUsed = ({ terms, relation, bound }: Row): Row => ({ terms: [...terms, [-bound, y]], relation, bound: 0 });
  const isUnused = model.unused.has(name);
  const isSwitched = isUnused && counting.length === there.length;
  const shaped = isSwitched ? ifUsed : (it: Row) => it;
  const kinds = resourcesOf(there.map(it => it.pod.requests));
  const freeAmounts = kinds.flatMap(amountIn => {
    const amounts = there.map(({ g, pod }) => [amountIn(pod.requests), g] as const).filter(([amount]) => amount > 0);
    return amounts.length === 0 ? [] : [shaped(within(amounts, amountIn(node.allocatable) - amountIn(requested)))];
  });
  const slots = node.maxPods - pods.length;
  const one = (list: typeof there): readonly (readonly [number, number])[] => list.map(({ g }) => [1, g] as const);
  const link = isUnused && counting.length > 0 && !isSwitched ? [ifUsed(within(one(counting), slots))] : [];
  return [...freeAmounts, shaped(within(one(there), slots)), ...link];
}

function resourcesOf(requests: readonly Resources[]): readonly ((of: Resources) => number)[] {
  const scalars = [...new Set(requests.flatMap(it => [...it.scalar.keys()]))].sort();
  return [
    it => it.milliCpu,
    it => it.memory,
    it => it.ephemeralStorage,
    ...scalars.map(name => (it: Resources) => it.scalar.get(name) ?? 0),
  ];
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/** No domain that gets a Pod exceeds the smallest domain by more than maxSkew. */
function spreadRows({ spread, nodes, pods }: MovableGroup, g: number, model: Model): readonly Row[] {
  return (spread?.constraints ?? []).flatMap(({ topologyKey, maxSkew, minDomains }, c) => {
    const { counts, min } = spread!.domains[c]!;
    const least = `m_${g}_${c}`;
    const isShort = counts.size < minDomains;
    const domains = new Set([...counts.keys(), ...nodes.map(it => model.labelsOf.get(it)![topologyKey]!)]);
    const rows = [...domains].flatMap((domain, d): readonly Row[] => {
      const before = counts.get(domain) ?? 0;
      const inside = nodes.filter(it => model.labelsOf.get(it)![topologyKey] === domain);
      const placed: Terms = inside.map(it => [1, model.x(g, it)]);
      const negative: Terms = inside.map(it => [-1, model.x(g, it)]);
      const floor: Row = { terms: [[1, least], ...negative], relation: '<=', bound: before };
      const floors = counts.has(domain) ? [floor] : [];
      if (inside.length === 0) return floors;
      const bound = maxSkew - before;
      if (before - (isShort ? 0 : min) <= maxSkew) {
        return [...floors, { terms: [...placed, [-1, least]], relation: '<=', bound }];
      }
      // The domain already exceeds the limit: only another Pod in it is a violation.
      const gets = `z_${g}_${c}_${d}`;
      return [
        ...floors,
        { terms: [...placed, [-pods.length, gets]], relation: '<=', bound: 0 },
        { terms: [...placed, [-1, least], [before, gets]], relation: '<=', bound: maxSkew },
      ];
    });
    return isShort ? [...rows, { terms: [[1, least]], relation: '=', bound: 0 }] : rows;
  });
}

/** At least this many of the gang's Pods run, or none. */
function gangRows(gang: string, minimum: number, i: number, groups: readonly MovableGroup[]): readonly Row[] {
  const members = groups.flatMap((it, g) => (it.gang === gang ? [{ g, count: it.pods.length }] : []));
  const waiting: Terms = members.map(({ g }) => [1, `u_${g}`]);
  const all = members.reduce((sum, it) => sum + it.count, 0);
  return [
    { terms: [...waiting, [all, `a_${i}`]], relation: '>=', bound: all },
    { terms: [...waiting, [minimum, `a_${i}`]], relation: '<=', bound: all },
  ];
}

/** Of equal nodes, earlier ones are used first, which removes symmetric solutions. */
function orderRows(model: Model): readonly Row[] {
  const y = (node: string): string => `y_${model.indexOf.get(node)}`;
  return equalNodes(model).flatMap(names =>
    names.slice(1).map((name, i): Row => {
      const terms: Terms = [
        [1, y(names[i]!)],
        [-1, y(name)],
      ];
      return { terms, relation: '>=', bound: 0 };
    }),
  );
}

/** The names of unused nodes that are equal for every Pod, in order; none where hostnames are domains. */
function equalNodes({ movable: { groups }, nodes, groupsOn, unused, labelsOf }: Model): readonly (readonly string[])[] {
  if (groups.some(it => it.spread?.constraints.some(({ topologyKey }) => topologyKey === HOSTNAME))) return [];
  const equal = new Map<string, string[]>();
  for (const { name, node, pods, requested } of nodes) {
    const arcs = groupsOn.get(name) ?? [];
    if (!unused.has(name) || arcs.length === 0) continue;
    const { [HOSTNAME]: _, ...labels } = labelsOf.get(name)!;
    const freeAmounts = [node.allocatable, requested].map(it => ({ ...it, scalar: [...it.scalar].sort() }));
    const key = jsonText([Object.entries(labels).sort(), arcs, freeAmounts, node.maxPods - pods.length]);
    push(equal, key, name);
  }
  return [...equal.values()];
}

function upperBounds({ movable: { groups }, x }: Model): ReadonlyMap<string, number> {
  return new Map(
    groups.flatMap(({ nodes, onePerNode, pods }, g) => [
      [`u_${g}`, pods.length] as const,
      ...nodes.map(it => [x(g, it), onePerNode ? 1 : pods.length] as const),
    ]),
  );
}

/** The 0/1 variables, by their first letter. */
const BINARY = /^[yza]_/;

function lpText(costs: Terms, rows: readonly Row[], upper: ReadonlyMap<string, number>): string {
  const sum = (terms: Terms): string =>
    terms.map(([factor, name]) => `${factor < 0 ? '-' : '+'} ${Math.abs(factor)} ${name}`).join('\n ');
  const names = [...new Set([...costs, ...rows.flatMap(it => it.terms)].map(([, name]) => name))];
  const [binary, general] = [names.filter(it => BINARY.test(it)), names.filter(it => !BINARY.test(it))];
  return [
    'Minimize',
    ` cost: ${sum(costs)}`,
    'Subject To',
    ...rows.map(({ terms, relation, bound }, i) => ` r${i}: ${sum(terms)} ${relation} ${bound}`),
    'Bounds',
    ...[...upper].map(([name, bound]) => ` ${name} <= ${bound}`),
    'General',
    ...general.map(it => ` ${it}`),
    'Binary',
    ...binary.map(it => ` ${it}`),
    'End',
    '',
  ].join('\n');
}

function placedBy(value: (variable: string) => number, { movable, x }: Model): Map<string, string> | undefined {
  const placed = new Map<string, string>();
  for (const [g, { pods, nodes }] of movable.groups.entries()) {
    const nodeNames = nodes.flatMap(it => new Array<string>(Math.max(0, Math.round(value(x(g, it))))).fill(it));
    if (nodeNames.length > pods.length) return undefined;
    for (const [i, node] of nodeNames.entries()) placed.set((pods[i] as PodModel).id, node);
  }
  return placed;
}

/** Moves Pods on equal nodes to the first of these nodes, as `orderRows` requires. */
function startFrom(
  nodeOf: ReadonlyMap<string, string>,
  model: Model,
  objective: Objective,
): ReadonlyMap<string, number> {
  const { groups } = model.movable;
  const using = new Set(
    groups.flatMap(({ pods }) => (objective.uses(pods[0]!) ? pods.flatMap(it => nodeOf.get(it.id) ?? []) : [])),
  );
  const first = new Map(
    equalNodes(model).flatMap(names => {
      const usedFirst = [...names].sort((a, b) => Number(using.has(b)) - Number(using.has(a)));
      return usedFirst.map((name, i) => [name, names[i]!] as const);
    }),
  );
  const values = new Map<string, number>();
  for (const [g, { pods, nodes }] of groups.entries()) {
    const on = pods.flatMap(it => nodeOf.get(it.id) ?? []).map(it => first.get(it) ?? it);
    values.set(`u_${g}`, pods.length - on.length);
    for (const it of nodes) values.set(model.x(g, it), on.filter(node => node === it).length);
  }
  const used = new Set([...using].map(it => first.get(it) ?? it));
  for (const it of model.unused) values.set(`y_${model.indexOf.get(it)}`, used.has(it) ? 1 : 0);
  return values;
}
