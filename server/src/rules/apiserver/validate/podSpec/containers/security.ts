import { byteLength } from '../../../../../base/byteLength';
import type { JsonObject } from '../../../../../base/json';
import { numeric } from '../../../../../base/printed';
import { flag, items, optionalInt, optionalText, record, text, texts } from '../../../../../kube/goFields';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { type FieldError, invalid, notSupported, required, tooLong, type Validation } from '../../errors';
import { descendingPath, isPadded, oneOfIfSet } from '../../shared/checks';
import { validateSysctls } from '../sysctls';
import { validateWindowsOptions } from './windowsOptions';

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
export function* validatePodSecurityContext(
  spec: JsonObject,
  at: FieldPath,
  { isOn }: Validation,
): Iterable<FieldError> {
  const context = record(spec, 'securityContext');
  if (context === undefined) return;
  yield* validateIds(context, ['fsGroup', 'runAsUser', 'runAsGroup'], at);
  for (const [i, id] of items(context, 'supplementalGroups').entries()) {
    if (numeric(id) < 0 || numeric(id) > MOST) yield invalid(at.child('supplementalGroups').index(i), id, rangeText);
  }
  yield* validateSysctls(context, spec, at.child('sysctls'));
  yield* oneOfIfSet(context, 'fsGroupChangePolicy', at.child('fsGroupChangePolicy'), ['Always', 'OnRootMismatch']);
  yield* validateSeccomp(record(context, 'seccompProfile'), at.child('seccompProfile'));
  yield* validateWindowsOptions(record(context, 'windowsOptions'), at.child('windowsOptions'));
  yield* validateAppArmor(record(context, 'appArmorProfile'), at.child('appArmorProfile'));
  const groups = at.child('supplementalGroupsPolicy');
  yield* oneOfIfSet(context, 'supplementalGroupsPolicy', groups, ['Merge', 'Strict']);
  const changes = isOn('SELinuxMount') ? ['MountOption', 'Recursive'] : ['Recursive'];
  yield* oneOfIfSet(context, 'seLinuxChangePolicy', at.child('seLinuxChangePolicy'), changes);
}

const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** Upstream: core validation.validateSeccompProfileField. */
function* validateSeccomp(profile: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  if (profile === undefined) return;
  const type = text(profile, 'type');
  const local = optionalText(profile, 'localhostProfile');
  const path = at.child('localhostProfile');
  if (type === '') yield required(at.child('type'), 'type is required when seccompProfile is set');
  else if (!PROFILES.includes(type)) yield notSupported(at.child('type'), type, PROFILES);
  if (type === 'Localhost') {
    if (local === undefined) yield required(path, 'must be set when seccomp type is Localhost');
    else yield* descendingPath(local, path);
  } else if (local !== undefined) yield invalid(path, profile, 'can only be set when seccomp type is Localhost');
}

/** Upstream: core validation.ValidateAppArmorProfileField. */
function* validateAppArmor(profile: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  if (profile === undefined) return;
  const type = text(profile, 'type');
  const local = optionalText(profile, 'localhostProfile');
  const path = at.child('localhostProfile');
  if (type === '') yield required(at.child('type'), 'type is required when appArmorProfile is set');
  else if (!PROFILES.includes(type)) yield notSupported(at.child('type'), type, PROFILES);
  else if (type !== 'Localhost') {
    if (local !== undefined) yield invalid(path, local, 'can only be set when AppArmor type is Localhost');
  } else if (local === undefined || local === '') {
    yield required(path, 'must be set when AppArmor type is Localhost');
  } else {
    if (isPadded(local)) yield invalid(path, local, 'must not be padded with whitespace');
    if (byteLength(local) > 4095) yield tooLong(path, 4095);
  }
}
