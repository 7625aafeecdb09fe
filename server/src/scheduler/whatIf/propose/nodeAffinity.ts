import { t } from '../../../base/l10n';
import { nearestNames } from '../../../base/nearest';
import { ownOf } from '../../../base/ownOf';
import type { NodeSelectorRequirement, NodeSelectorTerm } from '../../../kube/types';
import type { NodeInfo } from '../../framework/nodeInfo';
import { type ChangeCandidate, MAX_ALTERNATIVES, type Propose, type Situation, specEdit } from '../candidate';
import type { Edit, PathStep } from '../edits';

const PLUGIN = 'NodeAffinity';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Other values, or weaker requirements. The DaemonSet controller writes its Pods' affinity itself. */
export const relaxNodeAffinity: Propose = (situation, { nodes }) => {
  if (situation.holder.ref.kind === 'DaemonSet') return selectorChanges(situation, nodes);
  return [...selectorChanges(situation, nodes), ...affinityChanges(situation, nodes)];
};

function candidate(
  kind: ChangeCandidate['kind'],
  words: string,
  cost: number,
  ...edits: readonly Edit[]
): ChangeCandidate {
  return { kind, plugin: PLUGIN, words, edits, cost, verifiedBy: 'filters' };
}

/** A label's values on nodes, most frequent first. */
function valuesOf(nodes: readonly NodeInfo[], key: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const { node } of nodes) {
    const value = ownOf(node.labels, key);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([it]) => it);
}

function selectorChanges({ holder, cluster }: Situation, nodes: readonly NodeInfo[]): readonly ChangeCandidate[] {
  const entries = Object.entries(holder.spec.nodeSelector ?? {});
  const keys = new Set(cluster.nodes.flatMap(it => Object.keys(it.labels)));
  return entries.flatMap(([key, value]) => {
    const path = ['nodeSelector', key];
    const missing = nodes.filter(it => it.node.labels[key] !== value);
    if (missing.length === 0) return [];
    const values = valuesOf(missing, key).slice(0, MAX_ALTERNATIVES);
    const [near] = nearestNames(value, values);
    const others = values.map(other =>
      candidate(
        'nodeSelector',
        t`select nodes with ${key}=${other} instead of ${value}`,
        other === near ? 1 : 2.5,
        specEdit(holder, path, 'set', other),
      ),
    );
    const renamed = nearestNames(key, keys)
      .slice(0, 1)
      .map(other =>
        candidate(
          'nodeSelector',
          t`select nodes by the label ${other} instead of ${key}`,
          1,
          specEdit(holder, ['nodeSelector', other], 'set', value),
          specEdit(holder, path, 'remove'),
        ),
      );
    const isOnly = entries.length === 1;
    const dropped = candidate(
      'nodeSelector',
      t`drop ${key}=${value} from the nodeSelector`,
      3,
      specEdit(holder, isOnly ? ['nodeSelector'] : path, 'remove'),
    );
    return [...renamed, ...others, dropped];
  });
}

function affinityChanges({ holder }: Situation, nodes: readonly NodeInfo[]): readonly ChangeCandidate[] {
  const required = holder.spec.affinity?.nodeAffinity?.[REQUIRED];
  const terms = required?.nodeSelectorTerms ?? [];
  const at = ['affinity', 'nodeAffinity', REQUIRED];
  const inTerms = terms.flatMap((term, t) =>
    (term.matchExpressions ?? []).flatMap((it, e) =>
      requirementChanges(
        it,
        (path, action, value) =>
          specEdit(holder, [...at, 'nodeSelectorTerms', t, 'matchExpressions', e, ...path], action, value),
        nodes,
        isAlone(term) ? 'alone' : 'among others',
      ),
    ),
  );
  if (terms.length === 0) return inTerms;
  const preferred = terms.map(preference => ({ weight: 100, preference }));
  return [
    ...inTerms,
    candidate(
      'nodeAffinity',
      t('prefer the nodes of the required node affinity instead of requiring them'),
      3.5,
      ...preferred.map(it => specEdit(holder, ['affinity', 'nodeAffinity', PREFERRED], 'append', it)),
      specEdit(holder, at, 'remove'),
    ),
  ];
}

const isAlone = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean =>
  matchExpressions.length + matchFields.length === 1;

/** A term without requirements matches nothing, so the last requirement of a term is never removed. */
function requirementChanges(
  { key = '', operator, values = [] }: NodeSelectorRequirement,
  edit: (path: readonly PathStep[], action: Edit['action'], value?: unknown) => Edit,
  nodes: readonly NodeInfo[],
  stands: 'alone' | 'among others',
): readonly ChangeCandidate[] {
  const dropped =
    stands === 'alone'
      ? []
      : [
          candidate(
            'nodeAffinity',
            t`drop ${`${key} ${operator ?? ''} ${values.join(',')}`.trimEnd()} from the node affinity`,
            3,
            edit([], 'remove'),
          ),
        ];
  if (operator === 'In') {
    const others = valuesOf(nodes, key)
      .filter(it => !values.includes(it))
      .slice(0, MAX_ALTERNATIVES);
    const near = new Set(values.flatMap(it => nearestNames(it, others).slice(0, 1)));
    const added = others.map(it =>
      candidate(
        'nodeAffinity',
        t`let the node affinity take ${key}=${it}, too`,
        near.has(it) ? 1 : 2,
        edit(['values'], 'append', it),
      ),
    );
    return [...added, ...dropped];
  }
  if (operator === 'NotIn' && values.length > 1) {
    const taken = values.map((it, i) =>
      candidate(
        'nodeAffinity',
        t`take ${it} from what the node affinity does not want of ${key}`,
        2,
        edit(['values', i], 'remove'),
      ),
    );
    return [...taken, ...dropped];
  }
  return dropped;
}
