import type { Steps } from '../../base/steps';
import { withChanges } from '../../cluster/changes';
import type { RefusedWorkload, RejectedPod } from '../../cluster/scenario';
import { groupOfPodKind } from '../../kube/podTemplates';
import type { WorkspaceObject } from '../../workspace/object';
import { writtenAs } from '../../workspace/rendered/overlays';
import type { Snapshot } from '../../workspace/workspace';
import { podsOf } from '../placement/environmentFacts';
import type { EnvironmentPlacement } from '../placement/environmentPlacement';
import type { PreviewRefusal } from './model';
import { refusedObjects, type UnadmittedObject } from './refusedObjects';

/** A placement of what comes into the cluster, and what does not. */
export interface AdmittedPlacement {
  readonly placement: EnvironmentPlacement;
  /** Objects that are refused as a whole, or whose Pods all are, with the ids of their Pods. */
  readonly refused: readonly (UnadmittedObject & { readonly pods: readonly string[] })[];
}

/** The same placement without the objects that the server refuses: their Pods never take any room. */
export function* admittedSteps(
  before: EnvironmentPlacement,
  snapshot: Snapshot,
  asked: Pick<Parameters<typeof refusedObjects>[0], 'kube' | 'podSecurity' | 'memory'>,
): Steps<AdmittedPlacement> {
  const found = refusedObjects({ ...asked, snapshot, counts: before.counts });
  const refused = found.map(it => ({ ...it, pods: podsOf(before, it.object) }));
  if (refused.length === 0) return { placement: before, refused };
  const removed = refused.map(({ object: { kind, namespace = 'default', name = '' } }) => ({
    do: 'remove' as const,
    object: { kind, namespace, name },
  }));
  const { placement } = yield* before.over('without what is refused', function* () {
    yield;
    return withChanges(before.inputs.objects, removed);
  });
  return { placement, refused };
}

/** All Pods that never come into the cluster, by what would make them. */
export function refusalsIn(
  { refused }: AdmittedPlacement,
  placement: EnvironmentPlacement,
  snapshot: Snapshot,
): readonly PreviewRefusal[] {
  return [
    ...refused.flatMap(it => refusalOfObject(it, snapshot)),
    ...placement.refusedWorkloads.map(it => refusalOfWorkload(it, placement, snapshot)),
    ...placement.rejected.map(it => refusalOfPod(it, placement, snapshot)),
  ];
}

function refusalOfObject(
  { object, by, message, pods }: AdmittedPlacement['refused'][number],
  snapshot: Snapshot,
): readonly PreviewRefusal[] {
  const { kind, name = '', namespace = 'default' } = object;
  const [first] = pods;
  if (first === undefined) return [];
  const isPod = kind === 'Pod';
  return [
    {
      id: first,
      name: first.slice(first.indexOf('/') + 1),
      namespace,
      ...(!isPod && { owner: `${kind}/${name}` }),
      pods: pods.length,
      by,
      reason: message,
      message,
      ...sourceOf(object, snapshot),
    },
  ];
}

function refusalOfWorkload(
  { kind, namespace, name, pods, message }: RefusedWorkload,
  { counts }: EnvironmentPlacement,
  snapshot: Snapshot,
): PreviewRefusal {
  const written = snapshot.find(groupOfPodKind(kind) ?? '', kind, namespace, name).find(counts);
  return {
    id: `${namespace}/${name}`,
    name,
    namespace,
    owner: `${kind}/${name}`,
    pods,
    by: 'policy',
    reason: reasonIn(message),
    message,
    ...sourceOf(written, snapshot),
  };
}

function refusalOfPod(pod: RejectedPod, placement: EnvironmentPlacement, snapshot: Snapshot): PreviewRefusal {
  const { id, source, message, isByPolicy, more = 0 } = pod;
  const [namespace = '', name = ''] = id.split('/');
  const owner = placement.ownersOf({ source }).at(-1);
  const kind = owner?.kind ?? 'Pod';
  const written = snapshot
    .find(groupOfPodKind(kind) ?? '', kind, namespace, owner?.name ?? name)
    .find(placement.counts);
  return {
    id,
    name,
    namespace,
    ...(owner && { owner: `${owner.kind}/${owner.name}` }),
    pods: 1 + more,
    by: isByPolicy ? 'policy' : OF_QUOTA.test(message) ? 'quota' : 'admission',
    reason: reasonIn(message),
    message,
    ...sourceOf(written, snapshot),
  };
}

/** Upstream: resourcequota.CheckRequest. */
const OF_QUOTA = /: (?:exceeded|failed) quota: /;

/** `Error creating: pods "web-" is forbidden: exceeded quota: …` without what stands before the reason. */
const reasonIn = (message: string): string => message.replace(/^.*?\bis forbidden: /s, '');

function sourceOf(made: WorkspaceObject | undefined, snapshot: Snapshot): Pick<PreviewRefusal, 'source'> {
  const written = made && writtenAs(made, snapshot);
  return written ? { source: { uri: written.manifest.uri, offset: written.manifest.span.start } } : {};
}
