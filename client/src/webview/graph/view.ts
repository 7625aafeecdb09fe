import type {
  GraphPicture,
  StateGraphModel,
  SystemState,
  SystemValue,
} from '../../../../server/src/analysis/stateGraph';

/** A name and its values in two states. */
export interface ValueRow {
  readonly name: string;
  /** Absent: there is no state before. */
  readonly before?: string;
  readonly now: string;
  readonly isChanged: boolean;
}

/** The values of a state, one row for each process, variable and element, beside those of the state before. */
export function valueRows(now: SystemState, before: SystemState | undefined): readonly ValueRow[] {
  const earlier = before && new Map(valuesOf(before));
  return valuesOf(now).map(([name, value]) => {
    const old = earlier?.get(name);
    return {
      name,
      ...(old !== undefined && { before: old }),
      now: value,
      isChanged: old !== undefined && old !== value,
    };
  });
}

function valuesOf({ processes, variables }: SystemState): readonly (readonly [string, string])[] {
  const own = Object.entries(processes).flatMap(([name, it]) => [
    [name, it.location] as const,
    ...elementsOf(it.variables).map(([variable, value]) => [`${name}.${variable}`, value] as const),
  ]);
  return [...own, ...elementsOf(variables)];
}

function elementsOf(variables: Readonly<Record<string, SystemValue>>): readonly (readonly [string, string])[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    typeof value === 'object'
      ? value.map((it, i) => [`${name}[${i}]`, String(it)] as const)
      : [[name, String(value)] as const],
  );
}

/** The indexes of the states in which a text occurs, or to which a step with it leads; all where it is empty. */
export function matching({ states, transitions }: StateGraphModel, text: string): ReadonlySet<number> {
  const wanted = text.trim().toLowerCase();
  const has = (it: string): boolean => it.toLowerCase().includes(wanted);
  const reached = new Set(transitions.filter(it => it.labels.some(has)).map(it => it.to));
  const isWanted = (i: number): boolean =>
    reached.has(i) ||
    valuesOf(states[i]!.state).some(([name, value]) => has(`${name} = ${value}`) || has(`${name}: ${value}`));
  return new Set([...states.keys()].filter(i => wanted === '' || isWanted(i)));
}

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

export const isDirection = (key: string): key is Direction =>
  ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].includes(key);

/** The nearest state in a direction; undefined: there is none. */
export function neighbour({ nodes }: GraphPicture, from: number, direction: Direction): number | undefined {
  const start = nodes[from];
  if (start === undefined) return undefined;
  const isUpright = direction === 'ArrowUp' || direction === 'ArrowDown';
  const sign = direction === 'ArrowUp' || direction === 'ArrowLeft' ? -1 : 1;
  let best: { readonly node: number; readonly distance: number } | undefined;
  for (const [node, { x, y }] of nodes.entries()) {
    const [along, across] = isUpright ? [y - start.y, x - start.x] : [x - start.x, y - start.y];
    if (along * sign < 1 || (!isUpright && Math.abs(across) > Math.abs(along))) continue;
    const distance = along * sign + (isUpright ? 0.5 : 2) * Math.abs(across);
    if (best === undefined || distance < best.distance) best = { node, distance };
  }
  return best?.node;
}

/** Pairs of states, `FROM TO`, between which the way goes. */
export function stepsOfWay({ way }: StateGraphModel): ReadonlySet<string> {
  const ends = way.map(it => it.at);
  return new Set(ends.slice(1).map((to, i) => `${ends[i]} ${to}`));
}
