import { asObjects, objectOrEmpty, type UnknownObject } from '../../base/json';

const CPU_AND_MEMORY = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/**
 * Defaults of the args, by plugin. Upstream: SetDefaults_…Args; plugins that are absent here set their own defaults.
 */
const DEFAULTS: Readonly<Record<string, (args: UnknownObject) => UnknownObject>> = {
  NodeResourcesFit: args => {
    if (args.scoringStrategy === undefined || args.scoringStrategy === null) return args;
    const strategy = objectOrEmpty(args.scoringStrategy);
    return { ...args, scoringStrategy: { ...strategy, resources: weighed(strategy.resources) } };
  },
  NodeResourcesBalancedAllocation: args => ({ ...args, resources: weighed(args.resources) }),
};

/** The args with upstream's defaults filled in. Fields of a wrong type are ignored. */
export function withArgsDefaults(plugin: string, args: UnknownObject): UnknownObject {
  const set = Object.fromEntries(Object.entries(args).filter(([name, it]) => it !== null && fits(name, it)));
  return DEFAULTS[plugin]?.(set) ?? set;
}

const LISTS = ['ignoredResources', 'ignoredResourceGroups', 'resources', 'shape', 'defaultConstraints'];

function fits(field: string, value: unknown): boolean {
  if (LISTS.includes(field)) return Array.isArray(value);
  return !['scoringStrategy', 'addedAffinity'].includes(field) || Object.keys(objectOrEmpty(value)).length > 0;
}

function weighed(resources: unknown): readonly UnknownObject[] {
  const written = asObjects(resources);
  if (written.length === 0) return CPU_AND_MEMORY;
  return written.map(it => ({ ...it, weight: typeof it.weight === 'number' && it.weight !== 0 ? it.weight : 1 }));
}
