import { t } from '../../base/l10n';
import { lazy, lazyByObject, lazyByText } from '../../base/lazy';
import { nearestNames } from '../../base/nearest';
import { quoted } from '../../base/quoted';
import type { NodeModel } from '../../cluster/clusterModel';
import { requiredNodeAffinity } from '../../cluster/pods/requiredAffinity';
import { labelMapMatcher, type NodeMatcher, nodeSelectorMatcher } from '../../kube/labelSelector';
import type { NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '../../kube/types';
import type { FieldPath } from '../../manifest/fieldPath';
import { fixOf } from '../edits/fix';
import { layered } from '../framework/layers';
import { defineRule, type Finding } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { counted, listed, upstreamWords } from './phrases';

interface Facts {
  readonly at: FieldPath;
  readonly said: string;
  readonly upstream: string;
  /** A label value that no node has, and the values that nodes have. */
  readonly wrongValue?: { readonly at: FieldPath; readonly value: string; readonly values: readonly string[] };
  /** A key of nodeSelector that no node has, and the keys that nodes have. */
  readonly wrongKey?: { readonly key: string; readonly keys: readonly string[] };
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/selector-matches-no-node',
    category: 'placement',
    severity: 'warning',
    cost: 'placement',
    summary: 'The nodeSelector or the required node affinity of a Pod matches no node.',
    why: 'The Pod stays Pending, and evicting others does not help: no node of the cluster has the labels that it asks for.',
    remedy: 'Correct the key or the value, or label a node.',
    details: 'Silent unless the nodes of the cluster are known.',
    source: { project: 'kubernetes', symbol: 'nodeaffinity.GetRequiredNodeAffinity', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/',
  },
  on: 'podSpec',

  *check(target, { placement }) {
    const place = podSpecOf(target);
    if (place === undefined || !('nodeSelector' in place.spec || 'affinity' in place.spec)) return;
    const facts = placement?.(target.object);
    const spec = facts?.specOf(target.object);
    if (facts === undefined || spec === undefined || spec.nodeName) return;
    const { nodes } = facts.cluster;
    const matcher = requiredNodeAffinity(spec);
    if (nodes.some(it => matcher.matches(it))) return;
    const upstream = upstreamWords(target.object, facts);
    if (Object.values(spec.nodeSelector ?? {}).some(it => PLACEHOLDER.test(it))) return;
    for (const it of unmetParts(spec, place.at, nodes)) {
      const finding: Finding<Facts> = { at: it.at, part: 'entry', facts: { ...it, upstream } };
      yield finding;
    }
  },

  message: ({ facts: { said, upstream } }) => layered(said, upstream),

  fixes({ facts: { at, wrongValue, wrongKey } }, { object }, _context, edit) {
    if (wrongValue) {
      const near = nearestNames(wrongValue.value, wrongValue.values);
      const wanted = near.length > 0 ? near : wrongValue.values.length <= 3 ? wrongValue.values : [];
      return wanted.map(it =>
        fixOf(
          { title: t`Change it to ${it}`, safety: 'unsafe', at: wrongValue.at, change: { write: it } },
          object,
          edit,
        ),
      );
    }
    const names = wrongKey ? nearestNames(wrongKey.key, wrongKey.keys) : [];
    return names.map(it => ({
      title: t`Rename it to ${it}`,
      safety: 'unsafe',
      edits: [edit.renameKey(object, at, it)],
    }));
  },
});

/** Text that the reader should replace, as in examples: `<node-hostname>`. */
const PLACEHOLDER = /^<.*>$/;

type UnmetPart = Omit<Facts, 'upstream'>;

