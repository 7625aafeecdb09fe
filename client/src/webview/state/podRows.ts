import type { PreviewPod, PreviewRefusal } from '../../../../server/src/analysis/previewModel';
import type { GroupName, PodListGroup } from './selectors';

/** One line of the list of Pods, at its level of the tree. */
export type PodRow =
  | ({ readonly kind: 'group'; readonly key: string; readonly level: 1; readonly group: GroupName } & Parent)
  | ({ readonly kind: 'workload'; readonly key: string; readonly level: 2; readonly name: string } & Parent)
  | { readonly kind: 'refusal'; readonly key: string; readonly level: 2; readonly refusal: PreviewRefusal }
  | { readonly kind: 'pod'; readonly key: string; readonly level: 2 | 3; readonly pod: PreviewPod };

interface Parent {
  readonly isOpen: boolean;
  readonly count: number;
  readonly pods: readonly PreviewPod[];
}

export interface OpenRows {
  /** Keys of groups that are closed and of workloads that are open: the other way is usual. */
  readonly toggled: ReadonlySet<string>;
  /** Everything is open, as while the list is filtered. */
  readonly isAllOpen: boolean;
}

/** The rows that are to be seen: groups, their workloads with the number of Pods, and the Pods of those that are open. */
export function podRows(
  groups: readonly PodListGroup[],
  { toggled, isAllOpen }: OpenRows,
  refusals: readonly PreviewRefusal[] = [],
): readonly PodRow[] {
  const tried = groups.flatMap(({ group, pods }): readonly PodRow[] => {
    const key = `group:${group}`;
    const isOpen = isAllOpen || !toggled.has(key);
    const head: PodRow = { kind: 'group', key, level: 1, group, isOpen, count: pods.length, pods };
    if (!isOpen) return [head];
    return [head, ...byWorkload(pods).flatMap(own => workloadRows(group, own, { toggled, isAllOpen }))];
  });
  return [...refusalRows(refusals, { toggled, isAllOpen }), ...tried];
}

function refusalRows(refusals: readonly PreviewRefusal[], { toggled, isAllOpen }: OpenRows): readonly PodRow[] {
  if (refusals.length === 0) return [];
  const group = 'refused';
  const key = `group:${group}`;
  const isOpen = isAllOpen || !toggled.has(key);
  const count = refusals.reduce((sum, it) => sum + it.pods, 0);
  const rows = refusals.map((refusal): PodRow => ({ kind: 'refusal', key: `list:${refusal.id}`, level: 2, refusal }));
  return [{ kind: 'group', key, level: 1, group, isOpen, count, pods: [] }, ...(isOpen ? rows : [])];
}

/** A group or a workload, which can be opened and closed. */
export type ParentRow = Extract<PodRow, { readonly isOpen: boolean }>;

export const isParent = (row: PodRow): row is ParentRow => 'isOpen' in row;

function workloadRows(
  group: GroupName,
  pods: readonly PreviewPod[],
  { toggled, isAllOpen }: OpenRows,
): readonly PodRow[] {
  const [first] = pods;
  if (first === undefined) return [];
  if (pods.length === 1) return [{ kind: 'pod', key: keyOfPod(first), level: 2, pod: first }];
  const key = `workload:${group} ${ownerKey(first)}`;
  const isOpen = isAllOpen || toggled.has(key);
  const name = (first.owner ?? first.name).replace(/^.*\//, '');
  return [
    { kind: 'workload', key, level: 2, name, isOpen, count: pods.length, pods },
    ...(isOpen ? pods.map((pod): PodRow => ({ kind: 'pod', key: keyOfPod(pod), level: 3, pod })) : []),
  ];
}

const keyOfPod = ({ id }: PreviewPod): string => `list:${id}`;

const ownerKey = ({ namespace, owner, name }: PreviewPod): string => `${namespace} ${owner ?? name}`;

/** Pods of one workload together, in the order of the first of each. */
function byWorkload(pods: readonly PreviewPod[]): readonly (readonly PreviewPod[])[] {
  const groups = new Map<string, PreviewPod[]>();
  for (const pod of pods) {
    const found = groups.get(ownerKey(pod));
    if (found) found.push(pod);
    else groups.set(ownerKey(pod), [pod]);
  }
  return [...groups.values()];
}

/** The row that stands for a Pod: its own, or that of the closed workload or group it is in. */
export function rowOf(rows: readonly PodRow[], pod: string | undefined): PodRow | undefined {
  if (pod === undefined) return undefined;
  return (
    rows.find(it => !isParent(it) && podOfRow(it) === pod) ??
    rows.find(it => isParent(it) && !it.isOpen && it.pods.some(one => one.id === pod))
  );
}

/** The Pod that choosing a row chooses. */
export function podOfRow(row: PodRow): string | undefined {
  if (row.kind === 'refusal') return row.refusal.id;
  return row.kind === 'pod' ? row.pod.id : row.pods[0]?.id;
}

/** What a key does to the tree: goes to a row, opens or closes one, or opens everything; undefined: nothing. */
export type TreeStep = { readonly to: number } | { readonly toggle: number } | 'openAll';

export function treeStep(key: string, at: number, rows: readonly PodRow[]): TreeStep | undefined {
  const row = rows[at];
  const last = rows.length - 1;
  const parent = row !== undefined && isParent(row) ? row : undefined;
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, last) };
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) };
    case 'PageDown':
      return { to: Math.min(at + 10, last) };
    case 'PageUp':
      return { to: Math.max(at - 10, 0) };
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: last };
    case 'ArrowRight':
      if (parent === undefined) return undefined;
      return parent.isOpen ? { to: Math.min(at + 1, last) } : { toggle: at };
    case 'ArrowLeft':
      if (parent?.isOpen) return { toggle: at };
      return {
        to: Math.max(
          0,
          rows.findLastIndex((it, index) => index < at && it.level < (row?.level ?? 1)),
        ),
      };
    case 'Enter':
    case ' ':
      return parent ? { toggle: at } : { to: Math.max(at, 0) };
    case '*':
      return 'openAll';
    default:
      return undefined;
  }
}

/** Of every row: its place among those of the same parent, and how many there are. */
export function placesOf(rows: readonly PodRow[]): ReadonlyMap<PodRow, readonly [position: number, of: number]> {
  const families: PodRow[][] = [];
  const open: PodRow[][] = [];
  for (const row of rows) {
    open.length = row.level;
    const family = open[row.level - 1] ?? [];
    if (family.length === 0) families.push(family);
    open[row.level - 1] = family;
    family.push(row);
  }
  return new Map(families.flatMap(family => family.map((row, index) => [row, [index + 1, family.length]] as const)));
}

/** Keys of everything that can be opened or closed, so that all is open. */
export function openedAll(groups: readonly PodListGroup[]): ReadonlySet<string> {
  const none = { toggled: new Set<string>(), isAllOpen: true };
  return new Set(podRows(groups, none).flatMap(it => (it.kind === 'workload' ? [it.key] : [])));
}
