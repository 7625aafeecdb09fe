import type { JsonObject } from '../../../../base/json';
import {
  type GoFields,
  has,
  int,
  mapField,
  optionalInt,
  record,
  text,
  withDefault,
  withField,
  without,
} from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, forbidden, invalid, type KindStrategy, notSupported, required } from '../errors';
import { validateKindMeta } from '../kindMeta';
import { nameOf } from '../metadata';
import { dropStatus } from '../shared/drops';
import { annotationsOf } from '../shared/labels';
import { MANDATORY_LEVELS } from './mandatory';
import { isSameValue } from './sameSpec';

const SPEC = FieldPath.of('spec');
const ROUND_TRIP = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

/** Upstream: pkg/registry/flowcontrol/prioritylevelconfiguration and ValidatePriorityLevelConfiguration. */
export const priorityLevel: KindStrategy = {
  defaults: object => mapField(object, 'spec', defaultSpec),
  drop: dropStatus,
  validate: (object, { kube }) => {
    const name = nameOf(record(object, 'metadata'));
    const spec = record(object, 'spec') ?? {};
    const detail = `annotation '${ROUND_TRIP}' is forbidden`;
    return [
      ...validateKindMeta(object, 'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration'),
      ...(has(annotationsOf(object), ROUND_TRIP) ? [forbidden(FieldPath.of('metadata', 'annotations'), detail)] : []),
      ...specErrors(spec, name, kube),
      ...mandatoryErrors(spec, name),
    ];
  },
};

/** Upstream: pkg/apis/flowcontrol/v1/defaults.go. */
function defaultSpec(spec: JsonObject): JsonObject {
  const withExempt = mapField(spec, 'exempt', it =>
    withDefault(withDefault(it, 'nominalConcurrencyShares', 0), 'lendablePercent', 0),
  );
  return mapField(withExempt, 'limited', limited =>
    mapField(
      withDefault(withDefault(limited, 'nominalConcurrencyShares', 30), 'lendablePercent', 0),
      'limitResponse',
      response => mapField(response, 'queuing', queuing => Object.entries(QUEUING).reduce(withNumber, queuing)),
    ),
  );
}

const QUEUING = { handSize: 8, queues: 64, queueLengthLimit: 50 };

const withNumber = (of: JsonObject, [field, value]: readonly [string, number]): JsonObject =>
  int(of, field) === 0 ? withField(of, field, value) : of;

function* specErrors(spec: JsonObject, name: string, kube: Kube): Iterable<FieldError> {
  const type = text(spec, 'type');
  if ((name === 'exempt') !== (type === 'Exempt')) {
    yield invalid(SPEC.child('type'), type, "must be 'Exempt' if and only if `name` is 'exempt'");
  }
  const [exempt, limited] = [record(spec, 'exempt'), record(spec, 'limited')];
  const other = isForbiddenToOthers(type, ['Exempt', 'Limited'], kube);
  if (exempt !== undefined && other('Exempt'))
    yield forbidden(SPEC.child('exempt'), 'must be nil if the type is Limited');
  if (limited !== undefined && other('Limited')) {
    yield forbidden(SPEC.child('limited'), 'must be nil if the type is not Limited');
  }
  if (type === 'Exempt' && exempt !== undefined) yield* shareErrors(exempt, SPEC.child('exempt'));
  if (type === 'Limited') {
    if (limited === undefined) yield required(SPEC.child('limited'), 'must not be empty when type is Limited');
    else yield* limitedErrors(limited, SPEC.child('limited'), kube);
  } else if (limited !== undefined && applies(minorChanges.responsesOfOtherLevels, kube)) {
    yield* responseFieldErrors(record(limited, 'limitResponse'), SPEC.child('limited', 'limitResponse'));
  }
  yield* typeErrors(type, SPEC.child('type'), ['Exempt', 'Limited'], kube);
}

/**
 * Whether the part of one type is forbidden beside this type. Upstream: validate.Discriminated.
 */
const isForbiddenToOthers =
  (type: string, types: readonly string[], kube: Kube) =>
  (owner: string): boolean =>
    type !== owner && (types.includes(type) || applies(minorChanges.partsOfUnknownLevels, kube));

function* typeErrors(type: string, at: FieldPath, types: readonly string[], kube: Kube): Iterable<FieldError> {
  if (type === '' && applies(minorChanges.levelTypeRequired, kube)) yield required(at);
  else if (!types.includes(type)) yield notSupported(at, type, types);
}

