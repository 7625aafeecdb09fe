import type { JsonObject } from '../../../../../base/json';
import { record, records, text, texts } from '../../../../../kube/goFields';
import type { Kube } from '../../../../../kube/kube';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { addressWarningsOf } from '../../shared/addresses';

/** Repeated and empty entries. */
export function repetitionWarnings(spec: JsonObject, at: FieldPath): readonly string[] {
  const aliases = records(spec, 'hostAliases').map(it => text(it, 'ip'));
  const secrets = records(spec, 'imagePullSecrets').map(it => text(it, 'name'));
  const secretPath = (i: number) => at.child('imagePullSecrets').index(i).child('name');
  return [
    ...repeated(aliases).map(i => `${aliasPath(at, i)}: duplicate ip ${JSON.stringify(aliases[i])}`),
    ...repeated(secrets).map(i => `${secretPath(i)}: duplicate name ${JSON.stringify(secrets[i])}`),
    ...secrets.flatMap((it, i) => (it === '' ? [`${secretPath(i)}: invalid empty name ""`] : [])),
  ];
}

/** Addresses in a non-canonical form. */
export function addressWarnings(spec: JsonObject, at: FieldPath, kube: Kube): readonly string[] {
  const warningsOf = addressWarningsOf(kube);
  const servers = at.child('dnsConfig', 'nameservers');
  return [
    ...texts(record(spec, 'dnsConfig'), 'nameservers').flatMap((it, i) =>
      warningsOf.ip(it).map(warning => `${servers.index(i)}: ${warning}`),
    ),
    ...records(spec, 'hostAliases').flatMap((it, i) =>
      warningsOf.ip(text(it, 'ip')).map(warning => `${aliasPath(at, i)}: ${warning}`),
    ),
  ];
}

function aliasPath(at: FieldPath, i: number): FieldPath {
  return at.child('hostAliases').index(i).child('ip');
}

/** The indexes of values that occur earlier, too. */
function repeated(values: readonly string[]): readonly number[] {
  const seen = new Set<string>();
  return values.flatMap((it, i) => {
    if (seen.has(it)) return [i];
    seen.add(it);
    return [];
  });
}
