import { quoted } from '../../../../base/quoted';

/** The types of the complete PEM blocks. */
function typesOf(pem: string): readonly string[] {
  const marks = [...pem.matchAll(/^-----(BEGIN|END) (.*)-----[ \t\r]*$/gm)].map(([, mark, type = '']) => ({
    mark,
    type,
  }));
  return marks.flatMap(({ mark, type }, i) => {
    const next = marks[i + 1];
    return mark === 'BEGIN' && next?.mark === 'END' && next.type === type ? [type] : [];
  });
}

/**
 * Go's error for PEM texts without a certificate or a key, at most one sentence. Whether the two can be parsed and
 * belong together is not checked. Upstream: crypto/tls.X509KeyPair.
 */
export function keyPairProblems(certificate: string, key: string): readonly string[] {
  const inCertificate = typesOf(certificate);
  const inKey = typesOf(key);
  if (!inCertificate.includes('CERTIFICATE')) {
    if (inCertificate.length === 0) return ['tls: failed to find any PEM data in certificate input'];
    const [only, ...others] = inCertificate;
    const switched = only?.endsWith('PRIVATE KEY') && others.length === 0;
    if (switched) {
      return [
        'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
      ];
    }
    return [`tls: failed to find ${quoted('CERTIFICATE')} PEM block in certificate input ${skipped(inCertificate)}`];
  }
  if (inKey.some(it => it === 'PRIVATE KEY' || it.endsWith(' PRIVATE KEY'))) return [];
  if (inKey.length === 0) return ['tls: failed to find any PEM data in key input'];
  if (inKey.length === 1 && inKey[0] === 'CERTIFICATE') {
    return ['tls: found a certificate rather than a key in the PEM for the private key'];
  }
  return [`tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input ${skipped(inKey)}`];
}

function skipped(types: readonly string[]): string {
  return `after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}
