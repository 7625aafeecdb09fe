import type { JsonObject } from '../../../../../base/json';
import { has, items, record, records, text } from '../../../../../kube/goFields';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { applies } from '../../../../minors/minorChange';
import { minorChanges } from '../../../../minors/minorChanges';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  type Validation,
} from '../../errors';
import { oneOf, oneOfIfSet } from '../../shared/checks';

/** When a container restarts: after it has ended, and after a resize. */

/** The restart policy of an app container. Upstream: core validation.validateContainers. */
export function* validateRestart(container: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  if (!has(container, 'restartPolicy') && !has(container, 'restartPolicyRules')) return;
  if (validation.isOn('ContainerRestartRules')) yield* validatePolicyAndRules(container, at, validation);
  else if (has(container, 'restartPolicy')) {
    yield forbidden(at.child('restartPolicy'), 'may not be set for non-init containers');
  }
}

/** Upstream: core validation.validateInitContainerRestartPolicy. */
export function* validateInitRestart(
  container: JsonObject,
  at: FieldPath,
  validation: Validation,
): Iterable<FieldError> {
  const hasRules = records(container, 'restartPolicyRules').length > 0;
  if (!has(container, 'restartPolicy')) {
    if (hasRules) yield required(at.child('restartPolicy'), UNSAID);
    return;
  }
  const isSidecar = text(container, 'restartPolicy') === 'Always';
  if (!validation.isOn('ContainerRestartRules')) {
    yield* oneOfIfSet(container, 'restartPolicy', at.child('restartPolicy'), ['Always']);
  } else if (!isSidecar || validation.isOn(RESTART_ALL)) yield* validatePolicyAndRules(container, at, validation);
  else if (hasRules) {
    const detail = 'restartPolicyRules are not allowed for init containers with restart policy Always';
    yield forbidden(at.child('restartPolicyRules'), detail);
  }
}

const RESTART_ALL = 'RestartAllContainersOnContainerExits';
const UNSAID = 'must specify restartPolicy when restart rules are used';

/** Upstream: core validation.validateContainerRestartPolicy. */
function* validatePolicyAndRules(container: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  const rules = records(container, 'restartPolicyRules');
  const list = at.child('restartPolicyRules');
  const actions = validation.isOn(RESTART_ALL) ? ['Restart', 'RestartAllContainers'] : ['Restart'];
  if (!has(container, 'restartPolicy') && rules.length > 0) yield required(at.child('restartPolicy'), UNSAID);
  yield* oneOfIfSet(container, 'restartPolicy', at.child('restartPolicy'), ['Always', 'Never', 'OnFailure']);
  yield* validateCount(rules.length, 20, list, validation);
  for (const [i, rule] of rules.entries()) {
    const action = text(rule, 'action');
    if (!actions.includes(action)) yield notSupported(list.index(i).child('action'), action, actions);
    yield* validateExitCodes(record(rule, 'exitCodes'), list.index(i).child('exitCodes'), validation);
  }
}

function* validateExitCodes(
  codes: JsonObject | undefined,
  at: FieldPath,
  validation: Validation,
): Iterable<FieldError> {
  if (codes === undefined) {
    yield required(at, 'must be specified');
    return;
  }
  const operator = text(codes, 'operator');
  if (operator !== 'In' && operator !== 'NotIn') yield notSupported(at.child('operator'), operator, ['In', 'NotIn']);
  yield* validateCount(items(codes, 'values').length, 255, at.child('values'), validation);
}

/** Before 1.36 upstream reports too many items with the error type of a text that is too long. */
function* validateCount(count: number, max: number, at: FieldPath, { kube }: Validation): Iterable<FieldError> {
  if (count > max) yield applies(minorChanges.exitCodesTooMany, kube) ? tooMany(at, count, max) : tooLong(at, max);
}

/** Upstream: core validation.validateResizePolicy. Most errors have the path of the list, not of its item. */
export function* validateResizePolicy(
  container: JsonObject,
  { spec, validation }: { readonly spec: JsonObject; readonly validation: Validation },
  at: FieldPath,
): Iterable<FieldError> {
  const whose = applies(minorChanges.resizeRestartOfPod, validation.kube) ? 'pod `restartPolicy`' : '`restartPolicy`';
  const seen = new Set<string>();
  for (const [i, policy] of records(container, 'resizePolicy').entries()) {
    const resource = text(policy, 'resourceName');
    const restart = text(policy, 'restartPolicy');
    if (seen.has(resource)) yield duplicate(at.index(i), resource);
    seen.add(resource);
    yield* oneOf(policy, 'resourceName', at, ['cpu', 'memory']);
    yield* oneOf(policy, 'restartPolicy', at, ['NotRequired', 'RestartContainer']);
    if (text(spec, 'restartPolicy') === 'Never' && restart !== 'NotRequired') {
      yield invalid(at, restart, `must be 'NotRequired' when ${whose} is 'Never'`);
    }
  }
}
