import { asList, asObject, asText, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { type LabelMatcher, labelMatcher, type Requirement, requirementHolds } from '../../kube/labelSelector';
import { podTemplatePath } from '../../kube/podTemplates';
import type { LabelSelector, StringMap } from '../../kube/types';
import { FieldPath } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import { LABELS_OF_CONTROLLERS } from '../../workspace/references/definitions';
import { fixOf } from '../edits/fix';
import { defineRule, type RuleTarget } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';

interface Facts {
  readonly at: FieldPath;
  readonly key: string;
  readonly labels: StringMap;
  /** The first requirement of the selector that the labels do not meet; absent if there is no selector. */
  readonly unmet?: { readonly key: string; readonly wanted: string };
  /** Labels that have another value than in `matchLabels`. */
  readonly others: readonly string[];
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/spread-ignores-own-labels',
    category: 'placement',
    severity: 'info',
    cost: 'typing',
    summary: 'A DoNotSchedule spread constraint whose selector does not match the labels of its own Pod.',
    why: 'The Pods of the workload are not counted, so the constraint does not spread them: all of them may land in one domain. It only looks at where the other Pods are that the selector matches.',
    remedy: 'Select the labels that the Pod has.',
    details: 'Labels that controllers add, such as `pod-template-hash`, are taken as met.',
    source: {
      project: 'kubernetes',
      symbol: 'podtopologyspread.(*PodTopologySpread).Filter, selfMatchNum',
      fidelity: 'same',
    },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/',
  },
  on: 'podSpec',

  *check(target) {
    const place = podSpecOf(target);
    const labels = labelsOf(target);
    if (place === undefined || labels === undefined) return;
    const list = place.at.child('topologySpreadConstraints');
    for (const [index, it] of asList(place.spec.topologySpreadConstraints).entries()) {
      const constraint = asObject(it);
      if (constraint === undefined || constraint.whenUnsatisfiable !== 'DoNotSchedule') continue;
      const selector = selectorOf(constraint);
      if (selector === 'broken' || selector.error !== undefined) continue;
      // Upstream counts no Pods for an empty selector, unless matchLabelKeys adds labels to it.
      if (selector.kind === 'everything' && asList(constraint.matchLabelKeys).length > 0) continue;
      const isMet = ({ key }: { readonly key: string }): boolean =>
        target.object.kind !== 'Pod' && LABELS_OF_CONTROLLERS.has(key);
      const unmet = selector.requirements.find(it => !isMet(it) && !requirementHolds(it, labels));
      if (selector.kind === 'requirements' && unmet === undefined) continue;
      const at = list.index(index).child('labelSelector');
      const matchLabels = asObject(asObject(constraint.labelSelector)?.matchLabels) ?? {};
      yield {
        at: selector.kind === 'nothing' ? list.index(index).child('whenUnsatisfiable') : at,
        part: 'entry',
        facts: {
          at,
          key: asText(constraint.topologyKey) ?? '',
          labels,
          ...(unmet && {
            unmet: { key: unmet.key, wanted: inWords(unmet) },
          }),
          others: Object.keys(matchLabels).filter(it => labels[it] !== undefined && labels[it] !== matchLabels[it]),
        },
      };
    }
  },

  message: ({ facts: { key, labels, unmet } }) => {
    const effect = t`so the constraint does not spread these Pods over ${quoted(key)}`;
    if (unmet === undefined) return t`without a label to select by the constraint counts no Pods, ${effect}`;
    const has =
      labels[unmet.key] === undefined
        ? t`have no label ${quoted(unmet.key)}`
        : t`have ${unmet.key}=${labels[unmet.key]}`;
    return t`the selector (${unmet.wanted}) does not match the labels of its own Pods, which ${has}, ${effect}`;
  },

  fixes({ facts: { at, labels, unmet, others } }, target, _context, edit) {
    if (others.length > 0) {
      return others.map(key => {
        const value = labels[key] ?? '';
        return fixOf(
          {
            title: t`Select ${key}=${value}, as the Pods have it`,
            safety: 'unsafe',
            at: at.child('matchLabels', key),
            change: { write: value },
          },
          target.object,
          edit,
        );
      });
    }
    const own = ownSelector(target) ?? labels;
    if (unmet !== undefined || Object.keys(own).length === 0) return [];
    return [
      fixOf(
        {
          title: t('Select the labels of the Pods'),
          safety: 'unsafe',
          at: at.child('matchLabels'),
          change: { write: own },
        },
        target.object,
        edit,
      ),
    ];
  },
});

/** undefined if some value is not a string. */
function labelsOf({ object, value }: RuleTarget): StringMap | undefined {
  const path = podTemplatePath(object.kind);
  const labels = asObject(path && valueAt(value, FieldPath.of(...path, 'metadata', 'labels'))) ?? {};
  return isTexts(labels) ? labels : undefined;
}

function ownSelector({ object, value }: RuleTarget): StringMap | undefined {
  if (object.group !== 'apps') return undefined;
  const labels = asObject(valueAt(value, FieldPath.of('spec', 'selector', 'matchLabels')));
  return labels && isTexts(labels) ? labels : undefined;
}

function isTexts(labels: JsonObject): labels is JsonObject & StringMap {
  return Object.values(labels).every(it => typeof it === 'string');
}

/** The selector without labels of `matchLabelKeys`, which the Pod meets by definition. */
function selectorOf({ labelSelector }: JsonObject): LabelMatcher | 'broken' {
  if (labelSelector === undefined || labelSelector === null) return labelMatcher(undefined);
  const selector = asObject(labelSelector);
  const matchLabels = asObject(selector?.matchLabels ?? {});
  const matchExpressions = asList(selector?.matchExpressions);
  if (selector === undefined || matchLabels === undefined || !isTexts(matchLabels)) return 'broken';
  if (!matchExpressions.every(isExpression)) return 'broken';
  return labelMatcher({ ...selector, matchLabels, matchExpressions } as LabelSelector);
}

function isExpression(value: JsonValue): boolean {
  const it = asObject(value);
  const values = it?.values ?? [];
  const isText = typeof it?.key === 'string' && typeof (it.operator ?? '') === 'string';
  return isText && Array.isArray(values) && values.every(value => typeof value === 'string');
}

function inWords({ key, operator, values }: Requirement): string {
  return operator === 'In' && values.length === 1
    ? `${key}=${values[0]}`
    : `${key} ${operator} ${values.join(', ')}`.trim();
}
