import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { type ExpressionUse, type Type, variableType } from '../../../../kube/cel/admission';
import { type GoFields, has, optionalText, record, records, text } from '../../../../kube/goFields';
import { dns1035LabelErrors, dns1123SubdomainErrors, qualifiedNameErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import {
  duplicate,
  type FieldError,
  invalid,
  invalids,
  type KindStrategy,
  notSupported,
  required,
  type Validation,
} from '../errors';
import { type KIND_META, validateKindMeta } from '../kindMeta';
import { nameOf } from '../metadata';
import { trimSpace } from '../shared/checks';
import { dropStatus } from '../shared/drops';
import { defaultPolicySpec } from './defaults';
import { compileErrors, expressionErrors, matchConditionErrors } from './expressions';
import {
  FAILURE_POLICIES,
  matchResourcesErrors,
  mutatingOperationErrors,
  policyErrors,
  reservedNameErrors,
  reservedNameWarnings,
} from './rules';

const SPEC = FieldPath.of('spec');
const NAME = FieldPath.of('metadata', 'name');
const RESERVED_NAMES_GATE = 'ManifestBasedAdmissionControlConfig';

/** Upstream: pkg/registry/admissionregistration/validatingadmissionpolicy. */
export const validatingPolicy: KindStrategy = {
  ...policyStrategy('admissionregistration.k8s.io/ValidatingAdmissionPolicy', validatingErrors),
  drop: dropStatus,
};

/** Upstream: pkg/registry/admissionregistration/mutatingadmissionpolicy. */
export const mutatingPolicy = policyStrategy('admissionregistration.k8s.io/MutatingAdmissionPolicy', mutatingErrors);

/** A policy and what its expressions share. */
interface Policy {
  readonly name: string;
  readonly spec: GoFields;
  readonly params: ExpressionUse['params'];
  readonly validation: Validation;
}

function policyStrategy(
  kind: keyof typeof KIND_META,
  ownErrors: (policy: Policy) => Iterable<FieldError>,
): KindStrategy {
  return {
    defaults: defaultPolicySpec,
    validate: (object, validation) => {
      const spec = record(object, 'spec');
      const name = nameOf(record(object, 'metadata'));
      const params = has(spec, 'paramKind') ? 'declared' : 'none';
      return [
        ...validateKindMeta(object, kind),
        ...ownErrors({ name, spec, params, validation }),
        ...(validation.isOn(RESERVED_NAMES_GATE) ? reservedNameErrors(name, NAME) : []),
      ];
    },
    warn: (object, { isOn }) =>
      isOn(RESERVED_NAMES_GATE) ? [] : reservedNameWarnings(nameOf(record(object, 'metadata'))),
  };
}

/** Upstream: validateValidatingAdmissionPolicySpec. */
function* validatingErrors(policy: Policy): Iterable<FieldError> {
  const { spec } = policy;
  yield* commonErrors(policy, 'validating');
  const composed = new Map<string, Type>();
  const variables = records(spec, 'variables').length > 0 ? composed : undefined;
  yield* variableErrors(policy, composed);
  const validations = records(spec, 'validations');
  const annotations = records(spec, 'auditAnnotations');
  if (validations.length + annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    yield required(SPEC.child('validations'), detail);
    yield required(SPEC.child('auditAnnotations'), detail);
    return;
  }
  for (const [i, it] of validations.entries()) {
    yield* validationErrors(it, SPEC.child('validations').index(i), policy, variables);
  }
  yield* annotationListErrors(annotations, SPEC.child('auditAnnotations'), policy, variables);
}

/** What both kinds of policies check before their variables. */
function* commonErrors({ spec, params, validation }: Policy, kind: 'validating' | 'mutating'): Iterable<FieldError> {
  const failurePolicy = optionalText(spec, 'failurePolicy');
  if (failurePolicy === undefined) yield required(SPEC.child('failurePolicy'));
  yield* policyErrors(spec, 'failurePolicy', SPEC, FAILURE_POLICIES);
  const paramKind = record(spec, 'paramKind');
  if (paramKind !== undefined) yield* paramKindErrors(paramKind, SPEC.child('paramKind'));
  const match = record(spec, 'matchConstraints');
  const at = SPEC.child('matchConstraints');
  if (match === undefined) yield required(at);
  else {
    yield* matchResourcesErrors(match, at);
    if (records(match, 'resourceRules').length === 0) yield required(at.child('resourceRules'));
    if (kind === 'mutating') yield* mutatingOperationErrors(match, at);
  }
  yield* matchConditionErrors(records(spec, 'matchConditions'), params, SPEC.child('matchConditions'), validation);
}

/** Upstream: validateParamKind. */
function* paramKindErrors(paramKind: JsonObject, at: FieldPath): Iterable<FieldError> {
  const [apiVersion, kind] = [text(paramKind, 'apiVersion'), text(paramKind, 'kind')];
  if (apiVersion === '') yield required(at.child('apiVersion'));
  else yield* groupVersionErrors(apiVersion, at.child('apiVersion'));
  if (kind === '') yield required(at.child('kind'));
  else {
    const messages = dns1035LabelErrors(kind.toLowerCase());
    const rule = 'may have mixed case, but should otherwise match: ';
    if (messages.length > 0) yield invalid(at.child('kind'), kind, rule + messages.join(','));
  }
}

function* groupVersionErrors(apiVersion: string, at: FieldPath): Iterable<FieldError> {
  const parts = apiVersion === '/' ? [''] : apiVersion.split('/');
  if (parts.length > 2) {
    yield invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
    return;
  }
  const [group, version] = parts.length === 1 ? ['', parts[0] ?? ''] : [parts[0] ?? '', parts[1] ?? ''];
  const ofGroup = group === '' ? [] : dns1123SubdomainErrors(group);
  if (ofGroup.length > 0) yield invalid(at, group, ofGroup.join(','));
  const ofVersion = dns1035LabelErrors(version);
  if (version === '') yield invalid(at, apiVersion, 'version must be specified');
  else if (ofVersion.length > 0) yield invalid(at, version, ofVersion.join(','));
}

const IDENTIFIER = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const RESERVED: ReadonlySet<string> = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

/** Upstream: validateVariable. Adds the type of each variable to `composed`, so that later ones can use it. */
function* variableErrors({ spec, params, validation }: Policy, composed: Map<string, Type>): Iterable<FieldError> {
  const use: ExpressionUse = { params, authorizer: 'declared', patches: 'none', variables: composed };
  for (const [i, variable] of records(spec, 'variables').entries()) {
    const at = SPEC.child('variables').index(i);
    const [name, expression] = [text(variable, 'name'), text(variable, 'expression')];
    if (trimSpace(name) === '') yield required(at.child('name'), 'name is not specified');
    else if (!IDENTIFIER.test(name) || RESERVED.has(name)) {
      yield invalid(at.child('name'), name, 'must be a valid CEL identifier');
    }
    if (trimSpace(expression) === '') yield required(at.child('expression'), 'expression is not specified');
    else {
      const compiled = validation.kube.cel.admission(expression, use, 'any');
      yield* compileErrors(compiled, expression, at.child('expression'));
      composed.set(name, variableType(compiled));
    }
  }
}

type Variables = ExpressionUse['variables'];

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const BLANK = 'must be non-empty if specified';

/** Upstream: validateValidation. */
function* validationErrors(
  rule: JsonObject,
  at: FieldPath,
  { params, validation }: Policy,
  variables: Variables,
): Iterable<FieldError> {
  const use: ExpressionUse = { params, authorizer: 'declared', patches: 'none', variables };
  const expression = text(rule, 'expression');
  if (trimSpace(expression) === '') yield required(at.child('expression'), 'expression is not specified');
  else yield* expressionErrors(expression, use, 'bool', at.child('expression'), validation);
  const messageExpression = text(rule, 'messageExpression');
  const messageAt = at.child('messageExpression');
  if (trimSpace(messageExpression) !== '') {
    yield* expressionErrors(messageExpression, { ...use, authorizer: 'none' }, 'string', messageAt, validation);
  } else if (messageExpression !== '') yield invalid(messageAt, messageExpression, BLANK);
  const message = text(rule, 'message');
  const trimmed = trimSpace(message);
  if (message !== '' && trimmed === '') yield invalid(at.child('message'), message, BLANK);
  else if (/[\n\r]/.test(trimmed)) yield invalid(at.child('message'), message, 'must not contain line breaks');
  yield* policyErrors(rule, 'reason', at, REASONS);
}

const MOST_ANNOTATIONS = 20;
const LONGEST_VALUE = 5 * 1024;

function* annotationListErrors(
  annotations: readonly JsonObject[],
  at: FieldPath,
  policy: Policy,
  variables: Variables,
): Iterable<FieldError> {
  if (annotations.length > MOST_ANNOTATIONS) {
    yield invalid(at, annotations, `must not have more than ${MOST_ANNOTATIONS} auditAnnotations`);
  }
  const keys = annotations.map(it => text(it, 'key'));
  const repeated = repeatedAt(keys);
  for (const [i, it] of annotations.entries()) {
    yield* annotationErrors(it, at.index(i), policy, variables);
    if (repeated.has(i)) yield duplicate(at.index(i).child('key'), keys[i] ?? '');
  }
}

/** Upstream: validateAuditAnnotation. */
function* annotationErrors(
  annotation: JsonObject,
  at: FieldPath,
  { name, params, validation }: Policy,
  variables: Variables,
): Iterable<FieldError> {
  const key = text(annotation, 'key');
  if (name === '') yield invalid(at.child('key'), key, 'requires metadata.name be non-empty');
  else yield* invalids(at.child('key'), `${name}/${key}`, qualifiedNameErrors(`${name}/${key}`));
  const value = trimSpace(text(annotation, 'valueExpression'));
  const valueAt = at.child('valueExpression');
  if (value === '') yield required(valueAt, 'valueExpression is not specified');
  else if (byteLength(value) > LONGEST_VALUE) {
    yield required(valueAt, `must not exceed ${LONGEST_VALUE} bytes in length`);
  } else {
    const use: ExpressionUse = { params, authorizer: 'declared', patches: 'none', variables };
    yield* expressionErrors(value, use, 'string or null', valueAt, validation);
  }
}

/** Upstream: validateMutatingAdmissionPolicySpec. */
function* mutatingErrors(policy: Policy): Iterable<FieldError> {
  const { spec } = policy;
  yield* commonErrors(policy, 'mutating');
  const composed = new Map<string, Type>();
  yield* variableErrors(policy, composed);
  const mutations = records(spec, 'mutations');
  const at = SPEC.child('mutations');
  if (mutations.length === 0) yield required(at, 'mutations must contain at least one item');
  for (const [i, it] of mutations.entries()) yield* mutationErrors(it, at.index(i), policy, composed);
  if (text(spec, 'reinvocationPolicy') === '') yield required(SPEC.child('reinvocationPolicy'));
  else yield* policyErrors(spec, 'reinvocationPolicy', SPEC, ['IfNeeded', 'Never']);
}

const PATCHES = [
  { type: 'JSONPatch', field: 'jsonPatch', result: 'list of JSONPatch' },
  { type: 'ApplyConfiguration', field: 'applyConfiguration', result: 'Object' },
] as const;

/** Upstream: validateMutation. */
function* mutationErrors(
  mutation: JsonObject,
  at: FieldPath,
  policy: Policy,
  variables: Variables,
): Iterable<FieldError> {
  const type = text(mutation, 'patchType');
  const patch = PATCHES.find(it => it.type === type);
  if (type === '') yield required(at.child('patchType'));
  else if (patch === undefined)
    yield notSupported(
      at.child('patchType'),
      type,
      PATCHES.map(it => it.type),
    );
  if (patch === undefined) return;
  const { field, result } = patch;
  const body = record(mutation, field);
  const expressionAt = at.child(field, 'expression');
  const expression = trimSpace(text(body, 'expression'));
  const use: ExpressionUse = { params: policy.params, authorizer: 'declared', patches: 'declared', variables };
  if (body === undefined) yield required(at.child(field), `must be specified when patchType is ${type}`);
  else if (expression === '') yield required(expressionAt);
  else yield* expressionErrors(expression, use, result, expressionAt, policy.validation);
  const other = PATCHES.find(it => it.type !== type);
  if (other !== undefined && has(mutation, other.field)) {
    yield invalid(at.child(other.field), `{${other.field}}`, `must not be specified when patchType is ${type}`);
  }
}
