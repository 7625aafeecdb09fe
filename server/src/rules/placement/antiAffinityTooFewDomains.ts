import { t } from '../../base/l10n';
import { quoted } from '../../base/quoted';
import { termMatches } from '../../cluster/pods/affinityTerms';
import type { PodModel } from '../../cluster/pods/podModel';
import { FieldPath } from '../../manifest/fieldPath';
import { change, fixOf } from '../edits/fix';
import { layered } from '../framework/layers';
import type { PlacementFacts } from '../framework/placementFacts';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { listed, upstreamWords } from './phrases';
import { sizedFacts } from './sizedFacts';

interface Facts {
  readonly key: string;
  readonly pods: number;
  readonly domains: readonly string[];
  readonly upstream: string;
}

const REPLICAS = FieldPath.of('spec', 'replicas');

export default defineRule<Facts>({
  meta: {
    code: 'placement/anti-affinity-too-few-domains',
    category: 'placement',
    severity: 'warning',
    cost: 'placement',
    summary: 'Pods that must keep apart from each other are more than the domains there are for them.',
    why: 'Required anti-affinity to its own labels lets one Pod into each domain of the topology key. The Pods beyond stay Pending.',
    remedy:
      'Lower the replicas, add nodes of another domain, or make the anti-affinity preferred or the topology key finer.',
    details:
      'Only nodes that the selectors, tolerations and requests of the Pod allow are counted. Silent unless the nodes of the cluster are known, and where a node without the topology key may take any number of them.',
    source: { project: 'kubernetes', symbol: 'interpodaffinity.satisfyPodAntiAffinity', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity',
  },
  on: 'podSpec',

  *check(target, { placement }) {
    const place = podSpecOf(target);
    if (place === undefined || !('affinity' in place.spec) || target.object.kind === 'DaemonSet') return;
    const facts = sizedFacts(placement?.(target.object));
    const pods = facts?.podsOf(target.object) ?? [];
    const [pod] = pods;
    if (facts === undefined || pod === undefined || pods.length < 2) return;
    const at = place.at.child('affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
    for (const [index, { topologyKey, isOwn }] of termsOf(pod, facts).entries()) {
      const domains = isOwn ? domainsOf(pod, topologyKey, facts) : undefined;
      if (domains === undefined || domains.length === 0 || domains.length >= pods.length) continue;
      yield {
        at: at.index(index).child('topologyKey'),
        part: 'value',
        facts: { key: topologyKey, pods: pods.length, domains, upstream: upstreamWords(target.object, facts) },
      };
    }
  },

  message: ({ facts: { key, pods, domains, upstream } }) =>
    layered(
      t`${pods} Pods must each have a ${quoted(key)} of their own, and the nodes open to them have only ${domains.length}: ${listed(domains)}`,
      upstream,
    ),

  fixes({ facts: { domains } }, { object }, _context, edit) {
    if (!object.manifest.has(REPLICAS)) return [];
    return [fixOf(change(REPLICAS, domains.length), object, edit)];
  },
});

function termsOf(pod: PodModel, { cluster }: PlacementFacts) {
  return pod.terms.requiredAnti.map(it => ({
    topologyKey: it.topologyKey,
    isOwn: termMatches(it, pod, cluster.namespaces),
  }));
}

/** undefined if a node without the label has room for any number of them. */
function domainsOf(pod: PodModel, key: string, facts: PlacementFacts): readonly string[] | undefined {
  const values = (facts.nodesOpenTo(pod) ?? []).map(it => it.labels[key]);
  return values.includes(undefined) ? undefined : [...new Set(values.flatMap(it => it ?? []))].sort();
}
