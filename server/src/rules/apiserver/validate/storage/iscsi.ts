import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { runAtEnd } from '../../../../base/runAtEnd';
import { flag, has, int, optionalText, record, text } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, required } from '../errors';
import type { SourceHolder } from './sourceUnion';

/** The formats of a qualified name by its first letters. */
const formats: Readonly<Record<string, (name: string) => boolean>> = {
  iqn: isIqn,
  eui: name => /^eui.[a-zA-Z0-9]{16}$/.test(name),
  naa: name => /^naa.[a-zA-Z0-9]{32}$/.test(name),
};

/**
 * Upstream: iscsiInitiatorIqnRegex, which any part of the name may match, `iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$`.
 * It is looked for from the end, piece by piece between colons, as an expression of JavaScript is quadratic.
 */
function isIqn(name: string): boolean {
  const pieces = name.split(':');
  for (let i = pieces.length - 1; i > 0; i--) {
    if (/[,;*&$|\t\n\f\r ]/.test(pieces[i]!)) return false;
    const isEmpty = i === pieces.length - 1 && pieces[i] === '';
    if (!isEmpty && /iqn\.\d{4}-\d{2}\.[a-zA-Z0-9.-]/.test(runAtEnd(pieces[i - 1]!, /[a-zA-Z0-9.-]/))) return true;
  }
  return false;
}

function nameErrors(name: string, { kind }: SourceHolder, at: FieldPath): readonly FieldError[] {
  const format = formats[name.slice(0, 3)];
  if (format?.(name)) return [];
  const unknown = format === undefined && kind === 'pod' ? ' starting with iqn, eui, or naa' : '';
  return [invalid(at, name, `must be valid format${unknown}`)];
}

/** Upstream: validateISCSIVolumeSource, validateISCSIPersistentVolumeSource. */
export function* iscsiErrors(source: JsonObject, at: FieldPath, holder: SourceHolder): Iterable<FieldError> {
  const iqn = text(source, 'iqn');
  const lun = int(source, 'lun');
  const initiator = optionalText(source, 'initiatorName');
  const authenticates = flag(source, 'chapAuthDiscovery') === true || flag(source, 'chapAuthSession') === true;
  const secret = record(source, 'secretRef');
  if (text(source, 'targetPortal') === '') yield required(at.child('targetPortal'));
  if (holder.kind === 'persistentVolume') {
    yield* sessionNameErrors(source, holder.name, at.child('targetportal'), text(source, 'targetPortal'));
  }
  if (iqn === '') yield required(at.child('iqn'));
  else yield* nameErrors(iqn, holder, at.child('iqn'));
  if (lun < 0 || lun > 255) yield invalid(at.child('lun'), lun, 'must be between 0 and 255, inclusive');
  if (authenticates && secret === undefined) yield required(at.child('secretRef'));
  if (holder.kind === 'persistentVolume' && secret !== undefined && text(secret, 'name') === '') {
    yield required(at.child('secretRef', 'name'));
  }
  if (initiator !== undefined) yield* nameErrors(initiator, holder, at.child('initiatorname'));
}

/** The session name, composed of the volume's name and portal; upstream has one path for Pods and another elsewhere. */
export function sessionNameErrors(
  source: JsonObject,
  volumeName: string,
  at: FieldPath,
  value: string,
): readonly FieldError[] {
  if (!has(source, 'initiatorName') || byteLength(`${volumeName}:${text(source, 'targetPortal')}`) <= 64) return [];
  const limit = 'must be under 64 characters if iscsi.initiatorName is specified.';
  return [invalid(at, value, `Total length of <volume name>:<iscsi.targetPortal> ${limit}`)];
}
