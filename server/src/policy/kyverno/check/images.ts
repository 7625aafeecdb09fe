import type { JsonObject } from '../../../base/json';
import { record, records, text, texts } from '../../../kube/goFields';
import type { FieldPath } from '../../../manifest/fieldPath';
import { variablesIn } from '../context/variables';
import { indeterminate, type LocatedRule, type Mistake, refused } from './mistake';

/** Mistakes in `verifyImages`, and the parts that need a registry. Upstream: ImageVerification.Validate. */
export function* wrongImages({ policy, rule, at }: LocatedRule): Iterable<Mistake> {
  const ofPolicy = text(policy.spec, 'validationFailureAction') || 'Audit';
  for (const [i, fields] of records(rule, 'verifyImages').entries()) {
    const location = at.child('verifyImages').index(i);
    const references = [...texts(fields, 'imageReferences'), text(fields, 'image')].filter(it => it !== '');
    if (references.length === 0) yield refused(location, 'An image reference is required.');
    if (references.some(it => variablesIn(it).length > 0))
      yield refused(location.child('imageReferences'), 'Variables are not allowed in image references.');
    const action = text(fields, 'failureAction') || ofPolicy;
    if (action.toLowerCase() === 'audit' && fields.mutateDigest !== false)
      yield refused(
        location,
        '`mutateDigest` has to be false where the failure action is Audit; it is on unless it is written.',
      );
    const sets = [fields, ...records(fields, 'attestations')];
    for (const [k, holder] of sets.entries()) {
      const inside = k === 0 ? location : location.child('attestations').index(k - 1);
      for (const [n, set] of records(holder, 'attestors').entries())
        yield* wrongAttestors(set, inside.child('attestors').index(n));
    }
    if (sets.some(it => records(it, 'attestors').length > 0) || sets.length > 1)
      yield indeterminate(
        location,
        'Signatures and attestations are not checked here: they take keys and a registry. Missing digests are told.',
      );
  }
}

function* wrongAttestors(set: JsonObject, at: FieldPath): Iterable<Mistake> {
  const entries = records(set, 'entries');
  if (entries.length === 0) yield refused(at, 'A set of attestors needs an entry at least.');
  if (typeof set.count === 'number' && set.count > entries.length)
    yield refused(at.child('count'), 'The count cannot exceed the number of entries.');
  for (const [i, entry] of entries.entries()) {
    const location = at.child('entries').index(i);
    const kinds = ['keys', 'certificates', 'keyless', 'attestor'].filter(it => record(entry, it) !== undefined);
    if (kinds.length !== 1)
      yield refused(location, 'One of keys, certificates, keyless, or a nested attestor is required.');
    const [keys, certificates, keyless] = ['keys', 'certificates', 'keyless'].map(it => record(entry, it));
    if (keys !== undefined && !hasAny(keys, ['publicKeys', 'kms', 'secret']))
      yield refused(location.child('keys'), 'A public key, a KMS key or a secret is required.');
    if (certificates !== undefined && !hasAny(certificates, ['cert', 'certChain']))
      yield refused(location.child('certificates'), '`cert` or `certChain` is required.');
    if (keyless !== undefined && !hasAny(keyless, ['rekor', 'roots']))
      yield refused(location.child('keyless'), 'Either the URL of Rekor or roots are required.');
    const nested = record(entry, 'attestor');
    if (nested !== undefined) yield* wrongAttestors(nested, location.child('attestor'));
  }
}

const hasAny = (fields: JsonObject, names: readonly string[]): boolean =>
  names.some(it => record(fields, it) !== undefined || text(fields, it) !== '');