/** The smallest parts of the selector that no node meets; the whole selector if some node meets each part. */
function unmetParts(spec: PodSpec, at: FieldPath, nodes: readonly NodeModel[]): readonly UnmetPart[] {
  const selectorAt = at.child('nodeSelector');
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const requiredAt = at.child('affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  const labels = labelMapMatcher(spec.nodeSelector);
  const bySelector = nodes.filter(it => labels.matches(it.labels));
  const affinity = required && nodeSelectorMatcher(required);
  const byAffinity = affinity ? nodes.filter(it => affinity.matches(it)) : nodes;
  const all = counted(nodes.length, 'node');
  const res: UnmetPart[] = [];
  if (bySelector.length === 0) {
    const wrong = Object.entries(spec.nodeSelector ?? {}).filter(
      ([key, value]) => labelsOf(nodes).values.get(key)?.has(value) !== true,
    );
    for (const each of wrong.map(([key, value]) => wrongLabel(key, value, selectorAt.child(key), nodes)))
      res.push(each);
    const said = t`none of the ${all} has all the labels of nodeSelector, though each is on some node`;
    if (wrong.length === 0) res.push({ at: selectorAt, said });
  }
  if (byAffinity.length === 0) {
    const terms = required?.nodeSelectorTerms ?? [];
    const [only, ...others] = terms;
    const termsAt = requiredAt.child('nodeSelectorTerms');
    const wrong = only && others.length === 0 ? wrongExpressions(only, termsAt.index(0), nodes) : [];
    for (const each of wrong) res.push(each);
    const said =
      terms.length > 1
        ? t`none of the ${all} matches any of the ${terms.length} terms of the required node affinity`
        : t`none of the ${all} matches the required node affinity`;
    if (wrong.length === 0) res.push({ at: termsAt, said });
  }
  if (res.length > 0) return res;
  const said = t`no node matches both nodeSelector (${listed(bySelector.map(it => it.name))}) and the required node affinity (${listed(byAffinity.map(it => it.name))})`;
  return [{ at: selectorAt, said }];
}

function wrongLabel(key: string, value: string, at: FieldPath, nodes: readonly NodeModel[]): UnmetPart {
  const values = valuesOf(key, nodes);
  const start = t`none of the ${counted(nodes.length, 'node')} has the label ${key}=${value}`;
  if (values.length > 0)
    return {
      at,
      said: t`${start}; nodes have ${listed(values.map(it => `${key}=${it}`))}`,
      wrongValue: { at, value, values },
    };
  return { at, said: t`${start}, and none has ${quoted(key)} at all`, wrongKey: { key, keys: keysOf(nodes) } };
}

function wrongExpressions(term: NodeSelectorTerm, at: FieldPath, nodes: readonly NodeModel[]): readonly UnmetPart[] {
  const fields = (term.matchFields ?? []).map((it, i) => ({
    it,
    at: at.child('matchFields').index(i),
    one: { matchFields: [it] },
  }));
  const labels = (term.matchExpressions ?? []).map((it, i) => ({
    it,
    at: at.child('matchExpressions').index(i),
    one: { matchExpressions: [it] },
  }));
  const isMet = (one: NodeSelectorTerm): boolean => {
    const matcher: NodeMatcher = nodeSelectorMatcher({ nodeSelectorTerms: [one] });
    return nodes.some(node => matcher.matches(node));
  };
  return [...labels, ...fields]
    .filter(({ one }) => !isMet(one))
    .map(({ it, at: where }) => wrongExpression(it, where, nodes));
}

function wrongExpression(it: NodeSelectorRequirement, at: FieldPath, nodes: readonly NodeModel[]): UnmetPart {
  const { key = '', operator = '', values: wanted = [] } = it;
  const shown = `${key} ${operator}${wanted.length > 0 ? ` ${listed(wanted)}` : ''}`;
  const values = key === 'metadata.name' ? nodes.map(node => node.name) : valuesOf(key, nodes);
  const there = values.length > 0 ? t`; nodes have ${listed(values)}` : t`, and none has ${quoted(key)} at all`;
  const [value] = wanted;
  const hasOneValue = operator === 'In' && wanted.length === 1 && value !== undefined && values.length > 0;
  return {
    at,
    said: t`none of the ${counted(nodes.length, 'node')} meets ${shown}${there}`,
    ...(hasOneValue && { wrongValue: { at: at.child('values').index(0), value, values } }),
  };
}

const valuesOf = (key: string, nodes: readonly NodeModel[]): readonly string[] => labelsOf(nodes).sorted(key);

const keysOf = (nodes: readonly NodeModel[]): readonly string[] => labelsOf(nodes).keys();

/** The labels of the nodes of a cluster, by key: a Pod may ask for any number of them. */
const labelsOf = lazyByObject((nodes: readonly NodeModel[]) => {
  const values = new Map<string, Set<string>>();
  for (const { labels } of nodes)
    for (const [key, value] of Object.entries(labels)) values.set(key, (values.get(key) ?? new Set()).add(value));
  return {
    values: values as ReadonlyMap<string, ReadonlySet<string>>,
    sorted: lazyByText((key): readonly string[] => [...(values.get(key) ?? [])].sort()),
    keys: lazy((): readonly string[] => [...values.keys()].sort()),
  };
});
