import type { JsonObject, UnknownObject } from '../../base/json';
import { lazy } from '../../base/lazy';
import { isSameValue } from '../../base/sameValue';
import { hasPassedPlugins, PLUGIN_KINDS, requestPlugins } from '../../cluster/admission/requestPlugins';
import type { Snapshot } from '../../workspace/workspace';

/** The API server's own plugins: they change an object before policies see it, and refuse what policies made of it. */
export interface ServerPlugins {
  /** Two with equal dependencies change objects equally. */
  readonly dependencies: readonly unknown[];
  /** The same object where nothing changes; `rejected`: the server's text where a plugin refuses it. */
  change(object: JsonObject): { readonly object: JsonObject } | { readonly rejected: string };
  /** The server's text where a plugin refuses a valid object after all policies changed it; undefined: none does. */
  refusalOf(object: JsonObject): string | undefined;
  /** Whether an object has passed them before it came here. */
  hasPassed(object: JsonObject): boolean;
}

export const noPlugins: ServerPlugins = {
  dependencies: [],
  change: object => ({ object }),
  refusalOf: () => undefined,
  hasPassed: () => true,
};

const GROUPS: Readonly<Record<(typeof PLUGIN_KINDS)[number], string>> = {
  PriorityClass: 'scheduling.k8s.io',
  RuntimeClass: 'node.k8s.io',
  LimitRange: '',
  StorageClass: 'storage.k8s.io',
  IngressClass: 'networking.k8s.io',
};

/** The plugins as they are with the classes, namespaces and limits of a workspace. */
export function serverPlugins(snapshot: Snapshot): ServerPlugins {
  const objects = PLUGIN_KINDS.map(kind => [kind, snapshot.objectsOf(GROUPS[kind], kind)] as const);
  // Most chains are compared by their dependencies and never asked.
  const plugins = lazy(() =>
    requestPlugins(
      new Map(objects.map(([kind, them]) => [kind, them.map(it => it.manifest.value as UnknownObject)] as const)),
    ),
  );
  return {
    dependencies: objects.flatMap(([, them]) => them.map(it => it.manifest.contentId)),
    change(object) {
      const answer = plugins().change(object) as ReturnType<ServerPlugins['change']>;
      return 'object' in answer && isSameValue(answer.object, object) ? { object } : answer;
    },
    refusalOf: object => plugins().refusalOf(object),
    hasPassed: hasPassedPlugins,
  };
}
