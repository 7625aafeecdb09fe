import type { JsonObject } from '../../../../base/json';
import { lazy } from '../../../../base/lazy';
import { flag, has, int, record, records, text } from '../../../../kube/goFields';
import { podQos } from '../../../../kube/podResources';
import type { PodSpec } from '../../../../kube/types';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, forbidden, invalid, type KindStrategy, notFound, type Validation } from '../errors';
import { nameOf, validateLabels, validateNameFn, validateObjectMeta } from '../metadata';
import { nonNegative, oneOf } from '../shared/checks';
import { resetStatus } from '../shared/drops';
import { containersOf } from './containers/containerLists';
import {
  validateContainers,
  validateEphemeralContainers,
  validateImageText,
  validateInitContainers,
} from './containers/containers';
import { claimsOf, validateResources } from './containers/resources';
import { validatePodSecurityContext } from './containers/security';
import { defaultPod } from './defaults';
import { validateDnsConfig, validateHostAliases } from './dns';
import { dropDisabledFields } from './drop';
import { validateGroups } from './groups';
import { validateGates, validateNames, validateResourceClaims } from './names';
import { validateHostProcess, validateOs } from './os';
import { validateAnnotationsMatchFields, validatePodAnnotations } from './podMeta';
import { validatePodResources } from './podResources';
import { preparePod } from './prepare';
import { validateAffinity, validateTolerations } from './scheduling';
import { validateSpreadConstraints } from './spread';
import { validateVolumes } from './volumes/volumes';
import { podWarnings } from './warnings';

/** `metadata` is the Pod's; a template's metadata is not checked here. Upstream: core validation.ValidatePodSpec. */
export function* validatePodSpec(
  spec: JsonObject,
  at: FieldPath,
  validation: Validation,
  holder: 'pod' | 'template',
  metadata?: JsonObject,
): Iterable<FieldError> {
  const of = { kind: holder, podName: nameOf(metadata) };
  const { errors, volumes } = validateVolumes(spec, at.child('volumes'), of, validation);
  const pod = { spec, volumes, claims: claimsOf(spec), validation };
  yield* errors;
  yield* validateResourceClaims(spec, at.child('resourceClaims'), metadata);
  yield* validateContainers(pod, at.child('containers'));
  yield* validateInitContainers(pod, at.child('initContainers'));
  yield* validateEphemeralContainers(pod, at.child('ephemeralContainers'));
  yield* validatePodResources(spec, at.child('resources'));
  yield* validateHostNetworkPorts(spec, at.child('containers'), holder);
  yield* oneOf(spec, 'restartPolicy', at.child('restartPolicy'), ['Always', 'OnFailure', 'Never']);
  yield* oneOf(spec, 'dnsPolicy', at.child('dnsPolicy'), DNS_POLICIES);
  yield* validateLabels(spec, 'nodeSelector', at.child('nodeSelector'));
  yield* validatePodSecurityContext(spec, at.child('securityContext'), validation);
  yield* validateSharedProcesses(spec, at, validation);
  yield* validateAffinity(record(spec, 'affinity'), at.child('affinity'), validation.kube);
  yield* validateDnsConfig(spec, at.child('dnsConfig'), validation);
  yield* validateGates(spec, at);
  yield* validateSpreadConstraints(spec, at.child('topologySpreadConstraints'), validation);
  yield* validateHostProcess(spec, at);
  yield* validateHostUsers(spec, at, validation);
  yield* validateNames(spec, at);
  yield* validateTolerations(spec, at.child('tolerations'), validation);
  yield* validateHostAliases(spec, at.child('hostAliases'), validation);
  if (has(spec, 'preemptionPolicy')) {
    yield* oneOf(spec, 'preemptionPolicy', at.child('preemptionPolicy'), ['PreemptLowerPriority', 'Never']);
  }
  const overhead = { limits: record(spec, 'overhead') ?? {} };
  yield* validateResources(overhead, 'container', claimsOf(undefined), at.child('overhead'));
  yield* validateOs(spec, at);
  yield* validateGroups(spec, at);
  yield* validateFileKeyVolumes(spec, at);
}

const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

