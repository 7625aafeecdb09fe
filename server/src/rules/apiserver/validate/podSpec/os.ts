import type { JsonObject } from '../../../../base/json';
import { flag, has, items, record, text } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, notSupported, required } from '../errors';
import { containersOf } from './containers/containerLists';

/** Fields that a Pod may set for the operating system in `spec.os`. */

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
