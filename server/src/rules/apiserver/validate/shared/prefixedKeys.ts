import { runAtEnd } from '../../../../base/runAtEnd';
import { qualifiedNameErrors } from '../../../../kube/names';

/** Upstream: core v1 ValidateForbiddenReservedDomainSuffixes. */
export function reservedErrors(name: string): readonly string[] {
  const written = (name.split('/')[0] ?? '').toLowerCase().trim();
  const domain = written.slice(0, written.length - runAtEnd(written, /\./).length);
  const isReserved = /(^|\.)(k8s|kubernetes)\.io$/.test(domain);
  return isReserved ? ['domain names *.k8s.io, *.kubernetes.io are reserved'] : [];
}

/** Upstream: content.IsPrefixedLabelKey. */
export function prefixedKeyErrors(name: string): readonly string[] {
  const errors = qualifiedNameErrors(name);
  if (errors.length > 0) return errors;
  return name.includes('/') ? [] : ["must include a prefix (e.g. 'example.com/key')"];
}
