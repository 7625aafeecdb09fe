import { asList, asObject, type JsonObject } from '../../base/json';
import { t } from '../../base/l10n';
import { rolloutBounds } from '../../cluster/controllers/rolloutBounds';
import { termMatches } from '../../cluster/pods/affinityTerms';
import type { PodModel } from '../../cluster/pods/podModel';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import { change, fixOf } from '../edits/fix';
import { layered } from '../framework/layers';
import type { PlacementFacts } from '../framework/placementFacts';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { nameLocation } from './phrases';
import { sizedFacts } from './sizedFacts';

interface Facts {
  readonly replicas: number;
  readonly why: string;
  readonly upstream: string;
}

const UNAVAILABLE = FieldPath.of('spec', 'strategy', 'rollingUpdate', 'maxUnavailable');

export default defineRule<Facts>({
  meta: {
    code: 'placement/rollout-cannot-surge',
    category: 'placement',
    severity: 'warning',
    cost: 'placement',
    summary: 'A rolling update needs a node for one Pod more, and there is none for it.',
    why: 'maxUnavailable is 0, so that no old Pod goes before a new one is ready, and the new one is kept off every node by the old ones: it stays Pending, and the rollout never ends.',
    remedy: 'Let an old Pod go first (`maxUnavailable: 1`), add a node, or make the anti-affinity preferred.',
    details:
      'By default maxUnavailable is 25 %, rounded down: 0 for up to three replicas. Only Pods that keep each other off a node are looked at: by required anti-affinity to their own labels or by a host port. Silent unless the nodes of the cluster are known.',
    source: { project: 'kubernetes', symbol: 'deploymentutil.ResolveFenceposts, kube-scheduler', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#rolling-update-deployment',
  },
  on: ['Deployment'],

  *check(target, { placement }) {
    const { object, value } = target;
    const bounds = rolloutBounds(value);
    if (bounds === undefined || bounds.unavailable > 0 || bounds.replicas === 0) return;
    if (comparesRevisions(target.value)) return;
    const place = podSpecOf(target);
    const facts = place && sizedFacts(placement?.(object));
    const pods = facts?.podsOf(object) ?? [];
    const [pod] = pods;
    if (facts === undefined || pod === undefined || pods.some(it => facts.nodeOf(it) === undefined)) return;
    const why = whyApart(pod, facts);
    if (why === undefined) return;
    const found = facts.withReplicas(object, pods.length + 1);
    if (found === undefined || found.wanted <= pods.length || found.placed > pods.length) return;
    const { message = '' } = found;
    yield {
      at: object.manifest.has(UNAVAILABLE) ? UNAVAILABLE : nameLocation(object),
      part: 'value',
      facts: { replicas: pods.length, why, upstream: message },
    };
  },

  message: ({ facts: { replicas, why, upstream } }) =>
    layered(
      t`no rollout ends: with maxUnavailable 0 a Pod is added beside the ${replicas} that run, and no node is left for it (${why})`,
      upstream,
    ),

  fixes: (_finding, { object }, _context, edit) => [fixOf(change(UNAVAILABLE, 1), object, edit)],
});

/** Why two Pods of the workload cannot share a node. */
function whyApart(pod: PodModel, { cluster }: PlacementFacts): string | undefined {
  const [port] = pod.hostPorts;
  if (port !== undefined) return `each needs port ${port.port} of its node`;
  const own = pod.terms.requiredAnti.find(it => termMatches(it, pod, cluster.namespaces));
  return own === undefined ? undefined : `required anti-affinity lets one into each ${own.topologyKey}`;
}

/** Whether a term tells the Pods of a new revision from those of the old one. */
function comparesRevisions(value: JsonObject): boolean {
  const at = ['spec', 'template', 'spec', 'affinity', 'podAntiAffinity'];
  const terms = asList(fieldAt(value, ...at, 'requiredDuringSchedulingIgnoredDuringExecution')).map(asObject);
  return terms.some(it => asList(it?.matchLabelKeys).length + asList(it?.mismatchLabelKeys).length > 0);
}
