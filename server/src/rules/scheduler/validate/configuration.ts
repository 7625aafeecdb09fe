import type { JsonObject, JsonValue } from '../../../base/json';
import { ownOf } from '../../../base/ownOf';
import { jsonText } from '../../../base/printed';
import { repeatedAt } from '../../../base/repeated';
import { flag, get, int, optionalInt, optionalText, record, records, text } from '../../../kube/goFields';
import { qualifiedNameErrors } from '../../../kube/names';
import { EXTENSION_POINTS, INVALID_PLUGINS } from '../../../kube/scheduler/plugins';
import { FieldPath } from '../../../manifest/fieldPath';
import {
  duplicate,
  type FieldError,
  invalid,
  invalids,
  required,
  type Validation,
} from '../../apiserver/validate/errors';
import { isExtended } from '../../apiserver/validate/shared/resources';
import { durationText, nanoseconds } from './duration';
import { ARGS_ERRORS } from './pluginArgs';

export const CONFIG_GROUP = 'kubescheduler.config.k8s.io';

/** Extension points whose plugins are checked one by one. */
export const CHECKED_POINTS = EXTENSION_POINTS.filter(it => it !== 'placementGenerate' && it !== 'placementScore');

/**
 * kube-scheduler's errors for its configuration file after defaulting, in upstream's order. Upstream:
 * ValidateKubeSchedulerConfiguration. `profileRefusals` gives the errors of the later step that builds the profiles.
 */
export function configurationErrors(configuration: JsonObject, validation: Validation): readonly FieldError[] {
  const initial = optionalInt(configuration, 'podInitialBackoffSeconds') ?? 1;
  const longest = optionalInt(configuration, 'podMaxBackoffSeconds') ?? 10;
  const parallelism = optionalInt(configuration, 'parallelism') ?? 16;
  const at = FieldPath.root;
  return [
    ...connectionErrors(record(configuration, 'clientConnection'), at.child('clientConnection')),
    ...electionErrors(record(configuration, 'leaderElection'), at.child('leaderElection')),
    ...(parallelism > 0
      ? []
      : [invalid(at.child('parallelism'), parallelism, 'should be an integer value greater than zero')]),
    ...profilesErrors(records(configuration, 'profiles'), validation),
    ...percentageErrors(configuration, at),
    ...(initial > 0 ? [] : [invalid(at.child('podInitialBackoffSeconds'), initial, 'must be greater than 0')]),
    ...(longest >= initial
      ? []
      : [
          invalid(
            at.child('podMaxBackoffSeconds'),
            longest,
            'must be greater than or equal to PodInitialBackoffSeconds',
          ),
        ]),
    ...extendersErrors(records(configuration, 'extenders'), at.child('extenders')),
  ];
}

function connectionErrors(connection: JsonObject | undefined, at: FieldPath): readonly FieldError[] {
  const burst = int(connection, 'burst') || 100;
  return burst < 0 ? [invalid(at.child('burst'), burst, 'must be non-negative')] : [];
}

/** Upstream: ValidateLeaderElectionConfiguration, after RecommendedDefaultLeaderElectionConfiguration. */
function electionErrors(election: JsonObject | undefined, at: FieldPath): readonly FieldError[] {
  if (flag(election, 'leaderElect') === false) return [];
  const duration = (name: string, standard: number): number => nanoseconds(text(election, name)) || standard * 1e9;
  const times = { leaseDuration: duration('leaseDuration', 15), renewDeadline: duration('renewDeadline', 10) };
  const lock = text(election, 'resourceLock') || 'leases';
  return [
    ...Object.entries({ ...times, retryPeriod: duration('retryPeriod', 2) }).flatMap(([name, it]) =>
      it > 0 ? [] : [invalid(at.child(name), durationText(it), 'must be greater than zero')],
    ),
    ...(times.leaseDuration > times.renewDeadline
      ? []
      : [
          invalid(at.child('leaseDuration'), durationText(times.renewDeadline), 'must be greater than `RenewDeadline`'),
        ]),
    ...(lock === 'leases' ? [] : [invalid(at.child('resourceLock'), lock, 'resourceLock value must be "leases"')]),
  ];
}

function percentageErrors(of: JsonObject, at: FieldPath): readonly FieldError[] {
  const percentage = optionalInt(of, 'percentageOfNodesToScore') ?? 0;
  if (percentage >= 0 && percentage <= 100) return [];
  return [invalid(at.child('percentageOfNodesToScore'), percentage, 'not in valid range [0-100]')];
}

function profilesErrors(profiles: readonly JsonObject[], validation: Validation): readonly FieldError[] {
  const at = FieldPath.of('profiles');
  const names = profiles.map(it => schedulerNameOf(it, profiles.length));
  const repeated = repeatedAt(names);
  return [
    ...profiles.flatMap((it, i) => [
      ...profileErrors(it, names[i] ?? '', at.index(i), validation),
      // Upstream prints the other path as JSON of a struct without exported fields.
      ...(repeated.has(i) ? [duplicate(at.index(i).child('schedulerName'), {})] : []),
    ]),
    ...queueSortErrors(profiles, at),
  ];
}

/** Only the name of a single profile has a default. */
export function schedulerNameOf(profile: JsonObject, profileCount: number): string {
  return optionalText(profile, 'schedulerName') ?? (profileCount === 1 ? 'default-scheduler' : '');
}

