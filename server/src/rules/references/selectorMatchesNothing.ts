import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { filledInto, labelsAdded, namespaceOf } from '../../workspace/kustomizeFilled';
import { selectsPods } from '../../workspace/references/definitions';
import type { PodsTarget } from '../../workspace/references/references';
import { defineRule, type RuleContext } from '../framework/rule';
import { absenceSeverity, isAbsenceCertain } from '../reading/absence';
import { maySelectElsewhere } from '../reading/unknownNamespace';

interface Facts {
  readonly kind: string;
  readonly namespace: string;
}

export default defineRule<Facts>({
  meta: {
    code: 'references/selector-matches-nothing',
    category: 'reference',
    severity: 'error',
    cost: 'workspace',
    summary: 'A Service, a PodDisruptionBudget or a NetworkPolicy selects Pods, and there are none with these labels.',
    why: 'The Service has no endpoints and answers nobody; the budget protects nothing, and the policy is for nobody.',
    remedy: 'Write the labels that the Pod, or the template of the workload, has.',
    details:
      'It is information where other sources may define the Pods; of a NetworkPolicy nothing is said then, as operators make many Pods. Selectors that choose everything or nothing by their form are passed over.',
    url: 'https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/',
  },
  on: ['Service', 'PodDisruptionBudget', 'NetworkPolicy'],

  *check({ object }, context) {
    // Policies are often written for Pods that an operator makes.
    if (object.kind === 'NetworkPolicy' && !isAbsenceCertain(context)) return;
    for (const { target, at, row } of context.snapshot.references.of(object)) {
      // The peers of a NetworkPolicy may be allowed before they are there.
      if (/\.(?:from|to)\[\]/.test(row.at)) continue;
      if (target.to !== 'pods' || target.matcher.kind !== 'requirements') continue;
      if (target.matcher.requirements.some(it => it.values.some(isPlaceholder) || isPlaceholder(it.key))) continue;
      if (selectsPods(context.snapshot, target) || maySelectElsewhere(context, object, target)) continue;
      if (isFilledIn(target, context)) continue;
      yield {
        at,
        part: 'key',
        facts: {
          kind: object.kind,
          namespace: namespaceOf(object, context.snapshot.roles.kustomizations) ?? 'default',
        },
        severity: absenceSeverity(context),
      };
    }
  },

  message: ({ facts: { kind, namespace } }, { snapshot }) =>
    t`this ${kind} selects no Pod of namespace ${quoted(namespace)}${snapshot.complete ? '' : t(' in this workspace')}`,
});

/** Whether kustomizations give some Pods the labels and the namespace. */
function isFilledIn({ namespaces, matcher }: PodsTarget, { snapshot }: RuleContext): boolean {
  const { references, roles } = snapshot;
  const { kustomizations } = roles;
  if (kustomizations.kustomizations.size === 0) return false;
  const added = labelsAdded(kustomizations);
  const written = matcher.requirements.find(
    it => it.operator === 'In' && !it.values.some(value => added.get(it.key)?.has(value) === true),
  );
  const candidates = references
    .namespacesOfPods()
    .flatMap(namespace =>
      written === undefined
        ? references.podsIn(namespace)
        : written.values.flatMap(it => references.podsWith(namespace, written.key, it)),
    );
  return candidates.some(({ object, labels }) => {
    const filled = filledInto(object, kustomizations);
    if (filled === undefined) return false;
    const places = [object.namespace ?? 'default', ...filled.namespaces];
    const isThere = namespaces === 'any' || places.some(it => namespaces.includes(it));
    return isThere && matcher.matches({ ...labels, ...filled.labels });
  });
}

function isPlaceholder(text: string): boolean {
  return /[{}$<>]/.test(text);
}
