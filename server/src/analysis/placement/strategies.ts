import { objectOrEmpty, type UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import type { Tried } from './environmentPlacement';
import type { Strategy } from './strategy';

/** Ways to score that can be tried on any cluster, in the order in which they are offered. */
export const STRATEGIES: readonly Strategy[] = ['configured', 'default', 'pack', 'spread'];

/** What a strategy asks of every profile. */
interface Scoring {
  readonly type: 'MostAllocated' | 'LeastAllocated';
  /** Plugins that score with this weight instead of their own; 0: not at all. */
  readonly weights: Readonly<Record<string, number>>;
}

/** The room on nodes outweighs what else counts, and nothing that would pull the other way has a say. */
const SCORINGS: Readonly<Partial<Record<Strategy, Scoring>>> = {
  pack: {
    type: 'MostAllocated',
    weights: { NodeResourcesFit: 10, NodeResourcesBalancedAllocation: 0, PodTopologySpread: 0 },
  },
  spread: { type: 'LeastAllocated', weights: { NodeResourcesFit: 5, PodTopologySpread: 10 } },
};

const CONFIGURATION = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };

/** The configuration under which a strategy is simulated; undefined where kube-scheduler's own defaults hold. */
export function configurationFor(strategy: Strategy, configured: UnknownObject | undefined): UnknownObject | undefined {
  if (strategy === 'configured') return configured;
  const profiles = profilesOf(configured);
  const scoring = SCORINGS[strategy];
  if (scoring === undefined) {
    return { ...CONFIGURATION, profiles: profiles.map(({ schedulerName }) => ({ schedulerName })) };
  }
  return { ...CONFIGURATION, ...configured, profiles: profiles.map(it => scoredBy(it, scoring)) };
}

/** The configuration that is tried before its way to score; `schedulerNames` are those that Pods ask for. */
export function configurationOf(
  { schedulerConfiguration, profile }: Tried,
  configured: UnknownObject | undefined,
  schedulerNames: ReadonlySet<string>,
): UnknownObject | undefined {
  const base = schedulerConfiguration ?? configured;
  const profiles = profilesOf(base);
  const chosen = profiles.find(it => nameOf(it) === profile);
  if (chosen === undefined) return base;
  const names = new Set([...profiles.map(nameOf), ...schedulerNames]);
  return { ...CONFIGURATION, ...base, profiles: [...names].map(schedulerName => ({ ...chosen, schedulerName })) };
}

/** The names of the profiles of a configuration. */
export const profileNames = (configured: UnknownObject | undefined): readonly string[] => [
  ...new Set(profilesOf(configured).map(nameOf)),
];

const nameOf = ({ schedulerName }: UnknownObject): string =>
  typeof schedulerName === 'string' && schedulerName !== '' ? schedulerName : DEFAULT_NAME;

/** Upstream: corev1.DefaultSchedulerName. */
const DEFAULT_NAME = 'default-scheduler';

function profilesOf(configured: UnknownObject | undefined): readonly UnknownObject[] {
  const written = itemsOf(configured?.profiles);
  return written.length > 0 ? written : [{ schedulerName: DEFAULT_NAME }];
}

function scoredBy(profile: UnknownObject, { type, weights }: Scoring): UnknownObject {
  const plugins = objectOrEmpty(profile.plugins);
  const score = objectOrEmpty(plugins.score);
  const others = (list: unknown, nameField: string): readonly UnknownObject[] =>
    itemsOf(list).filter(it => !(printed(it[nameField]) in weights));
  const given = Object.entries(weights);
  return {
    ...profile,
    plugins: {
      ...plugins,
      score: {
        enabled: [
          ...others(score.enabled, 'name'),
          ...given.filter(([, weight]) => weight > 0).map(([name, weight]) => ({ name, weight })),
        ],
        disabled: [
          ...others(score.disabled, 'name'),
          ...given.filter(([, weight]) => weight === 0).map(([name]) => ({ name })),
        ],
      },
    },
    pluginConfig: [
      ...itemsOf(profile.pluginConfig).filter(it => it.name !== 'NodeResourcesFit'),
      { name: 'NodeResourcesFit', args: { scoringStrategy: { type, resources: RESOURCES } } },
    ],
  };
}

const RESOURCES = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** The items of a list as written; what is no object is taken for an empty one, as the server reads null. */
const itemsOf = (list: unknown): readonly UnknownObject[] => (Array.isArray(list) ? list.map(objectOrEmpty) : []);
