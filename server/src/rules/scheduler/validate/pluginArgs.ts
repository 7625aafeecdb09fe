import type { JsonObject } from '../../../base/json';
import { get, has, int, optionalInt, record, records, text, texts } from '../../../kube/goFields';
import { qualifiedNameErrors } from '../../../kube/names';
import type { FieldPath } from '../../../manifest/fieldPath';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalids,
  notAmong,
  required,
  type Validation,
} from '../../apiserver/validate/errors';
import { applies } from '../../minors/minorChange';
import { minorChanges } from '../../minors/minorChanges';
import { durationText, nanoseconds } from './duration';
import { preferredTermErrors, requiredTermErrors } from './nodeSelector';

type ArgsErrors = (args: JsonObject, at: FieldPath, validation: Validation) => readonly FieldError[];

const MAX_CUSTOM_PRIORITY_SCORE = 10;

/** The checks of each plugin's args after defaulting. Upstream: validation_pluginargs.go. */
export const ARGS_ERRORS: Readonly<Record<string, ArgsErrors>> = {
  DefaultPreemption: defaultPreemptionErrors,
  InterPodAffinity: (args, at) =>
    rangeErrors(optionalInt(args, 'hardPodAffinityWeight') ?? 1, at.child('hardPodAffinityWeight')),
  NodeAffinity: nodeAffinityErrors,
  NodeResourcesBalancedAllocation: balancedAllocationErrors,
  NodeResourcesFit: fitErrors,
  PodTopologySpread: spreadErrors,
  VolumeBinding: volumeBindingErrors,
  DynamicResources: dynamicResourcesErrors,
};

function rangeErrors(value: number, at: FieldPath): readonly FieldError[] {
  return value >= 0 && value <= 100 ? [] : [invalid(at, value, 'not in valid range [0, 100]')];
}

function defaultPreemptionErrors(args: JsonObject, at: FieldPath): readonly FieldError[] {
  const percentage = optionalInt(args, 'minCandidateNodesPercentage') ?? 10;
  const absolute = optionalInt(args, 'minCandidateNodesAbsolute') ?? 100;
  const [percentageAt, absoluteAt] = [at.child('minCandidateNodesPercentage'), at.child('minCandidateNodesAbsolute')];
  return [
    ...rangeErrors(percentage, percentageAt),
    ...(absolute < 0 ? [invalid(absoluteAt, absolute, 'not in valid range [0, inf)')] : []),
    ...(percentage === 0 && absolute === 0
      ? [
          invalid(percentageAt, 0, 'cannot be zero at the same time as minCandidateNodesAbsolute'),
          invalid(absoluteAt, 0, 'cannot be zero at the same time as minCandidateNodesPercentage'),
        ]
      : []),
  ];
}

function nodeAffinityErrors(args: JsonObject, at: FieldPath): readonly FieldError[] {
  const affinity = record(args, 'addedAffinity');
  const affinityAt = at.child('addedAffinity');
  const needed = record(affinity, 'requiredDuringSchedulingIgnoredDuringExecution');
  return [
    ...(needed ? requiredTermErrors(needed, affinityAt.child('requiredDuringSchedulingIgnoredDuringExecution')) : []),
    ...preferredTermErrors(
      records(affinity, 'preferredDuringSchedulingIgnoredDuringExecution'),
      affinityAt.child('preferredDuringSchedulingIgnoredDuringExecution'),
    ),
  ];
}

function balancedAllocationErrors(args: JsonObject, at: FieldPath): readonly FieldError[] {
  const resources = records(args, 'resources');
  const names = resources.map(it => text(it, 'name'));
  return resources.flatMap((it, i) => {
    const here = at.child('resources').index(i);
    const weight = int(it, 'weight') || 1;
    return [
      ...(names.indexOf(names[i] ?? '') < i ? [duplicate(here.child('name'), names[i] ?? '')] : []),
      ...(weight === 1 ? [] : [invalid(here.child('weight'), weight, 'must be 1')]),
    ];
  });
}

