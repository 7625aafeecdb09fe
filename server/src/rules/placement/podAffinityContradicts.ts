import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { createValueKey } from '../../base/valueKey';
import { labelMatcher } from '../../kube/labelSelector';
import { podTemplatePath } from '../../kube/podTemplates';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../manifest/valueAt';
import { selectorOf, textsOf } from '../../workspace/references/references';
import { defineRule, type RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

interface Facts {
  readonly topologyKey: string;
  readonly other: FieldPath;
  /** Whether the first Pod is placed, because it matches its own term. */
  readonly isFirstPlaced: boolean;
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

export default defineRule<Facts>({
  meta: {
    code: 'placement/pod-affinity-contradicts',
    category: 'placement',
    severity: 'error',
    cost: 'typing',
    summary: 'A Pod must be beside and away from the same Pods at once.',
    why: 'Required affinity and required anti-affinity have the same selector and the same topology key. No domain meets both, and the Pod stays Pending on every cluster.',
    remedy: 'Remove one of the two terms, or give them different topology keys.',
    details:
      'A Pod that its own selector matches is placed as long as no such Pod is there: the first of several replicas, and no other. Terms with `matchLabelKeys` or `mismatchLabelKeys` are passed over.',
    source: { project: 'kubernetes', symbol: 'interpodaffinity.(*InterPodAffinity).Filter', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity',
  },
  on: 'podSpec',

  *check(target) {
    const place = podSpecOf(target);
    const affinity = asObject(place?.spec.affinity);
    if (place === undefined || affinity === undefined) return;
    const keyOf = createValueKey();
    const beside = termsIn(affinity, 'podAffinity', place.at, keyOf);
    const away = termsIn(affinity, 'podAntiAffinity', place.at, keyOf);
    if (beside.length === 0 || away.length === 0) return;
    const besideByKey = new Map(beside.toReversed().map(it => [it.key, it]));
    for (const { key, at, topologyKey } of away) {
      const other = besideByKey.get(key);
      if (other === undefined) continue;
      const isFirstPlaced = beside.every(it => selects(it.selector, target));
      if (isFirstPlaced && !hasReplicas(target)) continue;
      yield {
        at,
        part: 'value',
        facts: { topologyKey, other: other.at, isFirstPlaced },
        severity: isFirstPlaced ? 'warning' : 'error',
        related: [{ object: target.object, at: other.at, message: t('the affinity to the same Pods') }],
      };
    }
  },

  message: ({ facts: { topologyKey, isFirstPlaced } }) =>
    t`podAffinity wants the same Pods in the same ${topologyKey}, and this term keeps them out of it, so ${isFirstPlaced ? t('one replica is placed and the others are not') : t('no node of any cluster takes the Pod')}`,

  fixes: ({ at, facts: { other } }, { object }, _context, edit) => [
    { title: t('Remove the anti-affinity to these Pods'), safety: 'unsafe', edits: [edit.remove(object, at)] },
    { title: t('Remove the affinity to these Pods'), safety: 'unsafe', edits: [edit.remove(object, other)] },
  ],
});

interface Term {
  readonly at: FieldPath;
  readonly topologyKey: string;
  readonly selector: JsonValue | undefined;
  /** Equal for terms of the same Pods and domains. */
  readonly key: string;
}

function termsIn(
  affinity: JsonObject,
  name: 'podAffinity' | 'podAntiAffinity',
  spec: FieldPath,
  keyOf: (value: unknown) => string,
): readonly Term[] {
  const at = spec.child('affinity', name, REQUIRED);
  return asList(fieldAt(affinity, name, REQUIRED)).flatMap((it, i): readonly Term[] => {
    const term = asObject(it);
    const topologyKey = asText(term?.topologyKey);
    const selector = asObject(term?.labelSelector);
    if (term === undefined || topologyKey === undefined || selector === undefined) return [];
    if (asList(term.matchLabelKeys).length + asList(term.mismatchLabelKeys).length > 0) return [];
    const { namespaces = null, namespaceSelector = null } = term;
    const key = keyOf([topologyKey, selector, namespaces, namespaceSelector]);
    return [{ at: at.index(i), topologyKey, selector, key }];
  });
}

/** Whether a selector matches the Pod's own labels. */
function selects(selector: JsonValue | undefined, { object, value }: RuleTarget): boolean {
  const path = podTemplatePath(object.kind) ?? [];
  const labels = textsOf(valueAt(value, FieldPath.of(...path, 'metadata', 'labels')));
  const written = asObject(selector) ?? {};
  return labelMatcher(selectorOf(written)).matches(labels);
}

function hasReplicas({ object, value }: RuleTarget): boolean {
  if (object.kind === 'DaemonSet') return true;
  const count = fieldAt(value, 'spec', object.kind === 'Job' ? 'parallelism' : 'replicas');
  return typeof count === 'number' && count > 1;
}
