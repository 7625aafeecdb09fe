import type { JsonObject } from '../../../base/json';
import { nearestNames } from '../../../base/nearest';
import { repeatedAt } from '../../../base/repeated';
import { createValueKey } from '../../../base/valueKey';
import { optionalInt, record, records, text } from '../../../kube/goFields';
import {
  defaultPlugins,
  EXTENSION_POINTS,
  type ExtensionPoint,
  expandMultiPoint,
  INVALID_PLUGINS,
  mergePluginSet,
  type PluginSet,
  POINT_INTERFACES,
  type SchedulerPluginFacts,
  schedulerPlugins,
} from '../../../kube/scheduler/plugins';
import { FieldPath } from '../../../manifest/fieldPath';
import type { Validation } from '../../apiserver/validate/errors';
import { CHECKED_POINTS, schedulerNameOf } from './configuration';

/** Why a profile cannot be built. */
export interface ProfileRefusal {
  readonly at: FieldPath;
  readonly schedulerName: string;
  /** Upstream's message. */
  readonly text: string;
  /** Set for a plugin that is not in the tree; a custom build of the scheduler may have it. */
  readonly unknownPlugin?: { readonly name: string; readonly nearest: readonly string[] };
}

/**
 * kube-scheduler's errors when it builds the profiles of a configuration; upstream stops at the first. Upstream:
 * NewFramework with updatePluginList and expandMultiPointPlugins.
 */
export function profileRefusals(configuration: JsonObject, validation: Validation): readonly ProfileRefusal[] {
  const profiles = records(configuration, 'profiles');
  const keyOf = createValueKey();
  const known = new Map<string, readonly Refusal[]>();
  const refusalsFor = (plugins: JsonObject | undefined): readonly Refusal[] => {
    const key = keyOf(plugins);
    const refusals = known.get(key) ?? refusalsOf(plugins, validation);
    known.set(key, refusals);
    return refusals;
  };
  return profiles.flatMap((it, i) =>
    refusalsFor(record(it, 'plugins')).map(({ at, ...refusal }) => ({
      ...refusal,
      at: FieldPath.of('profiles', i, 'plugins', ...at.segments),
      schedulerName: schedulerNameOf(it, profiles.length),
      text: refusal.text.replace('%q', JSON.stringify(schedulerNameOf(it, profiles.length))),
    })),
  );
}

type Refusal = Omit<ProfileRefusal, 'schedulerName'>;

function refusalsOf(plugins: JsonObject | undefined, validation: Validation): readonly Refusal[] {
  const { minor } = validation.kube;
  const byName = new Map(schedulerPlugins(minor).map(it => [it.name, it]));
  const general = readSet(plugins, 'multiPoint');
  const multiPoint = mergePluginSet(defaultPlugins(minor, validation.isOn), general);
  const resolved = (point: ExtensionPoint): readonly string[] => {
    // A plugin outside the tree may implement any extension point.
    const works = (name: string): boolean => byName.get(name)?.points.includes(point) ?? false;
    const own = readSet(plugins, point);
    const strangers = own.enabled.filter(it => !byName.has(it.name));
    return [...expandMultiPoint(multiPoint, own, works), ...strangers].map(it => it.name);
  };
  // A plugin outside the tree may implement QueueSort or Bind.
  const fewest = general.enabled.some(it => !byName.has(it.name)) ? 0 : 1;
  return [
    ...general.enabled.flatMap((it, i) => unknownPlugin(it.name, FieldPath.of('multiPoint', 'enabled', i), byName)),
    ...repeatedInMultiPoint(general, plugins, byName),
    ...EXTENSION_POINTS.flatMap(point => pointRefusals(point, readSet(plugins, point), byName)),
    ...countRefusals(resolved, fewest),
  ];
}

function unknownPlugin(
  name: string,
  at: FieldPath,
  known: ReadonlyMap<string, SchedulerPluginFacts>,
  kind = 'PreEnqueuePlugin',
): readonly Refusal[] {
  if (known.has(name)) return [];
  const nearest = nearestNames(name, known.keys()).slice(0, 3);
  return [{ at, text: `${kind} "${name}" does not exist`, unknownPlugin: { name, nearest } }];
}

/**
 * A plugin that MultiPoint lists twice is registered twice at each of its extension points that does not list it
 * itself.
 */
function repeatedInMultiPoint(
  { enabled }: PluginSet,
  plugins: JsonObject | undefined,
  known: ReadonlyMap<string, SchedulerPluginFacts>,
): readonly Refusal[] {
  const repeated = repeatedAt(enabled.map(it => it.name));
  const sets = new Map(EXTENSION_POINTS.map(point => [point, readSet(plugins, point)] as const));
  const named = new Map([...sets].map(([point, own]) => [point, new Set(own.enabled.map(it => it.name))] as const));
  return enabled.flatMap(({ name }, i) => {
    if (!repeated.has(i)) return [];
    const point = known.get(name)?.points.find(it => {
      const disabled = sets.get(it)?.disabled;
      return disabled?.has('*') !== true && disabled?.has(name) !== true && named.get(it)?.has(name) !== true;
    });
    if (point === undefined) return [];
    return [{ at: FieldPath.of('multiPoint', 'enabled', i), text: registeredTwice(name, point) }];
  });
}

const registeredTwice = (name: string, point: ExtensionPoint): string =>
  `plugin "${name}" already registered as "${POINT_INTERFACES[point]}"`;

function pointRefusals(
  point: ExtensionPoint,
  { enabled }: PluginSet,
  known: ReadonlyMap<string, SchedulerPluginFacts>,
): readonly Refusal[] {
  const names = enabled.map(it => it.name);
  const repeated = repeatedAt(names);
  return names.flatMap((name, i) => {
    const at = FieldPath.of(point, 'enabled', i);
    const facts = known.get(name);
    if (facts === undefined) {
      // The validation has reported these already.
      const isTold = INVALID_PLUGINS.includes(name) && CHECKED_POINTS.some(it => it === point);
      return isTold ? [] : unknownPlugin(name, at, known, POINT_INTERFACES[point]);
    }
    if (!facts.points.includes(point)) {
      return [{ at, text: `plugin "${name}" does not extend ${POINT_INTERFACES[point]} plugin` }];
    }
    return repeated.has(i) ? [{ at, text: registeredTwice(name, point) }] : [];
  });
}

/** `fewest`: how many plugins must at least implement QueueSort and Bind. */
function countRefusals(resolved: (point: ExtensionPoint) => readonly string[], fewest: number): readonly Refusal[] {
  const sorts = resolved('queueSort').length;
  const named = (point: ExtensionPoint, text: string): readonly Refusal[] => [{ at: FieldPath.of(point), text }];
  return [
    ...(fewest <= sorts && sorts <= 1
      ? []
      : named('queueSort', `only one queue sort plugin required for profile with scheduler name %q, but got ${sorts}`)),
    ...(resolved('bind').length >= fewest
      ? []
      : named('bind', 'at least one bind plugin is needed for profile with scheduler name %q')),
    ...(resolved('placementGenerate').length <= 1
      ? []
      : named(
          'placementGenerate',
          'at most one placement generate plugin is allowed for profile with scheduler name %q',
        )),
  ];
}

function readSet(plugins: JsonObject | undefined, point: string): PluginSet {
  const set = record(plugins, point);
  return {
    enabled: records(set, 'enabled').map(it => {
      const weight = optionalInt(it, 'weight');
      return { name: text(it, 'name'), ...(weight !== undefined && { weight }) };
    }),
    disabled: new Set(records(set, 'disabled').map(it => text(it, 'name'))),
  };
}
