import { t } from '../../../base/l10n';
import { nearestNames } from '../../../base/nearest';
import { termMatches } from '../../../cluster/pods/affinityTerms';
import type { PodModel } from '../../../cluster/pods/podModel';
import type { PodAffinityTerm } from '../../../kube/types';
import { type ChangeCandidate, MAX_ALTERNATIVES, type Propose, type Situation, specEdit } from '../candidate';
import type { Edit, PathStep } from '../edits';
import { holderOf } from '../holders';

const PLUGIN = 'InterPodAffinity';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';

type Field = 'podAffinity' | 'podAntiAffinity';

/** Proposals by upstream's reason. */
export const relaxPodAffinity: Propose = (situation, rejection) => {
  const hasReason = (text: string): boolean => rejection.reasons.has(text);
  return [
    ...(hasReason("node(s) didn't match pod affinity rules") ? ownTerms(situation, 'podAffinity') : []),
    ...(hasReason("node(s) didn't match pod anti-affinity rules") ? ownTerms(situation, 'podAntiAffinity') : []),
    ...(hasReason("node(s) didn't satisfy existing pods anti-affinity rules")
      ? termsOfOthers(
          situation,
          rejection.nodes.flatMap(it => it.podsWithAffinity),
        )
      : []),
  ];
};

function change(words: string, cost: number, ...edits: readonly Edit[]): ChangeCandidate {
  return { kind: 'podAffinity', plugin: PLUGIN, words, edits, cost, verifiedBy: 'filters' };
}

function ownTerms(situation: Situation, field: Field): readonly ChangeCandidate[] {
  const { holder } = situation;
  const terms = holder.spec.affinity?.[field]?.[REQUIRED] ?? [];
  const changes = terms.flatMap((term, i) => [
    ...topologyChange(situation, field, term, i),
    ...(field === 'podAffinity' ? labelChanges(situation, term, i) : []),
    change(...preferInstead(situation.holder, field, terms, i)),
  ]);
  // The workload's other Pods repel this one by the same terms, and change with it.
  return holder.ref.kind === 'Pod' ? changes : changes.map(it => ({ ...it, verifiedBy: 'run' }));
}

/** Words, cost and edits for a term that becomes preferred instead of required. */
function preferInstead(
  holder: Situation['holder'],
  field: Field,
  terms: readonly PodAffinityTerm[],
  i: number,
): [string, number, ...Edit[]] {
  const at: readonly PathStep[] = ['affinity', field];
  const term = terms[i];
  return [
    preferred(field, podTermInWords(term), term?.topologyKey ?? ''),
    3,
    specEdit(holder, [...at, PREFERRED], 'append', { weight: 100, podAffinityTerm: term }),
    specEdit(holder, terms.length === 1 ? [...at, REQUIRED] : [...at, REQUIRED, i], 'remove'),
  ];
}

const preferred = (field: Field, pods: string, topologyKey: string): string =>
  field === 'podAffinity'
    ? t`prefer the Pod affinity to ${pods} over ${topologyKey} instead of requiring it`
    : t`prefer the Pod anti-affinity to ${pods} over ${topologyKey} instead of requiring it`;

/** Anti-affinity between nodes instead of zones; affinity within a zone instead of a node. */
function topologyChange(
  { holder }: Situation,
  field: Field,
  term: PodAffinityTerm,
  i: number,
): readonly ChangeCandidate[] {
  const [from, to] = field === 'podAntiAffinity' ? [ZONE, HOSTNAME] : [HOSTNAME, ZONE];
  if (term.topologyKey !== from) return [];
  return [
    change(
      field === 'podAffinity'
        ? t`ask for the Pod affinity to ${podTermInWords(term)} over ${to} instead of ${from}`
        : t`ask for the Pod anti-affinity to ${podTermInWords(term)} over ${to} instead of ${from}`,
      2.5,
      specEdit(holder, ['affinity', field, REQUIRED, i, 'topologyKey'], 'set', to),
    ),
  ];
}

/** Labels of running Pods that are similar to those that the term names. */
function labelChanges({ holder, tried }: Situation, term: PodAffinityTerm, i: number): readonly ChangeCandidate[] {
  const labels = (tried?.cycle.nodes ?? []).flatMap(it => it.pods.map(pod => pod.labels));
  return Object.entries(term.labelSelector?.matchLabels ?? {}).flatMap(([key, value]) => {
    const values = new Set(labels.flatMap(it => it[key] ?? []));
    if (values.has(value)) return [];
    return nearestNames(value, values)
      .slice(0, 1)
      .map(other =>
        change(
          t`be near Pods with ${key}=${other} instead of ${value}`,
          1,
          specEdit(holder, ['affinity', 'podAffinity', REQUIRED, i, 'labelSelector', 'matchLabels', key], 'set', other),
        ),
      );
  });
}

/** Relaxes anti-affinity of other Pods against this one, where the others are written. */
function termsOfOthers(
  { pod, cluster, documents }: Situation,
  others: readonly PodModel[],
): readonly ChangeCandidate[] {
  const found = new Map<string, ChangeCandidate>();
  for (const other of others) {
    if (found.size >= MAX_ALTERNATIVES) break;
    const meant = other.terms.requiredAnti.findIndex(it => termMatches(it, pod, cluster.namespaces));
    const holder = meant < 0 ? undefined : holderOf(other, cluster, documents);
    const terms = holder?.spec.affinity?.podAntiAffinity?.[REQUIRED] ?? [];
    if (holder === undefined || terms[meant] === undefined) continue;
    const name = `${holder.ref.kind} ${holder.ref.name}`;
    if (found.has(name)) continue;
    const [words, cost, ...edits] = preferInstead(holder, 'podAntiAffinity', terms, meant);
    found.set(name, { ...change(t`in ${name}, ${words}`, cost + 2, ...edits), verifiedBy: 'run' });
  }
  return [...found.values()];
}

/** The Pods that a term selects: "Pods with app=web". */
export function podTermInWords(term: PodAffinityTerm | undefined): string {
  const { matchLabels = {}, matchExpressions = [] } = term?.labelSelector ?? {};
  const parts = [
    ...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`),
    ...matchExpressions.map(it => `${it.key ?? ''} ${it.operator ?? ''} ${(it.values ?? []).join(',')}`.trim()),
  ];
  return parts.length === 0 ? t('all Pods') : t`Pods with ${parts.join(', ')}`;
}
