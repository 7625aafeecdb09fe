import { dns1123SubdomainErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../manifest/manifest';
import { duplicate, type FieldError, forbidden, invalid, notSupported, required, tooLong } from '../errors';
import { flag, get, has, items, optionalInt, record, records, text, texts } from '../read';
import { descendingPath, oneOfIfSet } from './checks';

const MOST = 2_147_483_647;

function* validateIds(of: JsonObject, fields: readonly string[], at: FieldPath): Iterable<FieldError> {
  for (const field of fields) {
    const id = optionalInt(of, field);
    if (id !== undefined && (id < 0 || id > MOST)) yield invalid(at.child(field), id, rangeText);
  }
}
const rangeText = `must be between 0 and ${MOST}, inclusive`;

/** Upstream: core validation.ValidateSecurityContext, with privileged containers allowed. */
export function* validateSecurityContext(
  context: JsonObject | undefined,
  at: FieldPath,
  users: 'host' | 'own',
): Iterable<FieldError> {
  if (context === undefined) return;
  yield* validateIds(context, ['runAsUser', 'runAsGroup'], at);
  yield* oneOfIfSet(context, 'procMount', at.child('procMount'), ['Default', 'Unmasked']);
  if (users === 'host' && text(context, 'procMount') === 'Unmasked') {
    yield invalid(at.child('procMount'), 'Unmasked', '`hostUsers` must be false to use `Unmasked`');
  }
  yield* validateSeccomp(record(context, 'seccompProfile'), at.child('seccompProfile'));
  if (flag(context, 'allowPrivilegeEscalation') === false) {
    if (flag(context, 'privileged') === true) {
      yield invalid(at, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
    }
    for (const it of texts(record(context, 'capabilities'), 'add')) {
      if (it !== 'CAP_SYS_ADMIN') continue;
      yield invalid(at, context, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN');
    }
  }
  yield* validateWindowsOptions(record(context, 'windowsOptions'), at.child('windowsOptions'));
  yield* validateAppArmor(record(context, 'appArmorProfile'), at.child('appArmorProfile'));
}

/** Upstream: core validation.validatePodSpecSecurityContext. */
export function* validatePodSecurityContext(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const context = record(spec, 'securityContext');
  if (context === undefined) return;
  yield* validateIds(context, ['fsGroup', 'runAsUser', 'runAsGroup'], at);
  for (const [i, id] of items(context, 'supplementalGroups').entries()) {
    if (Number(id) < 0 || Number(id) > MOST) yield invalid(at.child('supplementalGroups').index(i), id, rangeText);
  }
  yield* validateSysctls(context, spec, at.child('sysctls'));
  yield* oneOfIfSet(context, 'fsGroupChangePolicy', at.child('fsGroupChangePolicy'), ['Always', 'OnRootMismatch']);
  yield* validateSeccomp(record(context, 'seccompProfile'), at.child('seccompProfile'));
  yield* validateWindowsOptions(record(context, 'windowsOptions'), at.child('windowsOptions'));
  yield* validateAppArmor(record(context, 'appArmorProfile'), at.child('appArmorProfile'));
  const groups = at.child('supplementalGroupsPolicy');
  yield* oneOfIfSet(context, 'supplementalGroupsPolicy', groups, ['Merge', 'Strict']);
  yield* oneOfIfSet(context, 'seLinuxChangePolicy', at.child('seLinuxChangePolicy'), ['MountOption', 'Recursive']);
}

/** Upstream: core validation.validateSeccompProfileField. */
function* validateSeccomp(profile: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  if (profile === undefined) return;
  const type = text(profile, 'type');
  const choices = ['Localhost', 'RuntimeDefault', 'Unconfined'];
  if (type === '') yield required(at.child('type'), 'type is required when seccompProfile is set');
  else if (!choices.includes(type)) yield notSupported(at.child('type'), type, choices);
  const local = get(profile, 'localhostProfile');
  const path = at.child('localhostProfile');
  if (type === 'Localhost') {
    if (local === undefined) yield required(path, 'must be set when seccomp type is Localhost');
    else yield* descendingPath(String(local), path);
  } else if (local !== undefined) yield invalid(path, profile, 'can only be set when seccomp type is Localhost');
}

/** Upstream: core validation.ValidateAppArmorProfileField. */
function* validateAppArmor(profile: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  if (profile === undefined) return;
  const type = text(profile, 'type');
  const choices = ['Localhost', 'RuntimeDefault', 'Unconfined'];
  const local = get(profile, 'localhostProfile');
  const path = at.child('localhostProfile');
  if (type === '') yield required(at.child('type'), 'type is required when appArmorProfile is set');
  else if (!choices.includes(type)) yield notSupported(at.child('type'), type, choices);
  else if (type !== 'Localhost') {
    if (local !== undefined) yield invalid(path, local, 'can only be set when AppArmor type is Localhost');
  } else if (typeof local !== 'string') yield required(path, 'must be set when AppArmor type is Localhost');
  else {
    if (local.trim() !== local) yield invalid(path, local, 'must not be padded with whitespace');
    else if (local === '') yield required(path, 'must be set when AppArmor type is Localhost');
    if (local.length > 4095) yield tooLong(path, 4095);
  }
}

const SYSCTL = /^[a-z0-9]([-_a-z0-9]*[a-z0-9])?([./][a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/;

/** Upstream: core validation.validateSysctls, ValidateHostSysctl. */
function* validateSysctls(context: JsonObject, spec: JsonObject, listPath: FieldPath): Iterable<FieldError> {
  const names = records(context, 'sysctls').map(it => text(it, 'name'));
  for (const [i, name] of names.entries()) {
    const at = listPath.index(i).child('name');
    if (name === '') yield required(at);
    else if (name.length > 253 || !SYSCTL.test(name)) {
      const part = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
      yield invalid(at, name, `must have at most 253 characters and match regex ^(${part}[\\./])*${part}$`);
    } else if (names.indexOf(name) !== i) yield duplicate(at, name);
    const dotted = name.replaceAll('/', '.');
    if (flag(spec, 'hostNetwork') === true && dotted.startsWith('net.')) {
      yield invalid(at, name, "may not be specified when 'hostNetwork' is true");
    } else if (flag(spec, 'hostIPC') === true && /^(kernel\.(shm|msg)|kernel\.sem$|fs\.mqueue\.)/.test(dotted)) {
      yield invalid(at, name, "may not be specified when 'hostIPC' is true");
    }
  }
}

/** Upstream: core validation.validateWindowsSecurityContextOptions. */
function* validateWindowsOptions(options: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  const specName = get(options, 'gmsaCredentialSpecName');
  if (typeof specName === 'string') {
    for (const it of dns1123SubdomainErrors(specName)) yield invalid(at.child('gmsaCredentialSpecName'), specName, it);
  }
  const spec = get(options, 'gmsaCredentialSpec');
  if (spec === '') yield invalid(at.child('gmsaCredentialSpec'), spec, 'gmsaCredentialSpec cannot be an empty string');
  else if (typeof spec === 'string' && spec.length > 64 * 1024) {
    yield invalid(at.child('gmsaCredentialSpec'), spec, 'gmsaCredentialSpec size must be under 64 KiB');
  }
  const user = get(options, 'runAsUserName');
  if (typeof user !== 'string') return;
  for (const it of windowsUserProblems(user)) yield invalid(at.child('runAsUserName'), user, it);
}

function windowsUserProblems(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if ([...name].some(it => it < ' ' || it === '\x7f')) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const isDomain = domain === undefined || NET_BIOS.test(domain) || DNS_DOMAIN.test(domain);
  return [
    ...((domain ?? '').length >= 256 ? ["runAsUserName's Domain length must be under 256 characters"] : []),
    ...(isDomain ? [] : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
    ...(user === '' ? ["runAsUserName's User cannot be empty"] : []),
    ...(user.length > 104 ? ["runAsUserName's User length must not be longer than 104 characters"] : []),
    ...(/^[. ]+$/.test(user) ? ["runAsUserName's User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? ['runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]']
      : []),
  ];
}
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const DNS_DOMAIN = /^[a-zA-Z0-9][a-zA-Z0-9-.]+[a-zA-Z0-9]$/;

const NOT_ON_WINDOWS = {
  pod: [
    'appArmorProfile',
    'seLinuxOptions',
    'seccompProfile',
    'fsGroup',
    'fsGroupChangePolicy',
    'sysctls',
    'runAsUser',
    'runAsGroup',
    'supplementalGroups',
    'supplementalGroupsPolicy',
    'seLinuxChangePolicy',
  ],
  container: [
    'appArmorProfile',
    'seLinuxOptions',
    'seccompProfile',
    'capabilities',
    'readOnlyRootFilesystem',
    'privileged',
    'allowPrivilegeEscalation',
    'procMount',
    'runAsUser',
    'runAsGroup',
  ],
};

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

/** Every container with its path, in the order of upstream's VisitContainersWithPath. */
export function containersOf(spec: JsonObject, at: FieldPath): readonly { container: JsonObject; at: FieldPath }[] {
  return CONTAINER_LISTS.flatMap(name =>
    records(spec, name).map((container, i) => ({ container, at: at.child(name).index(i) })),
  );
}

/** Upstream: core validation.validateOS, validateLinux, validateWindows. */
export function* validateOs(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const os = record(spec, 'os');
  if (os === undefined) return;
  const name = text(os, 'name');
  if (name === '') yield required(at.child('os', 'name'));
  else if (name !== 'linux' && name !== 'windows') yield notSupported(at.child('os'), name, ['linux', 'windows']);
  if (name === 'linux') {
    const contexts = [{ container: spec, at }, ...containersOf(spec, at)];
    for (const it of contexts) {
      if (!has(record(it.container, 'securityContext'), 'windowsOptions')) continue;
      const path = it.at.child('securityContext', 'windowsOptions');
      yield forbidden(path, 'windows options cannot be set for a linux pod');
    }
  }
  if (name !== 'windows') return;
  const detail = 'cannot be set for a windows pod';
  for (const field of NOT_ON_WINDOWS.pod) {
    const context = record(spec, 'securityContext');
    const isSet = field === 'sysctls' ? items(context, field).length > 0 : has(context, field);
    if (isSet) yield forbidden(at.child('securityContext', field), detail);
  }
  for (const field of ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace']) {
    const isSet = /^host(PID|IPC)$/.test(field) ? flag(spec, field) === true : has(spec, field);
    if (isSet) yield forbidden(at.child(field), detail);
  }
  for (const it of containersOf(spec, at)) {
    for (const field of NOT_ON_WINDOWS.container) {
      if (has(record(it.container, 'securityContext'), field)) {
        yield forbidden(it.at.child('securityContext', field), detail);
      }
    }
  }
}

/** Upstream: core validation.validateWindowsHostProcessPod, with privileged containers allowed. */
export function* validateHostProcess(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const ofPod = flag(record(record(spec, 'securityContext'), 'windowsOptions'), 'hostProcess');
  const containers = containersOf(spec, at);
  const values = containers.map(it =>
    flag(record(record(it.container, 'securityContext'), 'windowsOptions'), 'hostProcess'),
  );
  for (const [i, value] of values.entries()) {
    if (ofPod === undefined || value === undefined || value === ofPod) continue;
    const path = (containers[i]?.at ?? at).child('securityContext', 'windowsOptions', 'hostProcess');
    yield invalid(path, value, `pod hostProcess value must be identical if both are specified, was ${ofPod}`);
  }
  const count = values.filter(it => it ?? ofPod === true).length;
  if (count === 0) return;
  if (count !== containers.length) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    yield invalid(at, '', detail);
  }
  if (flag(spec, 'hostNetwork') !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    yield invalid(at.child('hostNetwork'), false, detail);
  }
}