/** Upstream: core validation.validatePodHostNetworkDeps. */
function* validateHostNetworkPorts(spec: JsonObject, at: FieldPath, holder: 'pod' | 'template'): Iterable<FieldError> {
  if (flag(spec, 'hostNetwork') !== true) return;
  for (const [i, container] of records(spec, 'containers').entries()) {
    for (const [j, port] of records(container, 'ports').entries()) {
      const hostPort = int(port, 'hostPort');
      if (holder === 'template' && hostPort === 0) continue;
      if (hostPort === int(port, 'containerPort')) continue;
      const path = at.index(i).child('ports').index(j).child('hostPort');
      yield invalid(path, hostPort, 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}

/** Upstream: core validation.validateShareProcessNamespace; before 1.37 a part of the security context's checks. */
function* validateSharedProcesses(spec: JsonObject, at: FieldPath, { kube }: Validation): Iterable<FieldError> {
  if (flag(spec, 'hostPID') !== true || flag(spec, 'shareProcessNamespace') !== true) return;
  const holder = applies(minorChanges.sharedProcessesAtField, kube) ? at : at.child('securityContext');
  const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
  yield invalid(holder.child('shareProcessNamespace'), true, detail);
}

/** Upstream: core validation.validateHostUsers. */
function* validateHostUsers(spec: JsonObject, at: FieldPath, { kube, isOn }: Validation): Iterable<FieldError> {
  if (flag(spec, 'hostUsers') !== false) return;
  const detail = 'when `hostUsers` is false';
  if (flag(spec, 'hostNetwork') === true && !isOn('UserNamespacesHostNetworkSupport')) {
    yield forbidden(at.child('hostNetwork'), detail);
  }
  if (flag(spec, 'hostPID') === true) yield forbidden(at.child('HostPID'), detail);
  if (flag(spec, 'hostIPC') === true) yield forbidden(at.child('HostIPC'), detail);
  if (!applies(minorChanges.blockDevicesOfUsers, kube)) return;
  for (const it of containersOf(spec, at)) {
    if (records(it.container, 'volumeDevices').length > 0) yield forbidden(it.at.child('volumeDevices'), detail);
  }
}

/** Upstream: core validation.validateFileKeyRefVolumes. */
function* validateFileKeyVolumes(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  // Of volumes of one name the last one counts.
  const volumes = lazy(() => new Map(records(spec, 'volumes').map(it => [text(it, 'name'), it])));
  for (const it of containersOf(spec, at)) {
    for (const [i, variable] of records(it.container, 'env').entries()) {
      const reference = record(record(variable, 'valueFrom'), 'fileKeyRef');
      if (reference === undefined) continue;
      const name = text(reference, 'volumeName');
      const path = it.at.child('env').index(i).child('valueFrom', 'fileKeyRef', 'volumeName');
      const volume = volumes().get(name);
      if (volume === undefined) yield notFound(path, name);
      else if (!has(volume, 'emptyDir')) {
        yield invalid(path, name, 'referenced volume must be of type emptyDir');
      }
    }
  }
}

const SPEC = FieldPath.of('spec');

/** Upstream: pkg/registry/core/pod.podStrategy. */
export const podStrategy: KindStrategy = {
  defaults: (pod, validation) => ({ ...pod, spec: defaultPod(record(pod, 'spec') ?? {}, validation) }),
  drop: (pod, validation) => {
    const enabled = dropDisabledFields(pod, FieldPath.root, validation);
    if (!has(pod, 'status')) return enabled;
    const qosClass = podQos((record(pod, 'spec') ?? {}) as PodSpec, validation.isOn);
    const stored = resetStatus(enabled.object, { phase: 'Pending', qosClass });
    return { object: stored.object, dropped: [...enabled.dropped, ...stored.dropped] };
  },
  validate: (pod, validation) => validatePod(preparePod(pod, validation), validation),
  warn: (pod, validation) => podWarnings(pod, FieldPath.root, 'pod', validation),
};

/** Upstream: core validation.ValidatePodCreate. */
function* validatePod(pod: JsonObject, validation: Validation): Iterable<FieldError> {
  const metadata = record(pod, 'metadata');
  const spec = record(pod, 'spec') ?? {};
  yield* validateObjectMeta(pod, 'namespaced', validateNameFn.subdomain);
  yield* validatePodAnnotations(metadata, spec, FieldPath.of('metadata', 'annotations'), validation);
  yield* validatePodSpec(spec, SPEC, validation, 'pod', metadata);
  const withAccount = text(spec, 'serviceAccountName') !== '';
  for (const [i, volume] of withAccount ? [] : records(spec, 'volumes').entries()) {
    for (const [j, source] of records(record(volume, 'projected'), 'sources').entries()) {
      if (!has(source, 'serviceAccountToken')) continue;
      const path = SPEC.child('volumes').index(i).child('projected', 'sources').index(j).child('serviceAccountToken');
      yield forbidden(path, 'must not be specified when serviceAccountName is not set');
    }
  }
  yield* nonNegative(spec, 'terminationGracePeriodSeconds', SPEC);
  for (const type of ['containers', 'initContainers']) {
    for (const [i, it] of records(spec, type).entries()) yield* validateImageText(it, SPEC.child(type).index(i));
  }
  if (records(spec, 'ephemeralContainers').length > 0) {
    yield forbidden(SPEC.child('ephemeralContainers'), 'cannot be set on create');
  }
  if (text(spec, 'nodeName') !== '' && records(spec, 'schedulingGates').length > 0) {
    yield forbidden(SPEC.child('nodeName'), 'cannot be set until all schedulingGates have been cleared');
  }
  yield* validateAnnotationsMatchFields(metadata, spec, SPEC);
}
