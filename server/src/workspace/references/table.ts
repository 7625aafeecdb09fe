import { lazy, lazyByText } from '../../base/lazy';
import { holdsPods } from '../../kube/podTemplates';
import type { WorkspaceObject } from '../object';
import { GATEWAY_BUNDLES } from './gatewayTable';
import { OBJECT_BUNDLES } from './objectTable';
import { stepsOf } from './pattern';
import { POD_BUNDLES } from './podTable';
import type { Bundle, LocalScope, PartRow, ReferenceRow } from './row';

/** Every field that refers to something, with all kinds that have it. */
export const REFERENCE_BUNDLES: readonly Bundle[] = [...POD_BUNDLES, ...OBJECT_BUNDLES, ...GATEWAY_BUNDLES];

/** A row, or one of its parts, at one path: how many segments lead to the scope of local names. */
export interface PlacedRow {
  readonly row: ReferenceRow;
  readonly depthOf: Readonly<Record<LocalScope, number>>;
  readonly part?: PartRow;
  /** For a part: how many segments lead to the object that contains the row's name. */
  readonly ownerDepth?: number;
}

/** The rows of one kind by the steps that lead to them, so that one walk over an object finds all. */
export interface RowTree {
  readonly rows: readonly PlacedRow[];
  readonly fields: ReadonlyMap<string, RowTree>;
  readonly items: RowTree | undefined;
}

interface Growing {
  readonly rows: PlacedRow[];
  readonly fields: Map<string, Growing>;
  items: Growing | undefined;
}

/** The kinds that have references, as `group/kind`. */
const kindsOfRows = lazy((): ReadonlySet<string> => new Set(REFERENCE_BUNDLES.flatMap(it => it.places.map(keyOf))));

/** Built for the first object of a kind. */
const treeOf = lazyByText(treeFor);

/** The rows for an object; undefined for a kind without references. */
export function rowsOf({ group, kind }: Pick<WorkspaceObject, 'group' | 'kind'>): RowTree | undefined {
  const key = `${group}/${kind}`;
  if (kindsOfRows().has(key)) return treeOf(key);
  if (group !== 'extensions' || !holdsPods(group, kind)) return undefined;
  const other = `apps/${kind}`;
  return kindsOfRows().has(other) ? treeOf(other) : undefined;
}

/** The kinds that have a row which fulfils a condition. */
export function kindsWith(isMeant: (row: ReferenceRow) => boolean): readonly string[] {
  const bundles = REFERENCE_BUNDLES.filter(it => it.rows.some(isMeant));
  return [...new Set(bundles.flatMap(it => it.places.map(place => place.kind)))];
}

function keyOf({ group, kind }: Bundle['places'][number]): string {
  return `${group}/${kind}`;
}

function treeFor(key: string): RowTree {
  const tree = growing();
  for (const { places, rows } of REFERENCE_BUNDLES) {
    for (const place of places.filter(it => keyOf(it) === key)) {
      const prefix = stepsOf(place.path);
      const depthOf = { container: prefix.length, podSpec: place.podSpecDepth ?? 0, object: 0 };
      for (const row of rows) {
        const steps = [...prefix, ...stepsOf(row.at)];
        grow(tree, steps, { row, depthOf });
        const owner = steps.slice(0, -1);
        for (const part of row.parts ?? []) {
          grow(tree, [...owner, ...stepsOf(part.at)], { row, depthOf, part, ownerDepth: owner.length });
        }
      }
    }
  }
  return tree;
}

function grow(tree: Growing, steps: readonly string[], row: PlacedRow): void {
  let node = tree;
  for (const step of steps) {
    if (step === '[]') {
      node.items ??= growing();
      node = node.items;
      continue;
    }
    const next: Growing = node.fields.get(step) ?? growing();
    node.fields.set(step, next);
    node = next;
  }
  node.rows.push(row);
}

function growing(): Growing {
  return { rows: [], fields: new Map(), items: undefined };
}