function profileErrors(
  profile: JsonObject,
  name: string,
  at: FieldPath,
  validation: Validation,
): readonly FieldError[] {
  return [
    ...(name === '' ? [required(at.child('schedulerName'))] : []),
    ...percentageErrors(profile, at),
    ...removedPluginErrors(record(profile, 'plugins'), at),
    ...pluginConfigErrors(records(profile, 'pluginConfig'), at.child('pluginConfig'), validation),
  ];
}

const removedPlugin = (at: FieldPath, name: string): FieldError =>
  invalid(at, name, `was invalid in version "v1" (KubeSchedulerConfiguration is version "${CONFIG_GROUP}/v1")`);

function removedPluginErrors(plugins: JsonObject | undefined, at: FieldPath): readonly FieldError[] {
  return CHECKED_POINTS.flatMap(point =>
    records(record(plugins, point), 'enabled').flatMap((it, i) => {
      const name = text(it, 'name');
      const here = at.child('plugins', point, 'enabled').index(i);
      return INVALID_PLUGINS.includes(name) ? [removedPlugin(here, name)] : [];
    }),
  );
}

function pluginConfigErrors(
  configs: readonly JsonObject[],
  at: FieldPath,
  validation: Validation,
): readonly FieldError[] {
  const names = configs.map(it => text(it, 'name'));
  const repeatedNames = repeatedAt(names);
  return configs.flatMap((it, i) => {
    const name = names[i] ?? '';
    const here = at.index(i);
    const repeated = repeatedNames.has(i) ? [duplicate(here, name)] : [];
    if (INVALID_PLUGINS.includes(name)) return [...repeated, removedPlugin(here, name)];
    // Upstream looks up the args of NodeResourcesFit under this name, for which it knows no type.
    if (name === 'NodeResourcesFitArgs') {
      return [...repeated, invalid(here.child('args'), get(it, 'args') ?? null, 'has to match plugin args')];
    }
    const errorsOf = ownOf(ARGS_ERRORS, name);
    const isKnown = validation.kube.kindOf(`${CONFIG_GROUP}/v1`, `${name}Args`) !== undefined;
    return [
      ...repeated,
      ...(errorsOf && isKnown ? errorsOf(record(it, 'args') ?? {}, here.child('args'), validation) : []),
    ];
  });
}

/** Upstream: validateCommonQueueSort. */
function queueSortErrors(profiles: readonly JsonObject[], at: FieldPath): readonly FieldError[] {
  const [first, ...others] = profiles;
  if (first === undefined) return [];
  const count = records(queueSortOf(first), 'enabled').length;
  const name = text(records(queueSortOf(first), 'enabled')[0], 'name');
  const canonText = jsonText(dumpOf(queueSortOf(first)));
  const argsOf = (profile: JsonObject): readonly JsonObject[] =>
    records(profile, 'pluginConfig').filter(it => name !== '' && text(it, 'name') === name);
  const args = jsonText(get(argsOf(first).at(-1), 'args') ?? null);
  return [
    ...(count > 1
      ? [
          invalid(
            at.index(0).child('plugins', 'queueSort', 'Enabled'),
            count,
            'only one queue sort plugin can be enabled',
          ),
        ]
      : []),
    ...others.flatMap((profile, i) => {
      const here = at.index(i + 1);
      const own = dumpOf(queueSortOf(profile));
      return [
        ...(jsonText(own) === canonText
          ? []
          : [invalid(here.child('plugins', 'queueSort'), own, 'must be the same for all profiles')]),
        ...argsOf(profile).flatMap(it => {
          const written = get(it, 'args') ?? null;
          const path = here.child('pluginConfig', 'args');
          return jsonText(written) === args
            ? []
            : [invalid(path, written, 'queueSort must be the same for all profiles')];
        }),
      ];
    }),
  ];
}

const queueSortOf = (profile: JsonObject): JsonObject | undefined => record(record(profile, 'plugins'), 'queueSort');

/** A plugin set with Go's field names, as upstream's message prints it. */
function dumpOf(set: JsonObject | undefined): JsonObject {
  const list = (name: string): JsonValue => {
    const all = records(set, name).map(it => ({
      Name: text(it, 'name'),
      Weight: name === 'enabled' ? int(it, 'weight') : 0,
    }));
    return all.length === 0 ? null : all;
  };
  return { Enabled: list('enabled'), Disabled: list('disabled') };
}

/** Upstream: validateExtenders. */
function extendersErrors(extenders: readonly JsonObject[], at: FieldPath): readonly FieldError[] {
  const binders = extenders.filter(it => text(it, 'bindVerb') !== '').length;
  const seen = new Set<string>();
  return [
    ...extenders.flatMap((extender, i) => {
      const weight = int(extender, 'weight');
      const resourcesAt = at.index(i).child('managedResources');
      return [
        ...(text(extender, 'prioritizeVerb') !== '' && weight <= 0
          ? [invalid(at.index(i).child('weight'), weight, 'must have a positive weight applied to it')]
          : []),
        ...records(extender, 'managedResources').flatMap((it, j) => {
          const name = text(it, 'name');
          const here = resourcesAt.index(j).child('name');
          const repeated = seen.has(name) ? [invalid(here, name, 'duplicate extender managed resource name')] : [];
          seen.add(name);
          return [...extendedNameErrors(name, here), ...repeated];
        }),
      ];
    }),
    ...(binders > 1
      ? [invalid(at, `found ${binders} extenders implementing bind`, 'only one extender can implement bind')]
      : []),
  ];
}

function extendedNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  const errors = qualifiedNameErrors(name);
  if (errors.length > 0) return invalids(at, name, errors);
  return isExtended(name) ? [] : [invalid(at, name, 'is an invalid extended resource name')];
}
