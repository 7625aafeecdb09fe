import type { UnknownObject } from '../../base/json';
import { lazy } from '../../base/lazy';
import { runToEnd } from '../../base/steps';
import { makerKey, ownersIn, podsByMaker } from '../../cluster/owners';
import { podsAskedFor, type Scenario } from '../../cluster/scenario';
import type { Pod } from '../../kube/types';
import { readScenarioSteps } from '../../scheduler/scenario';
import type { WorkspaceObject } from '../../workspace/object';
import { objectsInCluster, type RunContext, runOptions } from './clusterRun';
import type { RefusedSource } from './environmentPlacement';
import type { UnadmittedObject } from './refusedObjects';
import { specIn } from './specIn';

/** Refused objects with the Pods that they would make: these are read apart, and never placed. */
export function refusedPods(
  refused: readonly UnadmittedObject[],
  written: readonly WorkspaceObject[],
  context: RunContext,
): readonly RefusedSource[] {
  if (refused.length === 0) return [];
  const scenario = lazy(() => scenarioOf(refused, written, context));
  const pods = lazy((): readonly MadePod[] => [...scenario().pending, ...scenario().rejected]);
  const byId = lazy(() => new Map(pods().map(it => [it.id, it.source])));
  const byMaker = lazy(() => podsByMaker(pods(), ownersIn(scenario().cluster)));
  const podNamed = (id: string): Pod | undefined => byId().get(id);
  return refused.map((it): RefusedSource => {
    const { object } = it;
    const { kind, name = '', namespace = 'default', manifest } = object;
    return {
      ...it,
      spec: () => specIn(object, scenario().cluster.objects, podNamed),
      pods: lazy(() => {
        const id = `${namespace}/${name}`;
        const made = (kind === 'Pod' ? undefined : byMaker().get(makerKey(kind, namespace, name))) ?? [];
        const [first] = made;
        // Of what is too broken to make any, nothing but the number is known.
        if (first === undefined) return { first: id, count: podsAskedFor(manifest.value) };
        return { first: first.id, count: made.reduce((sum, pod) => sum + 1 + (pod.more ?? 0), 0) };
      }),
    };
  });
}

type MadePod = { readonly source: Pod; readonly id: string; readonly more?: number };

/** How many Pods a DaemonSet makes depends on the Nodes. */
function scenarioOf(
  refused: readonly UnadmittedObject[],
  written: readonly WorkspaceObject[],
  context: RunContext,
): Scenario {
  const objects = refused.map(it => it.object);
  const needsNodes = objects.some(it => it.kind === 'DaemonSet');
  const given = needsNodes ? [...written.filter(it => it.kind === 'Node'), ...objects] : objects;
  const around: RunContext = { ...context, askPolicies: undefined, ...(!needsNodes && { nodes: 'own' }) };
  const values = given.map(it => it.manifest.value as UnknownObject);
  return runToEnd(readScenarioSteps(objectsInCluster(values, around), runOptions(around)));
}
