import { ipWarnings } from '../../../../../kube/ip';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../../manifest/manifest';
import { record, records, text, texts } from '../../read';

/** Entries that stand there twice or say nothing, and addresses that are written in an odd way. */
export function networkWarnings(spec: JsonObject, at: FieldPath): readonly string[] {
  const aliases = records(spec, 'hostAliases').map(it => text(it, 'ip'));
  const aliasPath = (i: number) => at.child('hostAliases').index(i).child('ip');
  const secrets = records(spec, 'imagePullSecrets').map(it => text(it, 'name'));
  const secretPath = (i: number) => at.child('imagePullSecrets').index(i).child('name');
  const servers = at.child('dnsConfig', 'nameservers');
  return [
    ...repeated(aliases).map(i => `${aliasPath(i)}: duplicate ip ${JSON.stringify(aliases[i])}`),
    ...repeated(secrets).map(i => `${secretPath(i)}: duplicate name ${JSON.stringify(secrets[i])}`),
    ...secrets.flatMap((it, i) => (it === '' ? [`${secretPath(i)}: invalid empty name ""`] : [])),
    ...texts(record(spec, 'dnsConfig'), 'nameservers').flatMap((it, i) =>
      ipWarnings(it).map(warning => `${servers.index(i)}: ${warning}`),
    ),
    ...aliases.flatMap((it, i) => ipWarnings(it).map(warning => `${aliasPath(i)}: ${warning}`)),
  ];
}

/** The indexes of what stood there before. */
function repeated(values: readonly string[]): readonly number[] {
  const seen = new Set<string>();
  return values.flatMap((it, i) => {
    if (seen.has(it)) return [i];
    seen.add(it);
    return [];
  });
}
