import type { PreviewChoice, PreviewModel, PreviewWorkload, WhatIf } from '../../../server/src/analysis/preview';
import type { ClusterChange, ObjectName } from '../../../server/src/cluster/changes';
import { moverInWords, withoutMover } from './moverWords';
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

/**
 * What shall be tried after somebody made `next` of `shown`, while `sent` is on its way to be shown: neither undoes the
 * other. To try nothing is to try nothing.
 */
export function rebased(sent: WhatIf, shown: WhatIf, next: WhatIf): WhatIf {
  if (!isTrying(next)) return next;
  const key = (change: ClusterChange): string => JSON.stringify(change);
  const [before, after] = [new Set(shown.changes.map(key)), new Set(next.changes.map(key))];
  const kept = sent.changes.filter(it => !before.has(key(it)) || after.has(key(it)));
  const added = next.changes.filter(it => !before.has(key(it)));
  const { changes } = added.reduce(withChange, { changes: kept });
  const touched = Object.entries({ ...shown, ...next }).filter(
    ([name]) => next[name as keyof WhatIf] !== shown[name as keyof WhatIf],
  );
  const gone = new Set(touched.map(([name]) => name).filter(name => !(name in next)));
  const others = Object.entries({ ...sent, ...Object.fromEntries(touched) }).filter(([name]) => !gone.has(name));
  return { ...Object.fromEntries(others), changes };
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

/** The first source is the environment's own, which counts without anything tried. */
export function onSource(whatIf: WhatIf, source: string, all: readonly PreviewChoice[]): WhatIf {
  const { source: _, ...rest } = whatIf;
  return source === all[0]?.key ? rest : { ...rest, source };
}

/** Profiles are those of a configuration: with another one the profile that is tried is forgotten. */
export function underConfiguration(whatIf: WhatIf, configuration: string): WhatIf {
  const { configuration: _, profile: __, ...rest } = whatIf;
  return configuration === '' ? rest : { ...rest, configuration };
}

/** '' for each Pod's own. */
export function underProfile(whatIf: WhatIf, profile: string): WhatIf {
  const { profile: _, ...rest } = whatIf;
  return profile === '' ? rest : { ...rest, profile };
}

export const isTrying = ({ changes, strategy = 'configured', ...others }: WhatIf): boolean =>
  changes.length > 0 || strategy !== 'configured' || Object.values(others).some(it => it !== undefined);

/** What is tried beside changes: each in words, "Scoring: pack", and what is left without it. */
export function triedBeside(
  whatIf: WhatIf,
  choices: PreviewModel['choices'],
): readonly { readonly words: string; readonly without: WhatIf }[] {
  const { strategy = 'configured', environment, source, configuration, profile, mover } = whatIf;
  const words = strings.tries;
  const { strategy: _, ...asConfigured } = whatIf;
  const { environment: __, ...here } = whatIf;
  const { source: ___, ...onOwn } = whatIf;
  const told = choices.configurations.find(it => it.key === configuration)?.label ?? configuration;
  const all: readonly (readonly [what: string, value: string | undefined, without: WhatIf])[] = [
    [words.strategy, strategy === 'configured' ? undefined : words.strategies[strategy], asConfigured],
    [words.environment, environment, here],
    [strings.header.cluster, source === undefined ? undefined : sourceInWords(source, choices), onOwn],
    [words.configuration, told, underConfiguration(whatIf, '')],
    [words.profile, profile, underProfile(whatIf, '')],
  ];
  return [
    ...all.flatMap(([what, value, without]) => (value === undefined ? [] : [{ words: `${what}: ${value}`, without }])),
    ...(mover === undefined ? [] : [{ words: moverInWords(mover), without: withoutMover(whatIf) }]),
  ];
}

export function sourceInWords(key: string, { sources }: Pick<PreviewModel['choices'], 'sources'>): string {
  return strings.tries.sources[key] ?? sources.find(it => it.key === key)?.label ?? key;
}

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

export const twice = (workload: PreviewWorkload): ClusterChange => timesAsMany(workload, 2);

/** In whole replicas, of what is there now. */
export const timesAsMany = (workload: PreviewWorkload, factor: number): ClusterChange =>
  withReplicas(workload, Math.round(factor * replicasOf(workload)));

export const withReplicas = (workload: PreviewWorkload, replicas: number): ClusterChange => ({
  do: 'scale',
  object: objectOf(workload),
  replicas,
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
