import { byteLength } from '../../../base/byteLength';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../../kube/names';
import type { FieldPath } from '../../../manifest/fieldPath';
import { type FieldError, invalid, required, tooLong } from './errors';

/** Names of certificate signers. Upstream: pkg/apis/core/validation/names.go. */

const LONGEST_DOMAIN = 253;
const LONGEST_NAME = LONGEST_DOMAIN + 1 + 253 + 63 + 1;

/** Upstream: ValidateSignerName. */
export function* validateSignerName(name: string, at: FieldPath): Iterable<FieldError> {
  if (name === '') {
    yield required(at);
    return;
  }
  const [domain = '', path, ...others] = name.split('/');
  if (path === undefined || others.length > 0) {
    yield invalid(at, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
    return;
  }
  if (byteLength(domain) > LONGEST_DOMAIN) yield tooLong(at, LONGEST_DOMAIN);
  yield* firstWrongPart(domain, dns1123LabelErrors, at);
  if (!domain.includes('.')) {
    yield invalid(at, domain, 'should be a domain with at least two segments separated by dots');
  }
  yield* firstWrongPart(path, dns1123SubdomainErrors, at);
  if (byteLength(name) > LONGEST_NAME) yield tooLong(at, LONGEST_NAME);
}

type Messages = (part: string) => readonly string[];

function firstWrongPart(value: string, messages: Messages, at: FieldPath): readonly FieldError[] {
  const wrong = value.split('.').find(it => messages(it).length > 0);
  if (wrong === undefined) return [];
  return messages(wrong).map(it => invalid(at, value, `validating label ${JSON.stringify(wrong)}: ${it}`));
}

/** Whether the signer belongs to Kubernetes. Upstream: IsKubernetesSignerName. */
export function isKubernetesSigner(name: string): boolean {
  return `.${name.split('/')[0]}`.endsWith('.kubernetes.io');
}

/**
 * Errors of a bundle's name in another object: the part before the last colon is the signer's name. Upstream:
 * ValidateClusterTrustBundleName with extractSignerNameFromClusterTrustBundleName.
 */
export function clusterTrustBundleNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  return bundleNameMessages(name).map(it => invalid(at, name, `not a valid clustertrustbundlename: ${it}`));
}

function bundleNameMessages(name: string): readonly string[] {
  if (!name.includes(':')) return dns1123SubdomainErrors(name);
  const signer = name.slice(0, name.lastIndexOf(':')).replaceAll(':', '/');
  const prefix = `${signer.replaceAll('/', ':')}:`;
  if (signer === '') return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  if (!name.startsWith(prefix)) {
    return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
  }
  return dns1123SubdomainErrors(name.slice(prefix.length));
}
