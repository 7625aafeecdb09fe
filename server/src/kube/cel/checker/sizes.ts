import type { CostNode } from './callCost';
import type { Checked } from './check';
import { fixed, type SizeRange, unknownSize } from './costRange';
import type { Expr } from './nodes';
import { DYN, isOptional, type Type } from './types';

/** The maximum size of the value at a path from a variable; `@keys`, `@values` and `@items` are the entries. */
export type SizeOfPath = (path: readonly string[]) => number | undefined;

/** The sizes of the keys and the values of a list or a map. */
export interface EntrySizes {
  readonly of: 'list' | 'map';
  readonly key: SizeRange;
  readonly value: SizeRange;
}

export interface Local {
  readonly path: Path | undefined;
  readonly size: SizeRange | undefined;
  readonly entries: EntrySizes | undefined;
}

/** An estimate in progress: what is known of the nodes so far, and of the variables around. */
export interface Coster {
  readonly checked: Checked;
  readonly sizeOfPath: SizeOfPath;
  readonly costs: Map<Expr, number>;
  readonly sizes: Map<Expr, SizeRange>;
  readonly entries: Map<Expr, EntrySizes>;
  readonly paths: Map<Expr, Path>;
  readonly locals?: ReadonlyMap<string, Local>;
}

/**
 * The steps from a variable to a value. Upstream appends to slices of Go, and two that continue the same path share its
 * memory while there is room: the later step is then read in both, and the estimate of upstream depends on it.
 */
interface Path {
  readonly cells: string[];
  readonly length: number;
}

export function continued(path: Path | undefined, step: string): Path {
  const { cells, length } = path ?? { cells: [], length: 0 };
  // Go doubles the room of a slice that is full.
  const isFull = (length & (length - 1)) === 0;
  const own = isFull ? cells.slice(0, length) : cells;
  own[length] = step;
  return { cells: own, length: length + 1 };
}

const stepsOf = ({ cells, length }: Path): readonly string[] => cells.slice(0, length);

export function within(coster: Coster, more: readonly (readonly [string, Local])[]): Coster {
  return { ...coster, locals: new Map([...(coster.locals ?? []), ...more]) };
}

export const localOf = (value: Expr, coster: Coster): Local => ({
  path: pathOf(value, coster),
  size: sizeOf(value, coster),
  entries: entriesOf(value, coster),
});

export function pathOf(node: Expr, { locals, paths }: Coster): Path | undefined {
  const local = node.kind === 'ident' ? locals?.get(node.name) : undefined;
  return local === undefined ? paths.get(node) : local.path;
}

export function copySizes(node: Expr, from: Expr, coster: Coster): void {
  const size = sizeOf(from, coster);
  const entries = entriesOf(from, coster);
  if (size !== undefined) coster.sizes.set(node, size);
  if (entries !== undefined) coster.entries.set(node, entries);
}

/** Upstream: computeSize. */
export function sizeOf(node: Expr, coster: Coster): SizeRange | undefined {
  const known = coster.sizes.get(node) ?? literalSize(node);
  if (known !== undefined) return known;
  const path = pathOf(node, coster);
  const most = path && coster.sizeOfPath(stepsOf(path));
  if (most !== undefined) {
    coster.sizes.set(node, { min: 0, max: most });
    return { min: 0, max: most };
  }
  if (isScalar(coster.checked.typeAt(node))) return fixed(1);
  return node.kind === 'ident' ? coster.locals?.get(node.name)?.size : undefined;
}

function literalSize(node: Expr): SizeRange | undefined {
  if (node.kind === 'list') return fixed(node.items.length);
  if (node.kind === 'map') return fixed(node.entries.length);
  if (node.kind !== 'literal') return undefined;
  const { value } = node;
  return fixed(value instanceof Uint8Array ? value.length : typeof value === 'string' ? [...value].length : 1);
}

export function entriesOf(node: Expr, { entries, locals }: Coster): EntrySizes | undefined {
  return entries.get(node) ?? (node.kind === 'ident' ? locals?.get(node.name)?.entries : undefined);
}

export function costNode(expr: Expr, coster: Coster): CostNode {
  const type = coster.checked.typeAt(expr);
  const path = pathOf(expr, coster);
  const itemPath = path && [...stepsOf(path), '@items'];
  return {
    expr,
    type,
    size: sizeOf(expr, coster),
    itemSize: () => {
      const most = itemPath && coster.sizeOfPath(itemPath);
      return most === undefined ? unknownSize : { min: 0, max: most };
    },
  };
}

const SCALARS: readonly Type['kind'][] = ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'];

function isScalar(type: Type): boolean {
  return isOptional(type) ? isScalar(type.params[0] ?? DYN) : SCALARS.includes(type.kind);
}
