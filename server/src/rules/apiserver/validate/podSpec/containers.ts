import { portNameErrors, portNumberErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../manifest/manifest';
import { duplicate, type FieldError, forbidden, invalid, notFound, notSupported, required, tooMany } from '../errors';
import { flag, has, items, optionalInt, record, records, text } from '../read';
import { label, oneOf, oneOfIfSet } from './checks';
import { validateEnv, validateEnvFrom } from './env';
import { validateLifecycle, validateProbe } from './handlers';
import { type Volumes, validateVolumeDevices, validateVolumeMounts } from './mounts';
import { validateResources } from './resources';
import { validateSecurityContext } from './security';

/** What the containers of one Pod share. */
export interface PodFacts {
  readonly spec: JsonObject;
  readonly volumes: Volumes;
  readonly claimNames: ReadonlySet<string>;
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Upstream: core validation.validateContainers. */
export function* validateContainers(pod: PodFacts, at: FieldPath): Iterable<FieldError> {
  const containers = records(pod.spec, 'containers');
  if (containers.length === 0) yield required(at);
  const names = containers.map(it => text(it, 'name'));
  for (const [i, container] of containers.entries()) {
    const item = at.index(i);
    yield* validateCommon(container, pod, item);
    if (names.indexOf(names[i] ?? '') !== i) yield duplicate(item.child('name'), names[i] ?? '');
    yield* validateHooks(container, pod, item);
    yield* validateRestart(container, item);
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
    yield* validateRestart(container, item);
    if (names.has(name)) yield duplicate(item.child('name'), name);
    else if (name !== '') names.add(name);
    yield* validateHostPorts([container], at);
    if (isSidecar) {
      yield* validateHooks(container, pod, item);
      continue;
    }
    for (const field of ['lifecycle', ...PROBES]) {
      if (!has(container, field)) continue;
      yield forbidden(item.child(field), 'may not be set for init containers without restartPolicy=Always');
    }
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
  const others = ['containers', 'initContainers'].flatMap(it => records(pod.spec, it).map(c => text(c, 'name')));
  const names = new Set(others);
  for (const [i, container] of records(pod.spec, 'ephemeralContainers').entries()) {
    const item = at.index(i);
    const name = text(container, 'name');
    const target = text(container, 'targetContainerName');
    yield* validateCommon(container, pod, item);
    yield* validateImageText(container, item);
    if (names.has(name)) yield duplicate(item.child('name'), name);
    names.add(name);
    if (target !== '' && !others.includes(target)) yield notFound(item.child('targetContainerName'), target);
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
  if (image !== image.trim()) yield invalid(at.child('image'), image, 'must not have leading or trailing whitespace');
}

function* validateHooks(container: JsonObject, pod: PodFacts, at: FieldPath): Iterable<FieldError> {
  const grace = optionalInt(pod.spec, 'terminationGracePeriodSeconds');
  const lifecycle = record(container, 'lifecycle');
  const os = record(pod.spec, 'os');
  if (lifecycle !== undefined) {
    yield* validateLifecycle(lifecycle, grace, at.child('lifecycle'), os && text(os, 'name'));
  }
  for (const probe of PROBES) yield* validateProbe(container, probe, grace, at);
}

/** Upstream: core validation.validateContainerCommon. */
function* validateCommon(container: JsonObject, pod: PodFacts, at: FieldPath): Iterable<FieldError> {
  const name = text(container, 'name');
  if (name === '') yield required(at.child('name'));
  else yield* label(name, at.child('name'));
  if (text(container, 'image') === '') yield required(at.child('image'));
  const messages = ['FallbackToLogsOnError', 'File'];
  yield* oneOf(container, 'terminationMessagePolicy', at.child('terminationMessagePolicy'), messages);
  yield* validatePorts(container, at.child('ports'));
  yield* validateEnv(container, at.child('env'));
  yield* validateEnvFrom(container, at.child('envFrom'));
  yield* validateVolumeMounts(container, pod.volumes, at.child('volumeMounts'));
  yield* validateVolumeDevices(container, pod.volumes, at.child('volumeDevices'));
  yield* oneOf(container, 'imagePullPolicy', at.child('imagePullPolicy'), ['Always', 'IfNotPresent', 'Never']);
  yield* validateResources(record(container, 'resources'), 'container', pod.claimNames, at.child('resources'));
  yield* validateResizePolicy(container, text(pod.spec, 'restartPolicy'), at.child('resizePolicy'));
  const users = flag(pod.spec, 'hostUsers') === false ? 'own' : 'host';
  yield* validateSecurityContext(record(container, 'securityContext'), at.child('securityContext'), users);
}

/** Upstream: core validation.validateContainerPorts. */
function* validatePorts(container: JsonObject, listPath: FieldPath): Iterable<FieldError> {
  const names = new Set<string>();
  for (const [i, port] of records(container, 'ports').entries()) {
    const at = listPath.index(i);
    const name = text(port, 'name');
    const errors = name === '' ? [] : portNameErrors(name);
    for (const it of errors) yield invalid(at.child('name'), name, it);
    if (names.has(name)) yield duplicate(at.child('name'), name);
    if (name !== '' && errors.length === 0) names.add(name);
    const containerPort = optionalInt(port, 'containerPort') ?? 0;
    if (containerPort === 0) yield required(at.child('containerPort'));
    else for (const it of portNumberErrors(containerPort)) yield invalid(at.child('containerPort'), containerPort, it);
    const hostPort = optionalInt(port, 'hostPort') ?? 0;
    for (const it of hostPort === 0 ? [] : portNumberErrors(hostPort))
      yield invalid(at.child('hostPort'), hostPort, it);
    yield* oneOf(port, 'protocol', at.child('protocol'), ['SCTP', 'TCP', 'UDP']);
  }
}

/** Upstream: core validation.checkHostPortConflicts. */
function* validateHostPorts(containers: readonly JsonObject[], at: FieldPath): Iterable<FieldError> {
  const seen = new Set<string>();
  for (const [i, container] of containers.entries()) {
    for (const [j, port] of records(container, 'ports').entries()) {
      const hostPort = optionalInt(port, 'hostPort') ?? 0;
      if (hostPort === 0) continue;
      const id = `${text(port, 'protocol')}/${text(port, 'hostIP')}/${hostPort}`;
      if (seen.has(id)) yield duplicate(at.index(i).child('ports').index(j).child('hostPort'), id);
      seen.add(id);
    }
  }
}

/** Upstream: core validation.validateResizePolicy. Most errors are on the list, not on its item. */
function* validateResizePolicy(container: JsonObject, podRestart: string, at: FieldPath): Iterable<FieldError> {
  const seen = new Set<string>();
  for (const [i, policy] of records(container, 'resizePolicy').entries()) {
    const resource = text(policy, 'resourceName');
    const restart = text(policy, 'restartPolicy');
    if (seen.has(resource)) yield duplicate(at.index(i), resource);
    seen.add(resource);
    yield* oneOf(policy, 'resourceName', at, ['cpu', 'memory']);
    yield* oneOf(policy, 'restartPolicy', at, ['NotRequired', 'RestartContainer']);
    if (podRestart === 'Never' && restart !== 'NotRequired') {
      yield invalid(at, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
    }
  }
}

/** Upstream: core validation.validateContainerRestartPolicy. */
function* validateRestart(container: JsonObject, at: FieldPath): Iterable<FieldError> {
  const rules = records(container, 'restartPolicyRules');
  if (!has(container, 'restartPolicy') && rules.length > 0) {
    yield required(at.child('restartPolicy'), 'must specify restartPolicy when restart rules are used');
  }
  yield* oneOfIfSet(container, 'restartPolicy', at.child('restartPolicy'), ['Always', 'Never', 'OnFailure']);
  if (rules.length > 20) yield tooMany(at.child('restartPolicyRules'), rules.length, 20);
  for (const [i, rule] of rules.entries()) {
    const item = at.child('restartPolicyRules').index(i);
    const actions = ['Restart', 'RestartAllContainers'];
    const action = text(rule, 'action');
    if (!actions.includes(action)) yield notSupported(item.child('action'), action, actions);
    const codes = record(rule, 'exitCodes');
    if (codes === undefined) {
      yield required(item.child('exitCodes'), 'must be specified');
      continue;
    }
    const operator = text(codes, 'operator');
    if (operator !== 'In' && operator !== 'NotIn') {
      yield notSupported(item.child('exitCodes', 'operator'), operator, ['In', 'NotIn']);
    }
    const count = items(codes, 'values').length;
    if (count > 255) yield tooMany(item.child('exitCodes', 'values'), count, 255);
  }
}