function* shareErrors(of: JsonObject, at: FieldPath): Iterable<FieldError> {
  if (int(of, 'nominalConcurrencyShares') < 0) {
    const shares = int(of, 'nominalConcurrencyShares');
    yield invalid(at.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer');
  }
  yield* percentErrors(of, at);
}

function* percentErrors(of: JsonObject, at: FieldPath): Iterable<FieldError> {
  const percent = int(of, 'lendablePercent');
  if (percent < 0 || percent > 100) {
    yield invalid(at.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive');
  }
}

/** Upstream: ValidateLimitedPriorityLevelConfiguration. */
function* limitedErrors(limited: JsonObject, at: FieldPath, kube: Kube): Iterable<FieldError> {
  const shares = int(limited, 'nominalConcurrencyShares');
  if (shares < 0) yield invalid(at.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer');
  yield* responseErrors(record(limited, 'limitResponse'), at.child('limitResponse'), kube);
  yield* percentErrors(limited, at);
  const most = optionalInt(limited, 'borrowingLimitPercent') ?? 0;
  if (most < 0) {
    yield invalid(at.child('borrowingLimitPercent'), most, 'if specified, must be a non-negative integer');
  }
}

/** Upstream: ValidateLimitResponse. */
function* responseErrors(response: GoFields, at: FieldPath, kube: Kube): Iterable<FieldError> {
  const type = text(response, 'type');
  const queuing = record(response, 'queuing');
  const queuingAt = at.child('queuing');
  const types = ['Queue', 'Reject'];
  if (queuing !== undefined && isForbiddenToOthers(type, types, kube)('Queue')) {
    yield forbidden(queuingAt, 'must be nil if limited.limitResponse.type is not Limited');
  }
  if (type === 'Queue') {
    if (queuing === undefined) yield required(queuingAt, 'must not be empty if limited.limitResponse.type is Limited');
    else yield* queuingErrors(queuing, queuingAt);
  }
  yield* typeErrors(type, at.child('type'), types, kube);
}

/** What is declared of the fields, whatever the type of the level. Upstream: Validate_LimitResponse. */
function* responseFieldErrors(response: GoFields, at: FieldPath): Iterable<FieldError> {
  const type = text(response, 'type');
  const queuing = record(response, 'queuing');
  if (type === 'Queue' && queuing === undefined) yield required(at.child('queuing'));
  if (type !== 'Queue' && queuing !== undefined) yield forbidden(at.child('queuing'), '');
  if (type === '') yield required(at.child('type'));
}

const MOST_QUEUES = 10_000_000;
/** Upstream: shufflesharding.MaxHashBits. */
const MOST_BITS = 60;

/** Upstream: ValidatePriorityLevelQueuingConfiguration. */
function* queuingErrors(queuing: JsonObject, at: FieldPath): Iterable<FieldError> {
  const [length, queues, hand] = ['queueLengthLimit', 'queues', 'handSize'].map(it => int(queuing, it)) as [
    number,
    number,
    number,
  ];
  const handAt = at.child('handSize');
  if (length <= 0) yield invalid(at.child('queueLengthLimit'), length, 'must be positive');
  if (queues <= 0) yield invalid(at.child('queues'), queues, 'must be positive');
  else if (queues > MOST_QUEUES) yield invalid(at.child('queues'), queues, `must not be greater than ${MOST_QUEUES}`);
  if (hand <= 0) yield invalid(handAt, hand, 'must be positive');
  else if (hand > queues) yield invalid(handAt, hand, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * hand) > MOST_BITS) {
    const sizes = `deckSize ${queues} and handSize ${hand}`;
    yield invalid(handAt, hand, `required entropy bits of ${sizes} should not be greater than ${MOST_BITS}`);
  }
}

/** Upstream: ValidateIfMandatoryPriorityLevelConfigurationObject. */
function mandatoryErrors(spec: JsonObject, name: string): readonly FieldError[] {
  const fixed = Object.hasOwn(MANDATORY_LEVELS, name) ? MANDATORY_LEVELS[name] : undefined;
  if (fixed === undefined) return [];
  if (name !== 'exempt') {
    return isSameValue(spec, fixed) ? [] : [invalid(SPEC, spec, `spec of '${name}' must equal the fixed value`)];
  }
  if (isSameValue(without(spec, 'exempt'), fixed)) return [];
  return [invalid(SPEC, spec, `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`)];
}
