import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { flag, records, text } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalid, required } from '../errors';

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const PATTERN = `^(${SEGMENT}[\\./])*${SEGMENT}$`;
const NAME = new RegExp(PATTERN);

/** Upstream: core validation.validateSysctls. */
export function* validateSysctls(context: JsonObject, spec: JsonObject, list: FieldPath): Iterable<FieldError> {
  const names = records(context, 'sysctls').map(it => text(it, 'name'));
  const repeated = repeatedAt(names);
  for (const [i, name] of names.entries()) {
    const at = list.index(i).child('name');
    if (name === '') yield required(at);
    else if (name.length > 253 || !NAME.test(name)) {
      yield invalid(at, name, `must have at most 253 characters and match regex ${PATTERN}`);
    } else if (repeated.has(i)) yield duplicate(at, name);
    yield* validateOwnNamespace(name, spec, at);
  }
}

/** Upstream: core validation.ValidateHostSysctl. */
function* validateOwnNamespace(name: string, spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const namespace = namespaceOf(normalized(name).split('*')[0] ?? '');
  if (namespace === 'net' && flag(spec, 'hostNetwork') === true) {
    yield invalid(at, name, "may not be specified when 'hostNetwork' is true");
  } else if (namespace === 'ipc' && flag(spec, 'hostIPC') === true) {
    yield invalid(at, name, "may not be specified when 'hostIPC' is true");
  }
}

/** `.` and `/` are swapped if the first separator is a slash. Upstream: sysctl.NormalizeName. */
function normalized(name: string): string {
  if (/[./]/.exec(name)?.[0] !== '/') return name;
  return name.replace(/[./]/g, it => (it === '.' ? '/' : '.'));
}

const OF_IPC: ReadonlySet<string> = new Set(
  ['sem', 'shmall', 'shmmax', 'shmmni', 'shm_rmid_forced', 'shm', 'msgmax', 'msgmnb', 'msgmni', 'msg'].map(
    it => `kernel.${it}`,
  ),
);

/** Upstream: sysctl.GetNamespace of component-helpers; the kernel namespaces that a Pod can share with its host. */
function namespaceOf(name: string): 'net' | 'ipc' | undefined {
  if (OF_IPC.has(name) || name.startsWith('fs.mqueue.')) return 'ipc';
  return name.startsWith('net.') ? 'net' : undefined;
}
