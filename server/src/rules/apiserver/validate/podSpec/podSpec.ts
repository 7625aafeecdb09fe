import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../manifest/manifest';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  type KindStrategy,
  notFound,
  required,
  tooLong,
  type Validation,
} from '../errors';
import { nameOf, validateLabels, validateNameFn, validateObjectMeta } from '../metadata';
import { flag, has, optionalInt, record, records, text, without } from '../read';
import { label, oneOf, qualifiedName, subdomain } from './checks';
import {
  validateContainers,
  validateEphemeralContainers,
  validateImageText,
  validateInitContainers,
} from './containers';
import { defaultPod, defaultPodSpec } from './defaults';
import { validatePodResources } from './resources';
import { validateAffinity, validateSpreadConstraints, validateTolerations } from './scheduling';
import { containersOf, validateHostProcess, validateOs, validatePodSecurityContext } from './security';
import { validateVolumes } from './volumes';

/** `podName` is empty for a template, whose Pods have no names yet. Upstream: core validation.ValidatePodSpec. */
export function* validatePodSpec(
  spec: JsonObject,
  at: FieldPath,
  validation: Validation,
  holder: 'pod' | 'template',
  podName = '',
): Iterable<FieldError> {
  const { errors, volumes } = validateVolumes(spec, at.child('volumes'), { kind: holder, podName }, validation);
  const claimNames = new Set(records(spec, 'resourceClaims').map(it => text(it, 'name')));
  const pod = { spec, volumes, claimNames };
  yield* errors;
  yield* validateResourceClaims(spec, at.child('resourceClaims'));
  yield* validateContainers(pod, at.child('containers'));
  yield* validateInitContainers(pod, at.child('initContainers'));
  yield* validateEphemeralContainers(pod, at.child('ephemeralContainers'));
  yield* validatePodResources(spec, at.child('resources'));
  yield* validateHostNetworkPorts(spec, at.child('containers'), holder);
  yield* oneOf(spec, 'restartPolicy', at.child('restartPolicy'), ['Always', 'Never', 'OnFailure']);
  yield* oneOf(spec, 'dnsPolicy', at.child('dnsPolicy'), DNS_POLICIES);
  yield* validateLabels(spec, 'nodeSelector', at.child('nodeSelector'));
  yield* validatePodSecurityContext(spec, at.child('securityContext'));
  if (flag(spec, 'hostPID') === true && flag(spec, 'shareProcessNamespace') === true) {
    yield invalid(at.child('shareProcessNamespace'), true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  }
  yield* validateAffinity(record(spec, 'affinity'), at.child('affinity'));
  yield* validateDnsConfig(spec, at.child('dnsConfig'));
  yield* validateGates(spec, at);
  yield* validateSpreadConstraints(spec, at.child('topologySpreadConstraints'));
  yield* validateHostProcess(spec, at);
  yield* validateHostUsers(spec, at, validation);
  yield* validateNames(spec, at);
  yield* validateTolerations(spec, at.child('tolerations'), validation);
  if (has(spec, 'preemptionPolicy')) {
    yield* oneOf(spec, 'preemptionPolicy', at.child('preemptionPolicy'), ['Never', 'PreemptLowerPriority']);
  }
  yield* validateOs(spec, at);
  yield* validateFileKeyVolumes(spec, at);
}

const DNS_POLICIES = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'];

/** Upstream: core validation.validatePodResourceClaims. */
function* validateResourceClaims(spec: JsonObject, listPath: FieldPath): Iterable<FieldError> {
  const names = new Set<string>();
  for (const [i, claim] of records(spec, 'resourceClaims').entries()) {
    const at = listPath.index(i);
    const name = text(claim, 'name');
    if (name === '') yield required(at.child('name'));
    else if (names.has(name)) yield duplicate(at.child('name'), name);
    else yield* label(name, at.child('name'));
    names.add(name);
    const sources = ['resourceClaimName', 'resourceClaimTemplateName'].filter(it => has(claim, it));
    if (sources.length === 2) {
      const detail = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
      yield invalid(at, claim, detail);
    }
    if (sources.length === 0) {
      yield invalid(at, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    }
    for (const source of sources) yield* subdomain(text(claim, source), at.child(source));
  }
}

/** Upstream: core validation.validatePodHostNetworkDeps. */
function* validateHostNetworkPorts(spec: JsonObject, at: FieldPath, holder: 'pod' | 'template'): Iterable<FieldError> {
  if (flag(spec, 'hostNetwork') !== true) return;
  for (const [i, container] of records(spec, 'containers').entries()) {
    for (const [j, port] of records(container, 'ports').entries()) {
      const hostPort = optionalInt(port, 'hostPort') ?? 0;
      if (holder === 'template' && hostPort === 0) continue;
      if (hostPort === (optionalInt(port, 'containerPort') ?? 0)) continue;
      const path = at.index(i).child('ports').index(j).child('hostPort');
      yield invalid(path, hostPort, 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}

/** Upstream: core validation.validatePodDNSConfig. */
function* validateDnsConfig(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const config = record(spec, 'dnsConfig');
  const servers = config?.nameservers ?? [];
  const count = Array.isArray(servers) ? servers.length : 0;
  if (text(spec, 'dnsPolicy') === 'None') {
    if (config === undefined) {
      yield required(at, 'must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (count === 0) {
      yield required(at.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None');
      return;
    }
  }
  if (count > 3) yield invalid(at.child('nameservers'), servers, 'must not have more than 3 nameservers');
  for (const [i, option] of records(config, 'options').entries()) {
    if (text(option, 'name') === '') yield required(at.child('options').index(i), 'must not be empty');
  }
}

/** Upstream: core validation.validateReadinessGates, validateSchedulingGates. */
function* validateGates(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  for (const [i, gate] of records(spec, 'readinessGates').entries()) {
    yield* qualifiedName(text(gate, 'conditionType'), at.child('readinessGates').index(i).child('conditionType'));
  }
  const names = records(spec, 'schedulingGates').map(it => text(it, 'name'));
  for (const [i, name] of names.entries()) {
    const path = at.child('schedulingGates').index(i);
    yield* qualifiedName(name, path);
    if (names.indexOf(name) !== i) yield duplicate(path, name);
  }
}

/** Upstream: core validation.validateHostUsers. */
function* validateHostUsers(spec: JsonObject, at: FieldPath, { isOn }: Validation): Iterable<FieldError> {
  if (flag(spec, 'hostUsers') !== false) return;
  const detail = 'when `hostUsers` is false';
  if (flag(spec, 'hostNetwork') === true && !isOn('UserNamespacesHostNetworkSupport')) {
    yield forbidden(at.child('hostNetwork'), detail);
  }
  if (flag(spec, 'hostPID') === true) yield forbidden(at.child('HostPID'), detail);
  if (flag(spec, 'hostIPC') === true) yield forbidden(at.child('HostIPC'), detail);
  for (const it of containersOf(spec, at)) {
    if (records(it.container, 'volumeDevices').length > 0) yield forbidden(it.at.child('volumeDevices'), detail);
  }
}

function* validateNames(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  if (has(spec, 'hostnameOverride')) {
    const path = at.child('hostnameOverride');
    const name = text(spec, 'hostnameOverride');
    if (flag(spec, 'setHostnameAsFQDN') === true) {
      yield forbidden(path, 'may not be specified when setHostnameAsFQDN is true');
    }
    if (flag(spec, 'hostNetwork') === true) yield forbidden(path, 'may not be specified when hostNetwork is true');
    if (name.length > 64) yield tooLong(path, 64);
    yield* subdomain(name, path);
  }
  for (const field of ['serviceAccountName', 'nodeName', 'priorityClassName']) {
    const name = text(spec, field);
    for (const it of name === '' ? [] : dns1123SubdomainErrors(name)) yield invalid(at.child(field), name, it);
  }
  if (has(spec, 'runtimeClassName')) yield* subdomain(text(spec, 'runtimeClassName'), at.child('runtimeClassName'));
  const deadline = optionalInt(spec, 'activeDeadlineSeconds');
  if (deadline !== undefined && (deadline < 1 || deadline > 2_147_483_647)) {
    yield invalid(at.child('activeDeadlineSeconds'), deadline, 'must be between 1 and 2147483647, inclusive');
  }
  for (const field of ['hostname', 'subdomain']) {
    const name = text(spec, field);
    for (const it of name === '' ? [] : dns1123LabelErrors(name)) yield invalid(at.child(field), name, it);
  }
  for (const [i, alias] of records(spec, 'hostAliases').entries()) {
    const hostnames = Array.isArray(alias.hostnames) ? alias.hostnames : [];
    for (const [j, name] of hostnames.entries()) {
      yield* subdomain(String(name), at.child('hostAliases').index(i).child('hostnames').index(j));
    }
  }
}

/** Upstream: core validation.validateFileKeyRefVolumes. */
function* validateFileKeyVolumes(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const volumes = new Map(records(spec, 'volumes').map(it => [text(it, 'name'), it]));
  for (const it of containersOf(spec, at)) {
    for (const [i, variable] of records(it.container, 'env').entries()) {
      const reference = record(record(variable, 'valueFrom'), 'fileKeyRef');
      if (reference === undefined) continue;
      const name = text(reference, 'volumeName');
      const path = it.at.child('env').index(i).child('valueFrom', 'fileKeyRef', 'volumeName');
      if (!volumes.has(name)) yield notFound(path, name);
      else if (!has(volumes.get(name), 'emptyDir')) {
        yield invalid(path, name, 'referenced volume must be of type emptyDir');
      }
    }
  }
}

const SPEC = FieldPath.of('spec');

/** Upstream: pkg/registry/core/pod.podStrategy. */
export const podStrategy: KindStrategy = {
  defaults: pod => ({ ...pod, spec: defaultPod(defaultPodSpec(record(pod, 'spec') ?? {})) }),
  drop: pod => dropStatus(pod),
  validate: (pod, validation) => [...validatePod(pod, validation)],
};

/** Upstream: core validation.ValidatePodCreate. */
function* validatePod(pod: JsonObject, validation: Validation): Iterable<FieldError> {
  const spec = record(pod, 'spec') ?? {};
  yield* validateObjectMeta(pod, 'namespaced', validateNameFn.subdomain);
  yield* validatePodSpec(spec, SPEC, validation, 'pod', nameOf(record(pod, 'metadata')));
  const withAccount = text(spec, 'serviceAccountName') !== '';
  for (const [i, volume] of withAccount ? [] : records(spec, 'volumes').entries()) {
    for (const [j, source] of records(record(volume, 'projected'), 'sources').entries()) {
      if (!has(source, 'serviceAccountToken')) continue;
      const path = SPEC.child('volumes').index(i).child('projected', 'sources').index(j).child('serviceAccountToken');
      yield forbidden(path, 'must not be specified when serviceAccountName is not set');
    }
  }
  for (const type of ['containers', 'initContainers']) {
    for (const [i, it] of records(spec, type).entries()) yield* validateImageText(it, SPEC.child(type).index(i));
  }
  if (records(spec, 'ephemeralContainers').length > 0) {
    yield forbidden(SPEC.child('ephemeralContainers'), 'cannot be set on create');
  }
  if (text(spec, 'nodeName') !== '' && records(spec, 'schedulingGates').length > 0) {
    yield forbidden(SPEC.child('nodeName'), 'cannot be set until all schedulingGates have been cleared');
  }
}

/** What the server removes from `status` of an object on create. */
export function dropStatus(of: JsonObject) {
  const isWritten = Object.keys(record(of, 'status') ?? {}).length > 0;
  return isWritten ? { object: without(of, 'status'), dropped: [FieldPath.of('status')] } : { object: of, dropped: [] };
}
