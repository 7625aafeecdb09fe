import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import {
  get,
  has,
  int,
  mapField,
  optionalText,
  record,
  records,
  text,
  texts,
  withDefault,
} from '../../../../kube/goFields';
import { parseIp } from '../../../../kube/ip';
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  portNameErrors,
  portNumberErrors,
  wildcardDns1123SubdomainErrors,
} from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import {
  type FieldError,
  forbidden,
  invalid,
  invalids,
  type KindStrategy,
  notSupported,
  required,
  tooLong,
  type Validation,
} from '../errors';
import { validateKindMeta } from '../kindMeta';
import { pathSegmentErrors } from '../metadata';
import { domainPrefixedPath, label, oneOfIfSet, subdomain } from '../shared/checks';
import { dropStatus } from '../shared/drops';
import { annotationsOf } from '../shared/labels';

/** Upstream: pkg/apis/networking/validation. */

const SPEC = FieldPath.of('spec');
const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** Upstream: ValidateIngressCreate. */
export const ingressStrategy: KindStrategy = {
  drop: dropStatus,
  *validate(object, validation) {
    yield* validateKindMeta(object, 'networking.k8s.io/Ingress');
    yield* validateIngressSpec(record(object, 'spec'), validation);
    const annotation = optionalText(annotationsOf(object), CLASS_ANNOTATION);
    const name = optionalText(record(object, 'spec'), 'ingressClassName');
    if (annotation === undefined || name === undefined || annotation === name) return;
    const at = FieldPath.of('annotations', CLASS_ANNOTATION);
    yield invalid(at, annotation, 'must match `ingressClassName` when both are specified');
  },
  warn: object => {
    if (!has(annotationsOf(object), CLASS_ANNOTATION) || has(record(object, 'spec'), 'ingressClassName')) return [];
    return [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`];
  },
};

/** Upstream: ValidateIngressSpec. */
function* validateIngressSpec(spec: JsonObject | undefined, validation: Validation): Iterable<FieldError> {
  const rules = records(spec, 'rules');
  const backend = record(spec, 'defaultBackend');
  if (rules.length === 0 && backend === undefined) {
    yield invalid(SPEC, get(spec, 'rules') ?? null, 'either `defaultBackend` or `rules` must be specified');
  }
  if (backend !== undefined) yield* validateBackend(backend, SPEC.child('defaultBackend'), validation);
  for (const [i, rule] of rules.entries()) yield* validateIngressRule(rule, SPEC.child('rules').index(i), validation);
  for (const [i, tls] of records(spec, 'tls').entries()) yield* validateTls(tls, SPEC.child('tls').index(i));
  const name = optionalText(spec, 'ingressClassName');
  if (name !== undefined) yield* subdomain(name, SPEC.child('ingressClassName'));
}

function* validateIngressRule(rule: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  const host = text(rule, 'host');
  const hostAt = at.child('host');
  if (host !== '' && parseIp(host) !== undefined) {
    yield invalid(hostAt, host, 'must be a DNS name, not an IP address');
  }
  if (host !== '') yield* invalids(hostAt, host, hostErrors(host));
  const http = record(rule, 'http');
  if (http === undefined) return;
  const pathsAt = at.child('http', 'paths');
  const paths = records(http, 'paths');
  if (paths.length === 0) yield required(pathsAt);
  for (const [i, path] of paths.entries()) yield* validatePath(path, pathsAt.index(i), validation);
}

const hostErrors = (host: string): readonly string[] =>
  host.includes('*') ? wildcardDns1123SubdomainErrors(host) : dns1123SubdomainErrors(host);

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const refusedSequences = ['//', '/./', '/../', '%2f', '%2F'];
const refusedSuffixes = ['/..', '/.'];

/** Upstream: validateHTTPIngressPath, which does not look at the backend of a path without a type. */
function* validatePath(path: JsonObject, at: FieldPath, validation: Validation): Iterable<FieldError> {
  const type = optionalText(path, 'pathType');
  const value = text(path, 'path');
  if (type === undefined) {
    yield required(at.child('pathType'), 'pathType must be specified');
    return;
  }
  if (!pathTypes.includes(type)) yield notSupported(at.child('pathType'), type, pathTypes);
  else yield* invalids(at.child('path'), value, pathErrors(type, value));
  yield* validateBackend(record(path, 'backend'), at.child('backend'), validation);
}

function pathErrors(type: string, path: string): readonly string[] {
  const relative = path.startsWith('/') ? [] : ['must be an absolute path'];
  if (type === 'ImplementationSpecific') return path === '' ? [] : relative;
  return [
    ...relative,
    ...refusedSequences.filter(it => path.includes(it)).map(it => `must not contain '${it}'`),
    ...refusedSuffixes.filter(it => path.endsWith(it)).map(it => `cannot end with '${it}'`),
  ];
}

/** Upstream: validateIngressBackend. */
function* validateBackend(backend: JsonObject | undefined, at: FieldPath, { isOn }: Validation): Iterable<FieldError> {
  const resource = record(backend, 'resource');
  const service = record(backend, 'service');
  if (resource !== undefined && service !== undefined) {
    yield invalid(at, '', 'cannot set both resource and service backends');
  } else if (resource !== undefined) yield* validateReference(resource, at.child('resource'));
  else if (service === undefined) yield invalid(at, '', 'resource or service backend is required');
  else {
    const name = text(service, 'name');
    const nameAt = at.child('service', 'name');
    const errorsOf = isOn('RelaxedServiceNameValidation') ? dns1123LabelErrors : dns1035LabelErrors;
    if (name === '') yield required(nameAt);
    else yield* invalids(nameAt, name, errorsOf(name));
    yield* validateBackendPort(record(service, 'port'), at);
  }
}

function* validateBackendPort(port: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  const name = text(port, 'name');
  const number = int(port, 'number');
  if (name !== '' && number !== 0) yield invalid(at, '', 'cannot set both port name & port number');
  else if (name !== '') yield* invalids(at.child('service', 'port', 'name'), name, portNameErrors(name));
  else if (number !== 0) yield* invalids(at.child('service', 'port', 'number'), number, portNumberErrors(number));
  else yield required(at, 'port name or number is required');
}

function* validateTls(tls: JsonObject, at: FieldPath): Iterable<FieldError> {
  for (const [i, host] of texts(tls, 'hosts').entries()) {
    yield* invalids(at.child('hosts').index(i), host, hostErrors(host));
  }
  const secret = text(tls, 'secretName');
  if (secret !== '') yield* subdomain(secret, at.child('secretName'));
}

/** Upstream: validateIngressTypedLocalObjectReference. */
function* validateReference(reference: JsonObject, at: FieldPath): Iterable<FieldError> {
  const group = optionalText(reference, 'apiGroup');
  if (group !== undefined) yield* subdomain(group, at.child('apiGroup'));
  for (const field of ['kind', 'name']) {
    const value = text(reference, field);
    if (value === '') yield required(at.child(field));
    else yield* invalids(at.child(field), value, pathSegmentErrors(value));
  }
}

const longestController = 250;

/** Upstream: ValidateIngressClass and SetDefaults_IngressClass. */
export const ingressClassStrategy: KindStrategy = {
  defaults: object =>
    mapField(object, 'spec', spec => mapField(spec, 'parameters', it => withDefault(it, 'scope', 'Cluster'))),
  *validate(object) {
    yield* validateKindMeta(object, 'networking.k8s.io/IngressClass');
    const spec = record(object, 'spec');
    const controller = text(spec, 'controller');
    const at = SPEC.child('controller');
    if (byteLength(controller) > longestController) yield tooLong(at, longestController);
    yield* domainPrefixedPath(controller, at);
    const parameters = record(spec, 'parameters');
    if (parameters !== undefined) yield* validateParameters(parameters, SPEC.child('parameters'));
  },
};

/** Upstream: validateIngressClassParametersReference. */
function* validateParameters(parameters: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* validateReference(parameters, at);
  yield* oneOfIfSet(parameters, 'scope', at.child('scope'), ['Cluster', 'Namespace']);
  const scope = get(parameters, 'scope');
  const namespace = optionalText(parameters, 'namespace');
  const namespaceAt = at.child('namespace');
  if (scope === 'Namespace') {
    if (namespace === undefined) yield required(namespaceAt, "`parameters.scope` is set to 'Namespace'");
    else yield* label(namespace, namespaceAt);
  } else if (scope === 'Cluster' && namespace !== undefined) {
    yield forbidden(namespaceAt, "`parameters.scope` is set to 'Cluster'");
  }
}
