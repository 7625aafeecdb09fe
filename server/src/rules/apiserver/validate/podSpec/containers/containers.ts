import type { JsonObject } from '../../../../../base/json';
import { repeatedAt } from '../../../../../base/repeated';
import { flag, has, optionalInt, record, records, text } from '../../../../../kube/goFields';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { applies } from '../../../../minors/minorChange';
import { minorChanges } from '../../../../minors/minorChanges';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notAmong,
  notFound,
  required,
  type Validation,
} from '../../errors';
import { isPadded, label, oneOf } from '../../shared/checks';
import { validateEnv, validateEnvFrom } from './env';
import { PROBES, validateLifecycle, validateProbe } from './handlers';
import { type Volumes, validateVolumeDevices, validateVolumeMounts } from './mounts';
import { validateHostPorts, validatePorts } from './ports';
import { type NamedClaims, validateResources } from './resources';
import { validateInitRestart, validateResizePolicy, validateRestart } from './restart';
import { validateSecurityContext } from './security';

/** Facts that the containers of one Pod share. */
export interface PodFacts {
  readonly spec: JsonObject;
  readonly volumes: Volumes;
  readonly claims: NamedClaims;
  readonly validation: Validation;
}

/** Upstream: core validation.validateContainers. */
export function* validateContainers(pod: PodFacts, at: FieldPath): Iterable<FieldError> {
  const containers = records(pod.spec, 'containers');
  if (containers.length === 0) yield required(at);
  const repeated = repeatedAt(containers.map(it => text(it, 'name')));
  for (const [i, container] of containers.entries()) {
    const item = at.index(i);
    yield* validateCommon(container, pod, item);
    if (repeated.has(i)) yield duplicate(item.child('name'), text(container, 'name'));
    yield* validateHooks(container, pod, item);
    yield* validateRestart(container, item, pod.validation);
  }
  yield* validateHostPorts(containers, at);
}

/** Upstream: core validation.validateInitContainers. */
export function* validateInitContainers(pod: PodFacts, at: FieldPath): Iterable<FieldError> {
  const names = new Set(records(pod.spec, 'containers').map(it => text(it, 'name')));
  for (const [i, container] of records(pod.spec, 'initContainers').entries()) {
    const item = at.index(i);
    const name = text(container, 'name');
    const isSidecar = text(container, 'restartPolicy') === 'Always';
    yield* validateCommon(container, pod, item);
    yield* validateInitRestart(container, item, pod.validation);
    if (names.has(name)) yield duplicate(item.child('name'), name);
    else if (name !== '') names.add(name);
    yield* validateHostPorts([container], at);
    if (isSidecar) {
      yield* validateHooks(container, pod, item);
      continue;
    }
    for (const field of HOOKS) {
      if (!has(container, field)) continue;
      yield forbidden(item.child(field), 'may not be set for init containers without restartPolicy=Always');
    }
    if (!applies(minorChanges.resizeRestartOfInitContainer, pod.validation.kube)) continue;
    for (const [j, policy] of records(container, 'resizePolicy').entries()) {
      if (text(policy, 'restartPolicy') !== 'RestartContainer') continue;
      const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
      yield invalid(item.child('resizePolicy').index(j).child('restartPolicy'), 'RestartContainer', detail);
    }
  }
}

const NOT_EPHEMERAL = [
  'ports',
  'resources',
  ...PROBES,
  'lifecycle',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
];

/** Upstream: core validation.validateEphemeralContainers. */
export function* validateEphemeralContainers(pod: PodFacts, at: FieldPath): Iterable<FieldError> {
  const ephemeral = records(pod.spec, 'ephemeralContainers');
  if (ephemeral.length === 0) return;
  const others = ['containers', 'initContainers'].flatMap(it => records(pod.spec, it).map(c => text(c, 'name')));
  const targets = new Set(others);
  const names = new Set(others);
  for (const [i, container] of ephemeral.entries()) {
    const item = at.index(i);
    const name = text(container, 'name');
    const target = text(container, 'targetContainerName');
    yield* validateCommon(container, pod, item);
    yield* validateImageText(container, item);
    if (names.has(name)) yield duplicate(item.child('name'), name);
    names.add(name);
    if (target !== '' && !targets.has(target)) yield notFound(item.child('targetContainerName'), target);
    for (const field of NOT_EPHEMERAL) {
      const value = container[field];
      const isEmpty = value === undefined || (field === 'resources' && Object.keys(value ?? {}).length === 0);
      if (!isEmpty) yield forbidden(item.child(field), 'cannot be set for an Ephemeral Container');
    }
    for (const [j, mount] of records(container, 'volumeMounts').entries()) {
      for (const field of ['subPath', 'subPathExpr']) {
        if (text(mount, field) === '') continue;
        const path = item.child('volumeMounts').index(j).child(field);
        yield forbidden(path, 'cannot be set for an Ephemeral Container');
      }
    }
  }
}

/** Upstream: core validation.validateContainerOnlyForPod. */
export function* validateImageText(container: JsonObject, at: FieldPath): Iterable<FieldError> {
  const image = text(container, 'image');
  if (isPadded(image)) yield invalid(at.child('image'), image, 'must not have leading or trailing whitespace');
}

const HOOKS = ['lifecycle', ...PROBES];

function* validateHooks(container: JsonObject, { spec, validation }: PodFacts, at: FieldPath): Iterable<FieldError> {
  if (!HOOKS.some(it => has(container, it))) return;
  const gracePeriod = optionalInt(spec, 'terminationGracePeriodSeconds');
  const os = record(spec, 'os');
  const facts = { gracePeriod, os: os && text(os, 'name'), validation };
  yield* validateLifecycle(container, facts, at.child('lifecycle'));
  for (const probe of PROBES) yield* validateProbe(container, probe, facts, at);
}

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

const MESSAGES = ['File', 'FallbackToLogsOnError'];

/** Upstream: core validation.validateContainerCommon. */
function* validateCommon(container: JsonObject, pod: PodFacts, at: FieldPath): Iterable<FieldError> {
  const name = text(container, 'name');
  if (name === '') yield required(at.child('name'));
  else yield* label(name, at.child('name'));
  if (text(container, 'image') === '') yield required(at.child('image'));
  const message = text(container, 'terminationMessagePolicy');
  if (message === '') yield required(at.child('terminationMessagePolicy'));
  else if (!MESSAGES.includes(message)) yield notAmong(at.child('terminationMessagePolicy'), message, MESSAGES);
  if (has(container, 'ports')) yield* validatePorts(container, at.child('ports'));
  if (has(container, 'env')) yield* validateEnv(container, at.child('env'), pod.validation);
  if (has(container, 'envFrom')) yield* validateEnvFrom(container, at.child('envFrom'), pod.validation);
  if (has(container, 'volumeMounts'))
    yield* validateVolumeMounts(container, pod.volumes, at.child('volumeMounts'), pod.validation);
  if (has(container, 'volumeDevices')) yield* validateVolumeDevices(container, pod.volumes, at.child('volumeDevices'));
  yield* oneOf(container, 'imagePullPolicy', at.child('imagePullPolicy'), PULL_POLICIES);
  if (has(container, 'resources'))
    yield* validateResources(record(container, 'resources'), 'container', pod.claims, at.child('resources'));
  if (has(container, 'resizePolicy')) yield* validateResizePolicy(container, pod, at.child('resizePolicy'));
  if (!has(container, 'securityContext')) return;
  const users = flag(pod.spec, 'hostUsers') === false ? 'own' : 'host';
  yield* validateSecurityContext(record(container, 'securityContext'), at.child('securityContext'), users);
}
