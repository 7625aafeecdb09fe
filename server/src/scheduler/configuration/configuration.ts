import { asObjects, objectOrEmpty, type UnknownObject } from '../../base/json';
import { printed } from '../../base/printed';
import type { ExtensionPoint, PluginSet } from '../../kube/scheduler/plugins';
import { isPolicy, translatePolicy } from '../../kube/scheduler/policy';
import { extenderOf } from '../extenders/extender';
import type { Extender } from '../framework/extender';
import { withArgsDefaults } from './args';

/** One profile as it is written, with the defaults that do not depend on plugins. */
export interface WrittenProfile {
  readonly schedulerName: string;
  readonly setOf: (point: ExtensionPoint | 'multiPoint') => PluginSet;
  /** The args of a plugin; empty when the profile gives none. */
  readonly argsOf: (plugin: string) => UnknownObject;
  /** The profile's own value, else that of the whole configuration; 0: derived from the size of the cluster. */
  readonly percentageOfNodesToScore: number;
}

export interface SchedulerConfiguration {
  readonly profiles: readonly WrittenProfile[];
  /** In calling order: ignorable extenders come last. */
  readonly extenders: readonly Extender[];
}

/**
 * Reads a KubeSchedulerConfiguration, or the older Policy, as far as it is valid; without one there is a single empty
 * profile. Of profiles with the same name the first counts. What a Policy asks for and cannot get is reported to
 * `onNote`.
 */
export function readConfiguration(
  written: UnknownObject | undefined,
  onNote: (message: string) => void,
): SchedulerConfiguration {
  if (written && isPolicy(written)) {
    const { configuration, notes } = translatePolicy(written);
    for (const it of notes) onNote(`Policy: ${it}`);
    return readConfiguration(configuration as UnknownObject, onNote);
  }
  const extenders = asObjects(written?.extenders).map(extenderOf);
  const ignored = extenders.flatMap(it => it.managedResources.flatMap(of => (of.ignoredByScheduler ? [of.name] : [])));
  const all = asObjects(written?.profiles);
  const percentage = numberIn(written?.percentageOfNodesToScore, 0);
  const profiles = (all.length > 0 ? all : [{}]).flatMap((it, _, { length }) =>
    profileIn(it, length, ignored, percentage),
  );
  return {
    profiles: [...new Map(profiles.toReversed().map(it => [it.schedulerName, it])).values()].toReversed(),
    extenders: [...extenders.filter(it => !it.ignorable), ...extenders.filter(it => it.ignorable)],
  };
}

/** Only a single profile gets a default name; among several, a profile without a name serves no Pod. */
function profileIn(
  written: UnknownObject,
  count: number,
  ignored: readonly string[],
  percentage: number,
): readonly WrittenProfile[] {
  const { schedulerName } = written;
  const name = typeof schedulerName === 'string' ? schedulerName : count === 1 ? 'default-scheduler' : '';
  if (name === '') return [];
  const plugins = objectOrEmpty(written.plugins);
  const args = new Map(
    asObjects(written.pluginConfig)
      .toReversed()
      .map(it => [printed(it.name), objectOrEmpty(it.args)]),
  );
  return [
    {
      schedulerName: name,
      percentageOfNodesToScore: numberIn(written.percentageOfNodesToScore, percentage),
      setOf: point => setIn(plugins[point]),
      argsOf: plugin => {
        const own = withArgsDefaults(plugin, args.get(plugin) ?? {});
        // Upstream: buildExtenders. Resources that only extenders manage replace those of the args.
        return plugin === 'NodeResourcesFit' && ignored.length > 0 ? { ...own, ignoredResources: ignored } : own;
      },
    },
  ];
}

function numberIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function setIn(value: unknown): PluginSet {
  const set = objectOrEmpty(value);
  const enabled = asObjects(set.enabled).map(({ name, weight }) => ({
    name: printed(name),
    ...(typeof weight === 'number' && { weight }),
  }));
  return { enabled, disabled: new Set(asObjects(set.disabled).map(it => printed(it.name))) };
}
