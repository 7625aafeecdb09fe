import type { WorkspaceObject } from '../../workspace/object';
import type { CallLimits, PolicyEngine } from '../engine/engine';
import { type LoadAnswer, loadedIn } from '../engine/loaded';
import { kindKey } from './policies';

/** What is loaded of Gatekeeper's policies: once, however often the inventory changes. */
export interface LoadedPolicies {
  /** What is loaded, after its inventory is the wanted one, with the kinds of constraints that look at what changed. */
  withInventory(inventory: Inventory, request: LoadRequest): Promise<LoadedWithInventory>;
  /** The next question loads everything anew. */
  outdate(): void;
  release(): void;
}

export type Inventory = readonly WorkspaceObject[];

type LoadRequest = Parameters<ReturnType<typeof loadedIn>['get']>[0];

interface LoadedWithInventory {
  readonly answer: LoadAnswer;
  /** undefined: everything was loaded just now. */
  readonly changed: ReadonlySet<string> | undefined;
}

export function loadedPolicies(
  engine: PolicyEngine,
  admitted: (object: WorkspaceObject) => unknown,
  limits: CallLimits,
): LoadedPolicies {
  const loaded = loadedIn(engine, limits);
  const state: { held: Inventory } = { held: [] };
  async function update(handle: number, { put, remove }: InventoryChanges): Promise<ReadonlySet<string>> {
    if (put.length + remove.length === 0) return new Set();
    const request = { op: 'updateGatekeeper', handle, put: put.map(admitted), remove: remove.map(admitted) };
    const { changed } = (await engine.call(request, limits)) as { readonly changed: readonly string[] };
    return new Set(changed);
  }
  return {
    async withInventory(inventory, request) {
      const { answer, isFresh } = await loaded.get(request);
      const changed = isFresh ? undefined : await update(answer.handle, changesOf(state.held, inventory));
      state.held = inventory;
      return { answer, changed };
    },
    outdate: () => loaded.outdate(),
    release: () => loaded.release(),
  };
}

interface InventoryChanges {
  readonly put: Inventory;
  readonly remove: Inventory;
}

const unchanged: InventoryChanges = { put: [], remove: [] };

/** What makes one inventory of another. Of two objects with one name the later one is there. */
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
