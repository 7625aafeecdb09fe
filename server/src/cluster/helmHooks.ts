import type { UnknownObject } from '../base/json';
import { isWorkload } from './controllers/workloads';

const ANNOTATION = 'helm.sh/hook';
/** Hooks that `helm install` and `helm upgrade` do not start. `test-success` and `test-failure` are those of Helm 2. */
const STARTED_LATER: ReadonlySet<string> = new Set([
  ...['test', 'test-success', 'test-failure'],
  ...['pre-delete', 'post-delete', 'pre-rollback', 'post-rollback'],
]);

/**
 * The hooks for which a Pod or workload of a chart waits, as Helm's annotation names them; undefined for what an install
 * creates, and for what a server has created. `kubectl apply` does not know hooks: there Berth differs on purpose.
 * Source: https://helm.sh/docs/topics/charts_hooks/, of Helm 3 `release.HookEvent`.
 */
export function laterHooks(object: UnknownObject): string | undefined {
  if (object.kind !== 'Pod' && !isWorkload(object)) return undefined;
  const { annotations, uid } = (object.metadata ?? {}) as {
    readonly annotations?: UnknownObject;
    readonly uid?: unknown;
  };
  const written = annotations?.[ANNOTATION];
  if (typeof written !== 'string' || uid !== undefined) return undefined;
  const hooks = written.split(',').map(it => it.trim());
  return hooks.every(it => STARTED_LATER.has(it)) ? hooks.join(', ') : undefined;
}
