import { byteLength } from '../../../../../base/byteLength';
import type { JsonObject } from '../../../../../base/json';
import { optionalText } from '../../../../../kube/goFields';
import { dns1123SubdomainErrors } from '../../../../../kube/names';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { type FieldError, invalid, invalids } from '../../errors';

/** Upstream: core validation.validateWindowsSecurityContextOptions. */
export function* validateWindowsOptions(options: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  const specName = optionalText(options, 'gmsaCredentialSpecName');
  const spec = optionalText(options, 'gmsaCredentialSpec');
  const user = optionalText(options, 'runAsUserName');
  if (specName !== undefined) {
    yield* invalids(at.child('gmsaCredentialSpecName'), specName, dns1123SubdomainErrors(specName));
  }
  if (spec === '') yield invalid(at.child('gmsaCredentialSpec'), spec, 'gmsaCredentialSpec cannot be an empty string');
  else if (spec !== undefined && byteLength(spec) > 64 * 1024) {
    yield invalid(at.child('gmsaCredentialSpec'), spec, 'gmsaCredentialSpec size must be under 64 KiB');
  }
  if (user !== undefined) yield* invalids(at.child('runAsUserName'), user, userProblems(user));
}

function userProblems(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if ([...name].some(it => it < ' ' || it === '\x7f')) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? parts[0] : undefined;
  const isDomain = domain === undefined || NET_BIOS.test(domain) || DNS_DOMAIN.test(domain);
  const length = byteLength(user);
  return [
    ...(byteLength(domain ?? '') >= 256 ? ["runAsUserName's Domain length must be under 256 characters"] : []),
    ...(isDomain ? [] : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
    ...(length === 0 ? ["runAsUserName's User cannot be empty"] : []),
    ...(length > 104 ? ["runAsUserName's User length must not be longer than 104 characters"] : []),
    ...(/^[. ]+$/.test(user) ? ["runAsUserName's User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? ['runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]']
      : []),
  ];
}

const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS_DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
