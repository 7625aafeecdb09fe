import { type LabelMatcher, labelMatcher } from '../../kube/labelSelector';
import type { PodAffinity, PodAffinityTerm, PodSpec, StringMap } from '../../kube/types';

/** One term, prepared for matching. Upstream: framework.AffinityTerm. */
export interface AffinityTerm {
  readonly topologyKey: string;
  readonly weight: number;
  readonly selector: LabelMatcher;
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: LabelMatcher;
}

export interface PodTerms {
  readonly required: readonly AffinityTerm[];
  readonly requiredAnti: readonly AffinityTerm[];
  readonly preferred: readonly AffinityTerm[];
  readonly preferredAnti: readonly AffinityTerm[];
}

export const NO_TERMS: PodTerms = { required: [], requiredAnti: [], preferred: [], preferredAnti: [] };

export function podTerms(spec: PodSpec, namespace: string): PodTerms {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  if (!podAffinity && !podAntiAffinity) return NO_TERMS;
  return {
    required: requiredTerms(podAffinity, namespace),
    requiredAnti: requiredTerms(podAntiAffinity, namespace),
    preferred: preferredTermsOf(podAffinity, namespace),
    preferredAnti: preferredTermsOf(podAntiAffinity, namespace),
  };
}

/** Whether the term matches a Pod with these labels in this namespace. Upstream: AffinityTerm.Matches. */
export function termMatches(
  term: AffinityTerm,
  pod: { readonly namespace: string; readonly labels: StringMap },
  namespaces: ReadonlyMap<string, StringMap>,
): boolean {
  const inNamespace =
    term.namespaces.has(pod.namespace) || term.namespaceSelector.matches(namespaces.get(pod.namespace) ?? {});
  return inNamespace && term.selector.matches(pod.labels);
}

function requiredTerms(affinity: PodAffinity | undefined, namespace: string): readonly AffinityTerm[] {
  return (affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(it => termOf(it, 0, namespace));
}

function preferredTermsOf(affinity: PodAffinity | undefined, namespace: string): readonly AffinityTerm[] {
  return (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(it =>
    it.podAffinityTerm ? [termOf(it.podAffinityTerm, it.weight ?? 0, namespace)] : [],
  );
}

/** Prepares a term of a Pod in a namespace for matching. */
export function termOf(term: PodAffinityTerm, weight: number, namespace: string): AffinityTerm {
  const named = term.namespaces ?? [];
  const ownOnly = named.length === 0 && !term.namespaceSelector;
  return {
    topologyKey: term.topologyKey ?? '',
    weight,
    selector: labelMatcher(term.labelSelector),
    namespaces: new Set(ownOnly ? [namespace] : named),
    namespaceSelector: labelMatcher(term.namespaceSelector),
  };
}
