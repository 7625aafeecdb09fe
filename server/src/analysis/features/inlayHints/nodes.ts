import { asList, asObject, type JsonObject, type JsonValue } from '../../../base/json';
import { t } from '../../../base/l10n';
import { isTolerated } from '../../../cluster/pods/tolerations';
import { labelMapMatcher, type NodeMatcher, nodeTermMatcher } from '../../../kube/labelSelector';
import type { NodeSelectorTerm, StringMap, Toleration } from '../../../kube/types';
import type { FieldPath } from '../../../manifest/fieldPath';
import { fieldAt, valueAt } from '../../../manifest/valueAt';
import { counted } from '../../../rules/placement/phrases';
import { taintInWords } from '../../../scheduler/whatIf/propose/taints';
import type { WorkspaceObject } from '../../../workspace/object';
import { comparisonOperators } from '../../placement/environmentFacts';
import { behindKey, behindValue, type HintContext, type HintsOf, type InlayHint, listed, matchHint } from './hint';

/** The number of nodes that the nodeSelector matches, and each of its entries if there are several. */
export const nodeSelectorHints: HintsOf = (object, { spec, path }, context) => {
  const at = path.child('nodeSelector');
  const labels = asObject(spec.nodeSelector) as StringMap | undefined;
  if (labels === undefined || !object.manifest.has(at)) return [];
  const keys = Object.keys(labels);
  const matching = (of: StringMap): NodeMatcher => {
    const { matches } = labelMapMatcher(of);
    return { errors: [], matches: it => matches(it.labels) };
  };
  const each = keys.length < 2 ? [] : keys.filter(key => object.manifest.has(at.child(key)));
  return [
    hintOf(behindKey(object, at), matching(labels), context),
    ...each.map(key => hintOf(behindValue(object, at.child(key)), matching({ [key]: labels[key] ?? '' }), context)),
  ];
};

/** The number of nodes that each term matches, and each of its requirements if there are several. */
export const nodeAffinityHints: HintsOf = (object, { path }, context) => {
  const affinity = path.child('affinity', 'nodeAffinity');
  const required = affinity.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  const preferred = affinity.child('preferredDuringSchedulingIgnoredDuringExecution');
  const { value } = object.manifest;
  return [
    ...asList(valueAt(value, required)).flatMap((it, i) => termHints(object, required.index(i), it, context)),
    ...asList(valueAt(value, preferred)).flatMap((it, i) =>
      termHints(object, preferred.index(i).child('preference'), fieldAt(it, 'preference'), context),
    ),
  ];
};

function termHints(
  object: WorkspaceObject,
  at: FieldPath,
  value: JsonValue | undefined,
  context: HintContext,
): readonly InlayHint[] {
  const term = asObject(value);
  const whole = matcherOf(term);
  if (term === undefined || whole === undefined || !object.manifest.has(at)) return [];
  const expressions = asList(term.matchExpressions);
  const isSingle = expressions.length + asList(term.matchFields).length < 2;
  const each = isSingle ? [] : expressions;
  return [
    hintOf(behindKey(object, at), whole, context),
    ...each.flatMap((it, i) => {
      const matcher = matcherOf({ matchExpressions: [it] });
      const place = at.child('matchExpressions').index(i);
      if (matcher === undefined || !object.manifest.has(place)) return [];
      const hint = hintOf(behindKey(object, place), matcher, context);
      // The first requirement may be at the same offset as its term.
      return hint.offset === behindKey(object, at) ? [] : [hint];
    }),
  ];
}

/** A term; undefined: its shape is invalid. */
function matcherOf(term: JsonObject | undefined): NodeMatcher | undefined {
  if (term === undefined) return undefined;
  try {
    const matcher = nodeTermMatcher(term as NodeSelectorTerm);
    return matcher.errors.length > 0 ? undefined : matcher;
  } catch {
    return undefined;
  }
}

function hintOf(offset: number, matcher: NodeMatcher, { placement: { cluster } }: HintContext): InlayHint {
  const matching = cluster.nodes.filter(it => matcher.matches(it));
  return matchHint(offset, matching, cluster.nodes);
}

/** The taints that all tolerations tolerate together, and each of them alone. */
export const tolerationHints: HintsOf = (object, { spec, path }, { kube, placement }) => {
  const at = path.child('tolerations');
  const written = asList(spec.tolerations);
  const tolerations = written.flatMap(it => asObject(it) ?? []) as readonly Toleration[];
  if (tolerations.length === 0) return [];
  const comparison = comparisonOperators(kube);
  const tolerated = (by: readonly Toleration[]): readonly { readonly taint: string; readonly node: string }[] =>
    placement.cluster.nodes.flatMap(({ name, taints }) =>
      taints.filter(it => isTolerated(it, by, comparison)).map(it => ({ taint: taintInWords(it), node: name })),
    );
  const all = new Set(tolerated(tolerations).map(it => it.taint));
  const whole: InlayHint = {
    offset: behindKey(object, at),
    label: t`tolerates ${counted(all.size, 'taint')}`,
    tooltip: listed([...all]),
  };
  const each = written.flatMap((it, i): readonly InlayHint[] => {
    const toleration = asObject(it) as Toleration | undefined;
    const place = at.index(i);
    if (written.length < 2 || toleration === undefined || !object.manifest.has(place)) return [];
    return [{ offset: behindKey(object, place), ...tolerationInWords(tolerated([toleration])) }];
  });
  return [whole, ...each];
};

/** "tolerates 1 taint of node-gpu-1". */
function tolerationInWords(
  found: readonly { readonly taint: string; readonly node: string }[],
): Pick<InlayHint, 'label' | 'tooltip'> {
  const taints = [...new Set(found.map(it => it.taint))];
  const nodes = [...new Set(found.map(it => it.node))];
  if (nodes.length === 0) return { label: t('tolerates no taint') };
  const where = nodes.length === 1 ? nodes[0] : counted(nodes.length, 'node');
  return {
    label: t`tolerates ${counted(taints.length, 'taint')} of ${where}`,
    tooltip: listed(found.map(it => t`${it.taint} on ${it.node}`)),
  };
}
