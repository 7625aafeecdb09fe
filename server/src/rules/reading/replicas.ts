import { asList, asObject, asText, type JsonObject } from '../../base/json';
import { lazyByObject } from '../../base/lazy';
import { largest, smallest } from '../../base/manyItems';
import { grouped } from '../../base/multiMap';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../manifest/valueAt';
import { effectsOn } from '../../workspace/kustomizeEffects';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';

export interface ReplicaRange {
  readonly least: number;
  readonly most: number;
}

const SCALABLE: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet']);
const REPLICAS = FieldPath.of('spec', 'replicas');

/**
 * How many Pods an object has at the same time, according to everything in the workspace: several files may define the
 * same workload, and an autoscaler changes the number. undefined if the text does not say.
 */
export function replicaRange(object: WorkspaceObject, snapshot: Snapshot): ReplicaRange | undefined {
  const { kind, group, namespace, name = '' } = object;
  if (kind === 'Pod') return { least: 1, most: 1 };
  if (kind === 'Job') return jobRange(object);
  if (!SCALABLE.has(kind) || isChangedByKustomize(object, snapshot)) return undefined;
  const written = snapshot.find(group, kind, namespace, name).map(it => valueAt(it.manifest.value, REPLICAS) ?? 1);
  const scalers = scalersOf(snapshot.objectsOf('autoscaling', 'HorizontalPodAutoscaler'), kind, name);
  const bounds = scalers.flatMap(it => [
    fieldAt(it.manifest.value, 'spec', 'minReplicas') ?? 1,
    fieldAt(it.manifest.value, 'spec', 'maxReplicas') ?? 1,
  ]);
  const numbers = [...(bounds.length > 0 ? bounds : written)];
  const isScaledElsewhere = scalersOf(snapshot.objectsOf('keda.sh', 'ScaledObject'), kind, name).length > 0;
  if (isScaledElsewhere || !numbers.every(isCount)) return undefined;
  return { least: smallest(numbers), most: largest(numbers) };
}

/** Whether a kustomization that builds the object may set another number. */
function isChangedByKustomize(object: WorkspaceObject, { roles, files }: Snapshot): boolean {
  const { kustomizations } = roles;
  const builders = kustomizations.buildersOf(object.manifest.uri);
  if (builders.length === 0) return false;
  const isCounted = builders.some(it => it.object && countedIn(it.object.value).has(object.name));
  return isCounted || effectsOn(object, kustomizations, files).has('fields');
}

/** The names of workloads of which a kustomization gives the number, by its value: any number of workloads may be asked for. */
const countedIn = lazyByObject(
  ({ replicas }: JsonObject) => new Set(asList(replicas).map(it => asText(asObject(it)?.name))),
);

/** Those of some autoscalers whose target is a workload of this kind and name. */
export function scalersOf(all: readonly WorkspaceObject[], kind: string, name: string): readonly WorkspaceObject[] {
  return byTarget(all).get(`${kind} ${name}`) ?? [];
}

/** By a list of the index, which goes with its snapshot. */
const byTarget = lazyByObject((scalers: readonly WorkspaceObject[]) =>
  grouped(scalers, ({ manifest }) => {
    const target = asObject(fieldAt(manifest.value, 'spec', 'scaleTargetRef'));
    const name = asText(target?.name);
    return name === undefined ? undefined : `${asText(target?.kind) ?? 'Deployment'} ${name}`;
  }),
);

function jobRange({ manifest }: WorkspaceObject): ReplicaRange | undefined {
  const spec: JsonObject = asObject(manifest.value.spec) ?? {};
  const { parallelism = 1, completions = Number.MAX_SAFE_INTEGER } = spec;
  if (!isCount(parallelism) || !isCount(completions)) return undefined;
  const count = Math.min(parallelism, completions);
  return { least: count, most: count };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
