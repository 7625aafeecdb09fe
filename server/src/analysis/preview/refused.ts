import type { RefusedWorkload, RejectedPod } from '../../cluster/scenario';
import { groupOfPodKind } from '../../kube/podTemplates';
import type { WorkspaceObject } from '../../workspace/object';
import { writtenAs } from '../../workspace/rendered/overlays';
import type { Snapshot } from '../../workspace/workspace';
import type { EnvironmentPlacement, RefusedSource } from '../placement/environmentPlacement';
import type { PreviewRefusal } from './model';

/** All Pods that never come into the cluster, by what would make them. */
export function refusalsIn(placement: EnvironmentPlacement, snapshot: Snapshot): readonly PreviewRefusal[] {
  return [
    ...placement.refused.flatMap(it => refusalOfObject(it, snapshot)),
    ...placement.refusedWorkloads.map(it => refusalOfWorkload(it, placement, snapshot)),
    ...placement.rejected.map(it => refusalOfPod(it, placement, snapshot)),
  ];
}

function refusalOfObject({ object, by, message, pods }: RefusedSource, snapshot: Snapshot): readonly PreviewRefusal[] {
  const { kind, name = '', namespace = 'default' } = object;
  const { first, count } = pods();
  const refusal: PreviewRefusal = {
    id: first,
    name: first.slice(first.indexOf('/') + 1),
    namespace,
    ...(kind !== 'Pod' && { owner: `${kind}/${name}` }),
    pods: count,
    by,
    reason: message,
    message,
    ...sourceOf(object, snapshot),
  };
  return count === 0 ? [] : [refusal];
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
