import { asObject, asText } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { groupOf } from '../../kube/apiVersion';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { WorkspaceObject } from '../../workspace/object';
import { NAMED } from '../../workspace/references/kinds';
import { defineRule, type RuleContext } from '../framework/rule';
import { absenceSeverity, absenceText, isDefined } from '../reading/absence';
import { oneNamed } from '../reading/snapshots';
import { inWords, isName, type Missing } from './missing';

interface Facts {
  readonly policy: string;
  /** The parameter that is not there; undefined where the policy has no parameters. */
  readonly missing: Missing | undefined;
}

const PARAM = FieldPath.of('spec', 'paramRef');

export default defineRule<Facts>({
  meta: {
    code: 'references/param-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary:
      'The binding of an admission policy names a parameter that is not there, or that the policy does not take.',
    why: 'With `parameterNotFoundAction: Deny` the server refuses each request that the binding matches. A parameter of a policy without `paramKind` is a mistake of the binding, which the failurePolicy then judges: by default each request is refused.',
    remedy: 'Correct the name or the namespace of the parameter, define it, or write `paramKind` into the policy.',
    details: 'A parameter without a namespace is that of the object which is admitted, and is not looked for.',
    source: { project: 'kubernetes', symbol: 'generic.CollectParams', fidelity: 'same' },
    since: '1.30',
    url: 'https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/#parameter-resources',
  },
  on: ['ValidatingAdmissionPolicyBinding', 'MutatingAdmissionPolicyBinding'],

  *check({ object }, context) {
    const spec = asObject(object.manifest.value.spec);
    const ref = asObject(spec?.paramRef);
    const policy = policyOf(object, asText(spec?.policyName), context);
    if (ref === undefined || policy === undefined) return;
    const kind = asObject(fieldAt(policy.manifest.value, 'spec', 'paramKind'));
    const facts = { policy: policy.name ?? '' };
    if (kind === undefined) {
      yield { at: PARAM, part: 'key', facts: { ...facts, missing: undefined } };
      return;
    }
    const missing = paramOf(kind, ref, context);
    if (missing === undefined || ref.parameterNotFoundAction === 'Allow') return;
    yield {
      at: PARAM.child('name'),
      part: 'value',
      facts: { ...facts, missing },
      severity: absenceSeverity(context, missing),
    };
  },

  message: ({ facts: { policy, missing }, severity }, context) =>
    missing === undefined
      ? t`the binding has a parameter, and the policy ${quoted(policy)} takes none: it has no paramKind`
      : t`${inWords(missing)} ${absenceText(context, severity)}, and without it each request that the binding matches is refused`,
});

function policyOf(object: WorkspaceObject, name: string | undefined, { snapshot }: RuleContext) {
  const kind = object.kind === 'ValidatingAdmissionPolicyBinding' ? NAMED.admissionPolicy : NAMED.mutatingPolicy;
  return oneNamed(snapshot, kind, undefined, name);
}

/** The parameter by its name; undefined if it is there, or if where it should be is not written. */
function paramOf(
  paramKind: NonNullable<ReturnType<typeof asObject>>,
  ref: NonNullable<ReturnType<typeof asObject>>,
  context: RuleContext,
): Missing | undefined {
  const apiVersion = asText(paramKind.apiVersion) ?? '';
  const [kind, name, namespace] = [asText(paramKind.kind), asText(ref.name), asText(ref.namespace)];
  if (kind === undefined || name === undefined || !isName(name)) return undefined;
  const known = context.kube.kindOf(apiVersion, kind);
  if (namespace === undefined && known?.namespaced !== false) return undefined;
  const group = groupOf(apiVersion);
  if (isDefined(context, group, kind, namespace, name)) return undefined;
  return { group, kind, namespace, name };
}
