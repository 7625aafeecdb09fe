import type { WorkspaceObject } from '../../workspace/object';
import type { CallLimits, PolicyEngine } from '../engine/engine';
import { type LoadAnswer, loadedIn } from '../engine/loaded';
import { kindKey } from './policies';

/** Gatekeeper's policies in the engine, loaded once; inventory changes are sent as updates. */
export interface LoadedPolicies {
  /** Sets the inventory and returns the load answer. */
  withInventory(inventory: Inventory, request: LoadRequest): Promise<LoadedWithInventory>;
  /** Tells later whether kinds of constraints still read the same in the inventory. */
  holdsFor(kinds: readonly string[]): () => boolean;
  /** Makes the next call load everything again. */
  outdate(): void;
  release(): void;
}

export type Inventory = readonly WorkspaceObject[];

type LoadRequest = Parameters<ReturnType<typeof loadedIn>['get']>[0];

interface LoadedWithInventory {
  readonly answer: LoadAnswer;
  /** Whether everything was loaded just now. */
  readonly isFresh: boolean;
}

export function loadedPolicies(
  engine: PolicyEngine,
  admitted: (object: WorkspaceObject) => unknown,
  limits: CallLimits,
): LoadedPolicies {
  const loaded = loadedIn(engine, limits);
  const state: { held: Inventory } = { held: [] };
  const changes: ChangeCounts = new Map();
  async function update(handle: number, { put, remove }: InventoryChanges): Promise<void> {
    if (put.length + remove.length === 0) return;
    const request = { op: 'updateGatekeeper', handle, put: put.map(admitted), remove: remove.map(admitted) };
    const { changed } = (await engine.call(request, limits)) as { readonly changed: readonly string[] };
    for (const kind of changed) changes.set(kind, (changes.get(kind) ?? 0) + 1);
  }
  return {
    async withInventory(inventory, request) {
      const { answer, isFresh } = await loaded.get(request);
      if (!isFresh) await update(answer.handle, changesOf(state.held, inventory));
      state.held = inventory;
      return { answer, isFresh };
    },
    holdsFor: kinds => holdsSince(changes, kinds),
    outdate: () => loaded.outdate(),
    release: () => loaded.release(),
  };
}

/** By kind of constraints: how often something changed that they read. */
type ChangeCounts = Map<string, number>;

/** Outside of `loadedPolicies`, as placements keep the result for long: it holds no policies. */
function holdsSince(changes: ChangeCounts, kinds: readonly string[]): () => boolean {
  const then = kinds.map(it => changes.get(it));
  return () => kinds.every((it, i) => changes.get(it) === then[i]);
}

interface InventoryChanges {
  readonly put: Inventory;
  readonly remove: Inventory;
}

const unchanged: InventoryChanges = { put: [], remove: [] };

/** The changes from one inventory to another. Of two objects with the same identity the later one counts. */
export function changesOf(before: Inventory, after: Inventory): InventoryChanges {
  if (before === after) return unchanged;
  const [old, now] = [byIdentity(before), byIdentity(after)];
  return {
    put: [...now].flatMap(([key, it]) => (old.get(key)?.manifest.contentId === it.manifest.contentId ? [] : [it])),
    remove: [...old].flatMap(([key, it]) => (now.has(key) ? [] : [it])),
  };
}

const byIdentity = (objects: Inventory): ReadonlyMap<string, WorkspaceObject> =>
  new Map(objects.map(it => [`${kindKey(it)} ${it.namespace ?? ''}/${it.name}`, it]));
