import { grouped } from '../../base/multiMap';
import { isReplicated } from '../../cluster/changes';
import type { PreviewNode, PreviewPod, PreviewStep, PreviewWorkload } from './model';

/** The Pods grouped by owner, in order of their first Pod. */
export function workloadsOf(
  pods: readonly PreviewPod[],
  nodes: readonly PreviewNode[],
  steps: readonly PreviewStep[],
): readonly PreviewWorkload[] {
  const zoneOf = new Map(nodes.map(it => [it.name, it.zone]));
  const withVictims = steps.filter(it => it.victims.length > 0);
  const victimsOf = grouped(withVictims, it => it.pod);
  return [...grouped(pods, keyOf).values()].map((own): PreviewWorkload => {
    const { owner, namespace, name } = own[0]!;
    const [kind = '', ownerName = ''] = owner?.split('/') ?? ['Pod', name];
    const placed = own.filter(it => it.state === 'placed' || it.state === 'running');
    const on = [...new Set(placed.flatMap(it => it.node ?? []))];
    const victims = own.flatMap(it => (victimsOf.get(it.id) ?? []).flatMap(step => step.victims));
    return {
      kind,
      namespace,
      name: ownerName,
      isScalable: isReplicated(kind),
      pods: own.map(it => it.id),
      onNode: placed.length,
      pending: own.filter(it => it.state === 'pending').length,
      evicted: own.filter(it => it.state === 'victim').length,
      nodes: on,
      zones: [...new Set(on.map(it => zoneOf.get(it) ?? ''))].filter(it => it !== ''),
      victims: new Set(victims).size,
    };
  });
}

const keyOf = ({ namespace, owner, name }: PreviewPod): string => `${namespace} ${owner ?? `Pod/${name}`}`;
