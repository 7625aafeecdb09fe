import { repeatedAt } from '../../../../base/repeated';
import { type GoFields, record, text, texts } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalids,
  type KindStrategy,
  notSupported,
  required,
} from '../errors';
import { type KIND_META, validateKindMeta } from '../kindMeta';
import { nameOf, pathSegmentErrors, validateLabelSelector, validateNameFn } from '../metadata';
import { defaultBindingSpec } from './defaults';
import { matchResourcesErrors, mutatingOperationErrors, reservedNameErrors, reservedNameWarnings } from './rules';

const SPEC = FieldPath.of('spec');
const NAME = FieldPath.of('metadata', 'name');
const RESERVED_NAMES_GATE = 'ManifestBasedAdmissionControlConfig';

/** Upstream: pkg/registry/admissionregistration/validatingadmissionpolicybinding. */
export const validatingBinding = bindingStrategy(
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding',
  spec => actionErrors(texts(spec, 'validationActions'), SPEC.child('validationActions')),
);

/** Upstream: pkg/registry/admissionregistration/mutatingadmissionpolicybinding. */
export const mutatingBinding = bindingStrategy('admissionregistration.k8s.io/MutatingAdmissionPolicyBinding', spec =>
  mutatingOperationErrors(record(spec, 'matchResources'), SPEC.child('matchResources')),
);

function bindingStrategy(
  kind: keyof typeof KIND_META,
  ownErrors: (spec: GoFields) => Iterable<FieldError>,
): KindStrategy {
  return {
    defaults: defaultBindingSpec,
    validate: (object, { kube, isOn }) => {
      const matchAt = SPEC.child(applies(minorChanges.bindingMatchSpelling, kube) ? 'matchResources' : 'matchResouces');
      const spec = record(object, 'spec');
      const name = nameOf(record(object, 'metadata'));
      return [
        ...validateKindMeta(object, kind),
        ...policyNameErrors(text(spec, 'policyName'), SPEC.child('policyName')),
        ...paramRefErrors(record(spec, 'paramRef'), SPEC.child('paramRef')),
        ...matchResourcesErrors(record(spec, 'matchResources'), matchAt),
        ...ownErrors(spec),
        ...(isOn(RESERVED_NAMES_GATE) ? reservedNameErrors(name, NAME) : []),
      ];
    },
    warn: (object, { isOn }) =>
      isOn(RESERVED_NAMES_GATE) ? [] : reservedNameWarnings(nameOf(record(object, 'metadata'))),
  };
}

function policyNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  return name === '' ? [required(at)] : invalids(at, name, validateNameFn.subdomain(name));
}

const EXCLUSIVE = 'name and selector are mutually exclusive';

/** Upstream: validateParamRef. */
function* paramRefErrors(ref: GoFields, at: FieldPath): Iterable<FieldError> {
  if (ref === undefined) return;
  const name = text(ref, 'name');
  const selector = record(ref, 'selector');
  yield* invalids(at.child('name'), name, pathSegmentErrors(name));
  if (name !== '' && selector !== undefined) yield forbidden(at.child('name'), EXCLUSIVE);
  yield* validateLabelSelector(selector, at.child('selector'));
  if (name !== '' && selector !== undefined) yield forbidden(at.child('selector'), EXCLUSIVE);
  if (name === '' && selector === undefined) yield required(at, 'one of name or selector must be specified');
  const action = text(ref, 'parameterNotFoundAction');
  const actionAt = at.child('parameterNotFoundAction');
  if (action === '') yield required(actionAt);
  else if (action !== 'Deny' && action !== 'Allow') yield notSupported(actionAt, action, ['Allow', 'Deny']);
}

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const BOTH =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and ' +
  'headers serves no purpose)';

/** Upstream: validateValidationActions. */
function* actionErrors(actions: readonly string[], at: FieldPath): Iterable<FieldError> {
  const repeated = repeatedAt(actions);
  for (const [i, action] of actions.entries()) {
    if (!ACTIONS.includes(action)) yield notSupported(at.index(i), action, ACTIONS);
    if (repeated.has(i)) yield duplicate(at.index(i), action);
  }
  if (actions.includes('Deny') && actions.includes('Warn')) yield invalid(at, actions, BOTH);
  if (actions.length === 0) yield required(at, 'at least one validation action is required');
}
