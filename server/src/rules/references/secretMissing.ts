import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { NAMED } from '../../workspace/references/kinds';
import { defineRule, type Finding } from '../framework/rule';
import { listed } from '../placement/phrases';

import { type Missing, missingRule, targetsKind } from './missing';

interface Facts extends Missing {
  /** NAMESPACE/NAME of other Secrets that the same object names and that are missing, too. */
  readonly others?: readonly string[];
}

const each = missingRule({
  meta: {
    code: 'references/secret-missing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'An object uses a Secret that is defined nowhere in its namespace.',
    why: 'The kubelet does not start the containers: a volume waits in ContainerCreating, an environment variable in CreateContainerConfigError. An Ingress serves its default certificate, and the listener of a Gateway is not programmed.',
    remedy:
      'Correct the name or the namespace, define the Secret, or say `optional: true` where the Pod can do without.',
    details:
      'Secrets that an object of the workspace has made are not missing: those of a Certificate, an ExternalSecret, a SealedSecret, a SecretProviderClass, a kustomization, or an Ingress that asks cert-manager for its certificate. imagePullSecrets are passed over: a Pod starts without them.',
    url: 'https://kubernetes.io/docs/concepts/configuration/secret/',
  },
  isChecked: row => targetsKind(NAMED.secret)(row) || row.at.endsWith('.certificateRefs[].name'),
});

export default defineRule<Facts>({
  ...each,
  check(target, context) {
    const found = [...each.check(target, context)];
    return target.object.kind === 'StorageClass' ? joinedHints(found) : found;
  },
  message(finding, context) {
    const { others = [] } = finding.facts;
    const names = listed(others);
    const some = others.length === 1 ? t`, and neither is ${names}` : t`, and neither are ${names}`;
    const more = others.length === 0 ? '' : some;
    return `${each.message(finding, context)}${more}`;
  },
});

/** A StorageClass names the Secrets of its driver once for each operation: hints about them are one. */
function joinedHints(findings: readonly Finding<Missing>[]): readonly Finding<Facts>[] {
  const [first] = findings;
  if (first === undefined || findings.some(it => it.severity !== 'info')) return findings;
  const names = new Set(findings.map(it => nameOf(it.facts)));
  names.delete(nameOf(first.facts));
  return [{ ...first, facts: { ...first.facts, others: [...names] } }];
}

const nameOf = ({ namespace, name }: Missing): string =>
  quoted(namespace === undefined ? name : `${namespace}/${name}`);
