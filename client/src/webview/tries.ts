import type { PreviewModel, PreviewWorkload, WhatIf } from '../../../server/src/analysis/preview';
import type { ClusterChange, ObjectName } from '../../../server/src/cluster/changes';
import { strings } from './strings';

/** What is tried now; nothing at first. */
export const triedIn = (model: PreviewModel): WhatIf => model.tried?.whatIf ?? { changes: [] };

/** One more change. One of the same kind about the same thing takes the place of the earlier one; factors multiply. */
export function withChange(whatIf: WhatIf, change: ClusterChange): WhatIf {
  const same = whatIf.changes.find(it => subjectOf(it) === subjectOf(change));
  const merged =
    same?.do === 'scaleBy' && change.do === 'scaleBy' ? { ...change, factor: same.factor * change.factor } : change;
  return { ...whatIf, changes: [...whatIf.changes.filter(it => it !== same), merged] };
}

export const withoutChange = (whatIf: WhatIf, index: number): WhatIf => ({
  ...whatIf,
  changes: whatIf.changes.filter((_, at) => at !== index),
});

/** The first of a file's environments is the one that counts without anything tried. */
export function inEnvironment(whatIf: WhatIf, name: string, all: readonly string[]): WhatIf {
  const { environment: _, ...rest } = whatIf;
  return name === all[0] ? rest : { ...rest, environment: name };
}

export const isTrying = ({ changes, strategy = 'configured', environment }: WhatIf): boolean =>
  changes.length > 0 || strategy !== 'configured' || environment !== undefined;

/** What a change is about: two of the same say the same thing twice. */
function subjectOf(change: ClusterChange): string {
  switch (change.do) {
    case 'nodeDown':
    case 'drain':
    case 'cordon':
      return `node ${change.node}`;
    case 'zoneDown':
      return `zone ${change.zone}`;
    case 'scaleBy':
      return `scaleBy ${change.object === undefined ? '' : nameOf(change.object)}`;
    case 'scale':
    case 'remove':
      return `object ${nameOf(change.object)}`;
    case 'apply':
      return 'apply';
  }
}

const nameOf = ({ namespace = '', kind, name }: ObjectName): string => `${namespace}/${kind}/${name}`;

/** A change in a few words: "node-1 down". */
export function changeInWords(change: ClusterChange): string {
  const words = strings.tries;
  switch (change.do) {
    case 'nodeDown':
      return words.nodeDown(change.node);
    case 'zoneDown':
      return words.zoneDown(change.zone);
    case 'drain':
      return words.drain(change.node);
    case 'cordon':
      return words.cordon(change.node);
    case 'scale':
      return words.scale(`${change.object.kind}/${change.object.name}`, change.replicas);
    case 'scaleBy':
      return words.scaleBy(change.object && `${change.object.kind}/${change.object.name}`, change.factor);
    case 'remove':
      return words.remove(`${change.object.kind}/${change.object.name}`);
    case 'apply':
      return words.apply(change.objects.length);
  }
}

export const objectOf = ({ kind, namespace, name }: PreviewWorkload): ObjectName => ({ kind, namespace, name });

/** Pods that are there when nobody fails: evicted ones come back. */
const replicasOf = ({ pods }: PreviewWorkload): number => pods.length;

/** One more replica than now. */
export const oneMore = (workload: PreviewWorkload): ClusterChange => ({
  do: 'scale',
  object: objectOf(workload),
  replicas: replicasOf(workload) + 1,
});

export const twice = (workload: PreviewWorkload): ClusterChange => ({
  do: 'scale',
  object: objectOf(workload),
  replicas: 2 * replicasOf(workload),
});

/** The difference in one sentence. */
export function differenceInWords(model: PreviewModel): string {
  const { tried } = model;
  if (tried === undefined) return '';
  const words = strings.tries.difference;
  const { moved, lost, pending, placed, evicted, removed, problems } = tried.difference;
  const parts = [
    ...(pending.length > 0 ? [words.pending(pending.length)] : []),
    ...(lost.length > 0 ? [words.lost(lost.length)] : []),
    ...(evicted.length > 0 ? [words.evicted(evicted.length)] : []),
    ...(moved.length > 0 ? [words.moved(moved.length)] : []),
    ...(placed.length > 0 ? [words.placed(placed.length)] : []),
    ...(removed.length > 0 ? [words.removed(removed.length)] : []),
  ];
  const sum = parts.length === 0 ? words.nothing : parts.join(words.between);
  return [sum, ...problems].join('. ');
}