const STRATEGIES = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'];

function fitErrors(args: JsonObject, at: FieldPath, validation: Validation): readonly FieldError[] {
  const ignored = at.child('ignoredResources');
  const groups = at.child('ignoredResourceGroups');
  return [
    ...texts(args, 'ignoredResources').flatMap((it, i) => invalids(ignored.index(i), it, qualifiedNameErrors(it))),
    ...texts(args, 'ignoredResourceGroups').flatMap((it, i) => [
      ...(it.includes('/') ? [invalid(groups.index(i), it, "resource group name can't contain '/'")] : []),
      ...invalids(groups.index(i), it, qualifiedNameErrors(it)),
    ]),
    ...strategyErrors(record(args, 'scoringStrategy'), at.child('scoringStrategy'), validation),
  ];
}

function strategyErrors(
  strategy: JsonObject | undefined,
  at: FieldPath,
  validation: Validation,
): readonly FieldError[] {
  if (strategy === undefined) return [];
  const type = text(strategy, 'type');
  return [
    ...(STRATEGIES.includes(type) ? [] : [notAmong(at.child('type'), type, STRATEGIES)]),
    ...records(strategy, 'resources').flatMap((it, i) => {
      const weight = int(it, 'weight') || 1;
      if (weight > 0 && weight <= 100) return [];
      const detail = `resource weight of ${text(it, 'name')} not in valid range (0, 100]`;
      return [invalid(at.child('resources').index(i).child('weight'), weight, detail)];
    }),
    ...ratioErrors(record(strategy, 'requestedToCapacityRatio'), type, at, validation),
  ];
}

function ratioErrors(
  ratio: JsonObject | undefined,
  type: string,
  at: FieldPath,
  { kube }: Validation,
): readonly FieldError[] {
  const ratioAt = at.child('requestedToCapacityRatio');
  const shape = records(ratio, 'shape');
  if (!applies(minorChanges.capacityRatioOfType, kube)) {
    return ratio === undefined ? [] : shapeErrors(shape, at.child('shape'));
  }
  if (type !== 'RequestedToCapacityRatio') {
    return ratio === undefined ? [] : [forbidden(ratioAt, 'must be nil when type is not RequestedToCapacityRatio')];
  }
  if (ratio === undefined) return [required(ratioAt, 'must be specified when type is RequestedToCapacityRatio')];
  return shapeErrors(shape, ratioAt.child('shape'));
}

/** Upstream: validateFunctionShape. */
function shapeErrors(shape: readonly JsonObject[], at: FieldPath): readonly FieldError[] {
  if (shape.length === 0) return [required(at, 'at least one point must be specified')];
  const points = shape.map(it => ({ utilization: int(it, 'utilization'), score: int(it, 'score') }));
  const unsorted = points.findIndex((it, i) => i > 0 && (points[i - 1]?.utilization ?? 0) >= it.utilization);
  const outOf = (value: number, max: number, here: FieldPath): readonly FieldError[] =>
    value >= 0 && value <= max ? [] : [invalid(here, value, `not in valid range [0, ${max}]`)];
  return [
    ...(unsorted < 0
      ? []
      : [
          invalid(
            at.index(unsorted).child('utilization'),
            points[unsorted]?.utilization ?? 0,
            'values must be sorted in increasing order',
          ),
        ]),
    ...points.flatMap(({ utilization, score }, i) => [
      ...outOf(utilization, 100, at.index(i).child('utilization')),
      ...outOf(score, MAX_CUSTOM_PRIORITY_SCORE, at.index(i).child('score')),
    ]),
  ];
}

const WHEN_UNSATISFIABLE = ['DoNotSchedule', 'ScheduleAnyway'];

