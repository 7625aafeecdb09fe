import { jsonText } from '../../../base/printed';
import { type AffinityTerm, type PodTerms, termMatches } from '../../../cluster/pods/affinityTerms';
import type { PodModel } from '../../../cluster/pods/podModel';
import type { LabelMatcher } from '../../../kube/labelSelector';
import type { StringMap } from '../../../kube/types';
import type { Cycle } from '../../framework/interface';
import { hasTerms } from '../../framework/nodeInfo';
import { countMatching, matchingClasses, noneTested } from '../../framework/podCounts';
import type { BorrowedNumbers, PodClass } from '../../framework/sharedWork';

export type TermNamespaces = ReadonlyMap<string, StringMap>;

/** The contribution of one Pod to its node's value of a topology key. */
export interface Share {
  readonly topologyKey: string;
  readonly by: number;
}

const NO_SHARES: readonly Share[] = [];
const NO_TERM_GROUPS: readonly TermGroup[] = [];

/** Pods with the same terms, some of which match a Pod. */
export interface TermGroup {
  readonly group: PodClass;
  readonly shares: readonly Share[];
}

/**
 * The Pods with terms that contribute for this one; new groups are appended. Pods of one workload share the same terms
 * object. `question` names the question that `sharesOf` answers.
 */
export function termGroupsFor(
  question: string,
  pod: PodModel,
  { nodes, work }: Cycle,
  sharesOf: (terms: PodTerms) => readonly Share[],
): readonly TermGroup[] {
  const others = work.podClasses('terms', it => (hasTerms(it) ? it.terms : undefined), nodes);
  if (others.length === 0) return NO_TERM_GROUPS;
  const cached = work.alwaysForClass(pod)(question, () => ({ tested: noneTested(), termGroups: [] as TermGroup[] }));
  if (cached.tested.of !== others) cached.termGroups = [];
  const adds = (group: PodClass): boolean => {
    const shares = sharesOf(group.sample.terms);
    if (shares.length > 0) cached.termGroups.push({ group, shares });
    return shares.length > 0;
  };
  matchingClasses(others, adds, cached.tested);
  return cached.termGroups;
}

/** One share for each of some terms that matches the Pod. */
export function sharesOfTerms(
  terms: readonly AffinityTerm[],
  pod: PodModel,
  namespaces: TermNamespaces,
  weight: (term: AffinityTerm) => number,
): readonly Share[] {
  let found = NO_SHARES;
  for (const it of terms) {
    if (termMatches(it, pod, namespaces)) found = [...found, { topologyKey: it.topologyKey, by: weight(it) }];
  }
  return found;
}

/** The number of Pods that match all of some terms, by `NodeInfo.index`; valid within the cycle. */
export function countsOf(terms: readonly AffinityTerm[], cycle: Cycle): BorrowedNumbers {
  const { namespaces } = cycle.cluster;
  return countMatching(signTerms(terms, cycle), 'all', it => matchesAll(terms, it, namespaces), cycle);
}

/** Pods of one workload share the terms object, so its text is computed once. */
function signTerms(terms: readonly AffinityTerm[], { work }: Cycle): string {
  const [first] = terms;
  const make = (): string => `InterPodAffinity/${terms.map(signTerm).join()}`;
  return terms.length === 1 && first ? work.always(first, make) : make();
}

/** The Pods and the topology of a term, as text. */
function signTerm({ topologyKey, selector, namespaces, namespaceSelector }: AffinityTerm): string {
  const sign = ({ kind, requirements }: LabelMatcher): unknown => [kind, requirements];
  return jsonText([topologyKey, sign(selector), [...namespaces], sign(namespaceSelector)]);
}

/** Without terms no Pod matches. */
export function matchesAll(terms: readonly AffinityTerm[], pod: PodModel, namespaces: TermNamespaces): boolean {
  return terms.length > 0 && terms.every(it => termMatches(it, pod, namespaces));
}

/** The preferred terms of a Pod, with the weight of a matching Pod. */
export function preferredTerms({
  terms,
}: PodModel): readonly { readonly term: AffinityTerm; readonly weight: number }[] {
  return [
    ...terms.preferred.map(term => ({ term, weight: term.weight })),
    ...terms.preferredAnti.map(term => ({ term, weight: -term.weight })),
  ];
}

/** The weight of other Pods' terms for a Pod. */
export function weightOf(pod: PodModel, { cluster }: Cycle, hardWeight: number): (terms: PodTerms) => readonly Share[] {
  const { namespaces } = cluster;
  return ({ required, preferred, preferredAnti }) => [
    ...(hardWeight > 0 ? sharesOfTerms(required, pod, namespaces, () => hardWeight) : NO_SHARES),
    ...sharesOfTerms(preferred, pod, namespaces, it => it.weight),
    ...sharesOfTerms(preferredAnti, pod, namespaces, it => -it.weight),
  ];
}
