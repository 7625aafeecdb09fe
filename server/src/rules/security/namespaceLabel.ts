import { t } from '../../base/l10n';
import { nearestNames } from '../../base/nearest';
import { FieldPath } from '../../manifest/fieldPath';
import { errorText } from '../apiserver/messages/sentences';
import { invalid } from '../apiserver/validate/errors';
import { type LabelError, LEVEL_DETAIL, LEVELS } from '../framework/podSecurityLevels';
import { defineRule } from '../framework/rule';
import { policyOfNamespace } from './appliedPolicies';
import { defaultPodSecurity } from './configuration';

export default defineRule<LabelError>({
  meta: {
    code: 'security/namespace-label',
    category: 'policy',
    severity: 'error',
    cost: 'workspace',
    summary: 'A label of a Namespace asks for a level or version of Pod security that does not exist.',
    why: 'The PodSecurity admission plugin refuses to create such a Namespace, or to change one so.',
    remedy: 'Write `privileged`, `baseline` or `restricted`; for a version, `latest` or one such as `v1.30`.',
    details:
      'Where such a label is there already, its Pods are held against `restricted` for enforce, and nothing is said for audit and warn.',
    source: { project: 'kubernetes', symbol: 'pod-security-admission/api.PolicyToEvaluate', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/security/pod-security-admission/',
  },
  on: ['Namespace'],

  *check({ object }, { podSecurity = defaultPodSecurity }) {
    if (object.group !== '') return;
    for (const error of policyOfNamespace(object, podSecurity).errors) {
      yield { at: labelAt(error), part: 'value', facts: error };
    }
  },

  message: ({ at, facts: { value, detail } }) => errorText(invalid(at, value, detail)),

  fixes: ({ at, facts: { value, detail } }, { object }, _context, edit) =>
    (detail === LEVEL_DETAIL ? nearestNames(value, LEVELS) : versionsLike(value)).slice(0, 1).map(it => ({
      title: t`Change to ${it}`,
      safety: 'unsafe' as const,
      edits: [edit.replaceValue(object, at, it)],
    })),
});

const labelAt = ({ label }: LabelError): FieldPath => FieldPath.of('metadata', 'labels', { key: label });

/** A version as kubectl prints it: `1.30`, `v1.30.2`. */
function versionsLike(value: string): readonly string[] {
  const [, minor] = /^v?1\.(\d|[1-9]\d+)(?:\.\d+)?$/i.exec(value) ?? [];
  return minor === undefined ? nearestNames(value, ['latest']) : [`v1.${minor}`];
}
