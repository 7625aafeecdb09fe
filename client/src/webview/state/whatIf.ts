import type {
  PreviewChoice,
  PreviewModel,
  PreviewWorkload,
  WhatIf,
} from '../../../../server/src/analysis/previewModel';
import type { ClusterChange, ObjectName } from '../../../../server/src/cluster/changes';
import { arrivalWords } from '../text/arrivalStrings';
import { reschedulerInWords, withoutRescheduler } from '../text/evictionWords';
import { strings } from '../text/strings';
import { trailWords } from '../text/trailStrings';

/** What is tried now; nothing at first. */
export const triedIn = (model: PreviewModel): WhatIf => model.tried?.whatIf ?? { changes: [] };

/** What a button does to what is tried when it is pressed; what is shown may be older. */
export type WhatIfStep = (tried: WhatIf) => WhatIf;

/** One more change. One of the same kind about the same thing takes the place of the earlier one; factors multiply. */
export function withChange(whatIf: WhatIf, change: ClusterChange): WhatIf {
  const same = whatIf.changes.find(it => subjectOf(it) === subjectOf(change));
  const merged =
    same?.do === 'scaleBy' && change.do === 'scaleBy' ? { ...change, factor: same.factor * change.factor } : change;
  return { ...whatIf, changes: [...whatIf.changes.filter(it => it !== same), merged] };
}

/** Without a change, and without what took its place meanwhile. */
export const withoutChange = (whatIf: WhatIf, change: ClusterChange): WhatIf => ({
  ...whatIf,
  changes: whatIf.changes.filter(it => subjectOf(it) !== subjectOf(change)),
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

/** What is tried beside changes: each in words, "Scoring: pack", and what takes it back. */
export function triedBeside(
  { strategy = 'configured', environment, source, configuration, profile, mover, order, trail }: WhatIf,
  choices: PreviewModel['choices'],
): readonly { readonly words: string; readonly without: WhatIfStep }[] {
  const words = strings.whatIf;
  const configurationLabel = choices.configurations.find(it => it.key === configuration)?.label ?? configuration;
  const all: readonly (readonly [what: string, value: string | undefined, without: WhatIfStep])[] = [
    [words.strategy, strategy === 'configured' ? undefined : words.strategies[strategy], without('strategy')],
    [words.environment, environment, without('environment')],
    [strings.header.cluster, source === undefined ? undefined : sourceInWords(source, choices), without('source')],
    [words.configuration, configurationLabel, it => underConfiguration(it, '')],
    [words.profile, profile, without('profile')],
  ];
  return [
    ...all.flatMap(([what, value, without]) => (value === undefined ? [] : [{ words: `${what}: ${value}`, without }])),
    ...(order === undefined ? [] : [{ words: arrivalWords.tried, without: without('order') }]),
    ...(trail === undefined ? [] : [{ words: trailWords.tried, without: without('trail') }]),
    ...(mover === undefined ? [] : [{ words: reschedulerInWords(mover), without: withoutRescheduler }]),
  ];
}

/** Tries an order of arrival, in place of what moves Pods later. */
export const inOrder =
  (order: readonly string[]): WhatIfStep =>
  tried => {
    const { trail: _, ...rest } = withoutRescheduler(tried);
    return { ...rest, order };
  };

/** Follows the way to a finding so many steps. */
export const alongTrail =
  (finding: string, at: number): WhatIfStep =>
  tried => ({ ...tried, trail: { finding, at } });

/** The items with one of them moved to another place. */
export function movedTo<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

const without =
  (name: keyof Omit<WhatIf, 'changes'>): WhatIfStep =>
  tried => {
    const { [name]: _, ...rest } = tried;
    return rest;
  };

export function sourceInWords(key: string, { sources }: Pick<PreviewModel['choices'], 'sources'>): string {
  return strings.whatIf.sources[key] ?? sources.find(it => it.key === key)?.label ?? key;
}

/** What a change is about: of two changes with the same subject the later one counts. */
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
  const words = strings.whatIf;
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

/**
 * Tries a workload with another number of replicas.
 * @param shown What the workload is shown under.
 * @param to Makes the number of those that are there, or are on their way.
 */
export const scaled =
  (workload: PreviewWorkload, shown: WhatIf, to: (replicas: number) => number): WhatIfStep =>
  tried =>
    withChange(tried, {
      do: 'scale',
      object: objectOf(workload),
      replicas: Math.round(to(replicasOf(workload, shown, tried))),
    });

/** Pods that are there without failures, as evicted ones come back, with changes that are tried and not shown yet. */
function replicasOf(workload: PreviewWorkload, shown: WhatIf, tried: WhatIf): number {
  const name = nameOf(objectOf(workload));
  return tried.changes.reduce((count, change) => {
    const before = shown.changes.find(it => subjectOf(it) === subjectOf(change));
    if (change.do === 'scale' && nameOf(change.object) === name) {
      return before?.do === 'scale' && before.replicas === change.replicas ? count : change.replicas;
    }
    if (change.do !== 'scaleBy' || (change.object && nameOf(change.object) !== name)) return count;
    return (count * change.factor) / (before?.do === 'scaleBy' ? before.factor : 1);
  }, workload.pods.length);
}

/** The difference in one sentence. */
export function differenceInWords(model: PreviewModel): string {
  const { tried } = model;
  if (tried === undefined) return '';
  const words = strings.whatIf.difference;
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
