import { byteLength } from '../../../../base/byteLength';
import { record, text } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, type KindStrategy, tooLong } from '../errors';
import { type NameFn, validateNameFn, validateObjectMeta } from '../metadata';
import { validateSignerName } from '../signers';
import { certificateKind } from './keys';
import { type PemBlock, pemBlocks } from './pem';

const SPEC = FieldPath.of('spec');
const LONGEST = 1024 * 1024;

/** Upstream: pkg/registry/certificates/clustertrustbundle and ValidateClusterTrustBundle. */
export const clusterTrustBundle: KindStrategy = {
  validate: object => {
    const spec = record(object, 'spec');
    const signer = text(spec, 'signerName');
    return [
      ...validateObjectMeta(object, 'cluster', nameFnOf(signer)),
      ...(signer === '' ? [] : validateSignerName(signer, SPEC.child('signerName'))),
      ...bundleErrors(text(spec, 'trustBundle'), SPEC.child('trustBundle')),
    ];
  },
};

/** Upstream: core validation.ValidateClusterTrustBundleName. */
function nameFnOf(signer: string): NameFn {
  if (signer === '') {
    const detail = 'ClusterTrustBundle without signer name must not have ":" in its name';
    return (name, use) => (name.includes(':') ? [detail] : validateNameFn.subdomain(name, use));
  }
  const prefix = `${signer.replaceAll('/', ':')}:`;
  const detail = `ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`;
  return (name, use) => (name.startsWith(prefix) ? validateNameFn.subdomain(name.slice(prefix.length), use) : [detail]);
}

/** Upstream: validateTrustBundle. */
function* bundleErrors(bundle: string, at: FieldPath): Iterable<FieldError> {
  if (byteLength(bundle) > LONGEST) {
    yield tooLong(at, LONGEST);
    return;
  }
  const blocks = pemBlocks(bundle);
  const problems = blocks.flatMap((it, i) => {
    const problem = blockProblem(it);
    return problem === undefined ? [] : [`entry ${i} ${problem}`];
  });
  if (problems.length === 0 && blocks.length === 0) problems.push('at least one trust anchor must be provided');
  for (const it of problems.length > 0 ? problems : repeatedBlocks(blocks)) yield invalid(at, '<value omitted>', it);
}

function blockProblem({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== 'CERTIFICATE') return `has bad block type: ${type}`;
  if (hasHeaders) return 'has PEM block headers';
  const kind = certificateKind(bytes);
  if (kind === 'no certificate') return 'does not parse as X.509';
  return kind === 'no CA' ? 'does not have the CA bit set' : undefined;
}

function repeatedBlocks(blocks: readonly PemBlock[]): readonly string[] {
  const indexes = new Map<string, number[]>();
  for (const [i, { bytes }] of blocks.entries()) {
    const key = Buffer.from(bytes).toString('base64');
    indexes.set(key, [...(indexes.get(key) ?? []), i]);
  }
  return [...indexes.values()]
    .filter(it => it.length > 1)
    .map(it => `duplicate trust anchor (indices [${it.join(' ')}])`);
}