function spreadErrors(args: JsonObject, at: FieldPath): readonly FieldError[] {
  const type = text(args, 'defaultingType') || 'System';
  const constraints = records(args, 'defaultConstraints');
  const typeAt = at.child('defaultingType');
  const listAt = at.child('defaultConstraints');
  const keys = constraints.map(it => `{${text(it, 'topologyKey')}, ${text(it, 'whenUnsatisfiable')}}`);
  return [
    ...(type !== 'System' && type !== 'List' ? [notAmong(typeAt, type, ['System', 'List'])] : []),
    ...(type === 'System' && constraints.length > 0
      ? [invalid(typeAt, type, 'when .defaultConstraints are not empty')]
      : []),
    ...constraints.flatMap((it, i) => [
      ...constraintErrors(it, listAt.index(i)),
      ...(keys.indexOf(keys[i] ?? '') < i ? [duplicate(listAt.index(i), keys[i] ?? '')] : []),
    ]),
  ];
}

function constraintErrors(constraint: JsonObject, at: FieldPath): readonly FieldError[] {
  const maxSkew = int(constraint, 'maxSkew');
  const key = text(constraint, 'topologyKey');
  const action = text(constraint, 'whenUnsatisfiable');
  const [keyAt, actionAt] = [at.child('topologyKey'), at.child('whenUnsatisfiable')];
  return [
    ...(maxSkew > 0 ? [] : [invalid(at.child('maxSkew'), maxSkew, 'not in valid range (0, inf)')]),
    ...(key === '' ? [required(keyAt, 'can not be empty')] : invalids(keyAt, key, qualifiedNameErrors(key))),
    ...(action === ''
      ? [required(actionAt, 'can not be empty')]
      : WHEN_UNSATISFIABLE.includes(action)
        ? []
        : [notAmong(actionAt, action, WHEN_UNSATISFIABLE)]),
    ...(has(constraint, 'labelSelector')
      ? [forbidden(at.child('labelSelector'), 'constraint must not define a selector, as they deduced for each pod')]
      : []),
  ];
}

function volumeBindingErrors(args: JsonObject, at: FieldPath, { isOn }: Validation): readonly FieldError[] {
  const timeout = optionalInt(args, 'bindTimeoutSeconds') ?? 600;
  const shape = records(args, 'shape');
  const shapeAt = at.child('shape');
  return [
    ...(timeout < 0
      ? [invalid(at.child('bindTimeoutSeconds'), timeout, 'invalid BindTimeoutSeconds, should not be a negative value')]
      : []),
    ...(isOn('StorageCapacityScoring')
      ? shape.length === 0
        ? []
        : shapeErrors(shape, shapeAt)
      : has(args, 'shape')
        ? [
            invalid(
              shapeAt,
              shape.map(it => ({ Utilization: int(it, 'utilization'), Score: int(it, 'score') })),
              'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring',
            ),
          ]
        : []),
  ];
}

function dynamicResourcesErrors(args: JsonObject, at: FieldPath, { isOn }: Validation): readonly FieldError[] {
  const hasConditions = isOn('DRADeviceBindingConditions') && isOn('DRAResourceClaimDeviceStatus');
  return [
    ...timeoutErrors(args, 'filterTimeout', at, {
      least: 0,
      tooShort: 'must be zero or positive',
      off: isOn('DRASchedulerFilterTimeout') ? undefined : 'DRASchedulingFilterTimeout feature gate is disabled',
    }),
    ...timeoutErrors(args, 'bindingTimeout', at, {
      least: 1e9,
      tooShort: 'must be at least 1 second',
      off: hasConditions
        ? undefined
        : 'DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled',
    }),
  ];
}

interface Timeout {
  /** Nanoseconds. */
  readonly least: number;
  readonly tooShort: string;
  /** Why the field may not be set. */
  readonly off: string | undefined;
}

function timeoutErrors(args: JsonObject, name: string, at: FieldPath, timeout: Timeout): readonly FieldError[] {
  const written = get(args, name);
  if (typeof written !== 'string') return [];
  if (timeout.off !== undefined) return [forbidden(at.child(name), timeout.off)];
  const duration = nanoseconds(written);
  return duration >= timeout.least ? [] : [invalid(at.child(name), durationText(duration), timeout.tooShort)];
}
