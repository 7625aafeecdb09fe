import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { has, record } from '../../kube/goFields';
import { FieldPath } from '../../manifest/fieldPath';
import {
  isEquivalent,
  isPrivileged,
  levelLabel,
  levelVersionText,
  type Mode,
  versionLabel,
} from '../framework/podSecurityLevels';
import { defineRule } from '../framework/rule';
import { policyOfNamespace } from './appliedPolicies';

const MODES: readonly Mode[] = ['enforce', 'audit', 'warn'];

interface Facts {
  readonly name: string;
  /** `enforce=restricted:latest, warn=…` */
  readonly policy: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'security/exempt-namespace',
    category: 'policy',
    severity: 'warning',
    cost: 'workspace',
    summary: 'A Namespace that is exempt from Pod security asks for a level of it.',
    why: 'The configuration of the server exempts the namespace, so its labels do nothing.',
    remedy: 'Remove the labels, or the exemption.',
    details: 'Told where `podSecurity.exemptions.namespaces` is configured.',
    source: {
      project: 'kubernetes',
      symbol: 'pod-security-admission/admission.exemptNamespaceWarning',
      fidelity: 'same',
    },
    url: 'https://kubernetes.io/docs/concepts/security/pod-security-admission/#exemptions',
  },
  on: ['Namespace'],

  *check({ object }, { podSecurity }) {
    const { name } = object;
    if (object.group !== '' || name === undefined || podSecurity?.exemptions.namespaces.includes(name) !== true) return;
    const { policy, errors } = policyOfNamespace(object, podSecurity);
    if (errors.length > 0 || isPrivileged(policy) || isEquivalent(policy, podSecurity.defaults)) return;
    const labels = record(record(object.manifest.value, 'metadata'), 'labels');
    const said = MODES.flatMap(mode => {
      const label = [levelLabel(mode), versionLabel(mode)].find(it => has(labels, it));
      return policy[mode].level === 'privileged' || label === undefined ? [] : [{ mode, label }];
    });
    const shown = said.map(({ mode }) => `${mode}=${levelVersionText(policy[mode])}`).join(', ');
    yield {
      at: FieldPath.of('metadata', 'labels', ...said.slice(0, 1).map(it => ({ key: it.label }))),
      part: 'entry',
      facts: { name, policy: shown },
    };
  },

  message: ({ facts: { name, policy } }) =>
    t`namespace ${quoted(name)} is exempt from Pod Security, and the policy (${policy}) will be ignored`,
});
