import type { JsonObject } from '../../../../base/json';
import { parseUrl } from '../../../../kube/cel/url';
import { optionalText, record, text, texts } from '../../../../kube/goFields';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, notSupported, required } from '../errors';

const SPEC = FieldPath.of('spec');
const NAMES = SPEC.child('names');

/** A DNS label, as one error for all that is wrong with it. */
export function* labelError(value: string, at: FieldPath): Iterable<FieldError> {
  const problems = dns1035LabelErrors(value);
  if (problems.length > 0) yield invalid(at, value, problems.join(','));
}

/** Upstream: the first checks of validateCustomResourceDefinitionSpec. */
export function* groupAndScopeErrors(spec: JsonObject): Iterable<FieldError> {
  const group = text(spec, 'group');
  const problems = dns1123SubdomainErrors(group);
  const at = SPEC.child('group');
  if (group === '') yield required(at);
  else if (problems.length > 0) yield invalid(at, group, problems.join(','));
  else if (!group.includes('.')) yield invalid(at, group, 'should be a domain with at least one dot');
  const scope = text(spec, 'scope');
  if (scope === '') yield required(SPEC.child('scope'));
  else if (scope !== 'Cluster' && scope !== 'Namespaced') {
    yield notSupported(SPEC.child('scope'), scope, ['Cluster', 'Namespaced']);
  }
}

/** Upstream: ValidateCustomResourceDefinitionNames, and the names that a spec needs. */
export function* nameErrors(spec: JsonObject): Iterable<FieldError> {
  const names = record(spec, 'names');
  for (const it of ['plural', 'singular', 'kind', 'listKind']) {
    if (text(names, it) === '') yield required(NAMES.child(it));
  }
  for (const it of ['plural', 'singular']) {
    const name = text(names, it);
    if (name !== '') yield* labelError(name, NAMES.child(it));
  }
  for (const it of ['kind', 'listKind']) {
    const name = text(names, it);
    const problems = dns1035LabelErrors(name.toLowerCase());
    if (name === '' || problems.length === 0) continue;
    yield invalid(NAMES.child(it), name, `may have mixed case, but should otherwise match: ${problems.join(',')}`);
  }
  const kind = text(names, 'kind');
  if (kind !== '' && kind === text(names, 'listKind')) {
    yield invalid(NAMES.child('listKind'), kind, 'kind and listKind may not be the same');
  }
  for (const list of ['shortNames', 'categories']) {
    for (const [i, it] of texts(names, list).entries()) yield* labelError(it, NAMES.child(list).index(i));
  }
}

const APPROVED = 'api-approved.kubernetes.io';
const PULL = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Groups of Kubernetes itself need an approval. Upstream: validateAPIApproval. */
export function* approvalErrors(object: JsonObject): Iterable<FieldError> {
  const group = text(record(object, 'spec'), 'group');
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group)) return;
  const annotation = optionalText(record(record(object, 'metadata'), 'annotations'), APPROVED) ?? '';
  const at = FieldPath.of('metadata', 'annotations').key(APPROVED);
  if (annotation === '') {
    yield required(at, `protected groups must have approval annotation "${APPROVED}", ${PULL}`);
    return;
  }
  const url = parseUrl(annotation);
  if (annotation.startsWith('unapproved') || (url !== undefined && url.host !== '' && url.scheme !== '')) return;
  yield invalid(
    at,
    annotation,
    `protected groups must have approval annotation "${APPROVED}" with either a URL or a reason starting with "unapproved", ${PULL}`,
  );
}
