import { asList, type JsonValue } from '../../../../base/json';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalid, required, tooMany } from '../errors';
import {
  fields,
  isSet,
  longName,
  numberOf,
  optionalText,
  pathSegmentName,
  pointer,
  requiredText,
  structOf,
  textOf,
} from './declarative';
import { dnsLabel } from './devices';
import { specPath } from './meta';

const MOST_GROUPS = 8;

const controllerRef = pointer(
  fields({
    apiGroup: optionalText(longName),
    kind: requiredText(pathSegmentName),
    name: requiredText(pathSegmentName),
  }),
);

/** The spec of a Workload in v1alpha1, which 1.35 alone serves. Upstream: validateWorkloadSpec of that minor. */
export function earlyWorkloadErrors(spec: JsonValue | undefined): readonly FieldError[] {
  const { controllerRef: controller, podGroups } = structOf(spec);
  const groups = asList(podGroups);
  const at = specPath.child('podGroups');
  return [
    ...controllerRef(controller, specPath.child('controllerRef')),
    ...(groups.length === 0 ? [required(at, 'must have at least one item')] : []),
    ...(groups.length > MOST_GROUPS
      ? [tooMany(at, groups.length, MOST_GROUPS)]
      : groups.flatMap((it, i) => groupErrors(it, at.index(i), groups.slice(0, i)))),
  ];
}

function groupErrors(group: JsonValue, at: FieldPath, before: readonly JsonValue[]): readonly FieldError[] {
  const name = textOf(structOf(group).name);
  const isRepeated = before.some(it => textOf(structOf(it).name) === name);
  return [
    ...dnsLabel(name, at.child('name')),
    ...(isRepeated ? [duplicate(at.child('name'), name)] : []),
    ...policyErrors(structOf(group).policy, at.child('policy')),
  ];
}

/** Upstream: validatePodGroupPolicy. */
function policyErrors(policy: JsonValue | undefined, at: FieldPath): readonly FieldError[] {
  const { basic, gang } = structOf(policy);
  const rule = 'exactly one of `basic`, `gang` is required';
  if (!isSet(basic) && !isSet(gang)) return [required(at, rule)];
  if (isSet(basic) && isSet(gang)) return [invalid(at, '{`basic`, `gang`}', `${rule}, but multiple fields are set`)];
  const least = numberOf(structOf(gang).minCount);
  return isSet(gang) && least <= 0 ? [invalid(at.child('gang', 'minCount'), least, 'must be greater than zero')] : [];
}
