import { t } from '../../base/l10n';
import type { NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Container } from '../../kube/types';
import type { FieldPath } from '../../manifest/fieldPath';
import { amountIn } from '../../scheduler/framework/allocation';
import { change, fixOf } from '../edits/fix';
import { layered } from '../framework/layers';
import type { PlacementFacts } from '../framework/placementFacts';
import { defineRule } from '../framework/rule';
import { podSpecOf } from '../reading/podSpec';
import { amountText, counted, upstreamWords } from './phrases';
import { sizedFacts } from './sizedFacts';

interface Facts {
  readonly resource: string;
  readonly wanted: number;
  readonly most: number;
  readonly node: string;
  readonly nodes: number;
  readonly upstream: string;
  /** A value that fits; absent if several containers share the request. */
  readonly lower?: { readonly at: FieldPath; readonly text: string };
}

export default defineRule<Facts>({
  meta: {
    code: 'placement/request-too-large',
    category: 'placement',
    severity: 'warning',
    cost: 'placement',
    summary: 'A Pod asks for more of a resource than any node that it may go to has to give.',
    why: 'The Pod stays Pending even on an empty cluster: no node is that large, and evicting others does not help.',
    remedy: 'Ask for less, or add a larger node.',
    details:
      'What counts is the request of the whole Pod (the sum of its containers or the largest init container, and the overhead) against `status.allocatable`. Silent unless the nodes of the cluster are known.',
    source: { project: 'kubernetes', symbol: 'noderesources.fitsRequest', fidelity: 'same' },
    url: 'https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/',
  },
  on: 'podSpec',

  *check(target, { placement }) {
    const place = podSpecOf(target);
    const facts = sizedFacts(placement?.(target.object));
    if (place === undefined || facts === undefined) return;
    const pods = facts.podsOf(target.object).filter(it => facts.attemptOf(it) !== undefined && !facts.nodeOf(it));
    // Each Pod of a DaemonSet is for one node, so all of them are checked; the Pods of other kinds are alike.
    const checked = target.object.kind === 'DaemonSet' ? pods : pods.slice(0, 1);
    const [pod] = checked;
    // Most Pods ask for less than each node has, which takes no run of the scheduler to know.
    if (pod === undefined || !lacksSomewhere(pod, facts.cluster.nodes)) return;
    const short = checked.map(it => tooSmallFor(it, facts));
    if (short.some(it => it === undefined)) return;
    const nodes = short.flatMap(it => it ?? []);
    const upstream = upstreamWords(target.object, facts);
    for (const resource of resourcesOf(pod)) {
      const wanted = amountIn(pod.requests, resource);
      const largest = nodes.reduce((best, it) => (amountOn(it, resource) > amountOn(best, resource) ? it : best));
      const most = amountOn(largest, resource);
      if (wanted <= most) continue;
      const { at, lower } = locationOf(resource, place.at, pod, wanted - most);
      const shown = { resource, wanted, most, node: largest.name, nodes: nodes.length, upstream };
      yield {
        at: target.object.manifest.has(at) ? at : place.at.child('containers'),
        part: 'entry',
        facts: { ...shown, ...(lower && { lower }) },
      };
    }
  },

  message: ({ facts: { resource, wanted, most, node, nodes, upstream } }) => {
    if (most === 0) {
      const none =
        nodes === 1
          ? t`${node}, the only node that it may go to, has none`
          : t`none of the ${nodes} nodes that it may go to has any`;
      return layered(t`the Pod asks for ${amountText(resource, wanted)} ${resource}, and ${none}`, upstream);
    }
    const who =
      nodes === 1
        ? t`${node}, the only node that it may go to, has`
        : t`the most that one of the ${counted(nodes, 'node')} that it may go to has is`;
    const what = nodes === 1 ? amountText(resource, most) : `${amountText(resource, most)} (${node})`;
    return layered(t`the Pod asks for ${amountText(resource, wanted)} ${resource}, and ${who} ${what}`, upstream);
  },

  fixes({ facts: { lower, node } }, { object }, _context, edit) {
    if (lower === undefined || !object.manifest.has(lower.at)) return [];
    const fix = fixOf(change(lower.at, lower.text), object, edit);
    return [{ ...fix, title: t`Ask for ${lower.text}, which ${node} has` }];
  },
});

/**
 * The nodes that are too small for the Pod even when empty; undefined if one is large enough, or none was evaluated.
 */
function tooSmallFor(pod: PodModel, { aloneOf, cluster }: PlacementFacts): readonly NodeModel[] | undefined {
  const nodes = aloneOf(pod)?.nodes ?? [];
  const isSmall = (it: (typeof nodes)[number]): boolean =>
    it.verdict === 'rejected' && it.plugin === 'NodeResourcesFit';
  const small = new Set(nodes.filter(isSmall).map(it => it.node));
  const last = nodes.some(it => it.verdict === 'feasible' || (it.verdict === 'rejected' && AFTER_FIT.has(it.plugin)));
  return last || small.size === 0 ? undefined : cluster.nodes.filter(it => small.has(it.name));
}

/** Plugins that upstream runs after NodeResourcesFit: a node that they refuse is large enough. */
const AFTER_FIT: ReadonlySet<string> = new Set([
  'VolumeRestrictions',
  'NodeVolumeLimits',
  'VolumeBinding',
  'VolumeZone',
  'PodTopologySpread',
  'InterPodAffinity',
  'DynamicResources',
]);

const resourcesOf = ({ requests }: PodModel): readonly string[] => [
  'cpu',
  'memory',
  'ephemeral-storage',
  ...requests.scalar.keys(),
];

/** Whether some node has less of some resource than the Pod asks for. */
function lacksSomewhere(pod: PodModel, nodes: readonly NodeModel[]): boolean {
  return resourcesOf(pod).some(resource => {
    const wanted = amountIn(pod.requests, resource);
    return nodes.some(it => amountOn(it, resource) < wanted);
  });
}

const amountOn = ({ allocatable }: NodeModel, resource: string): number => amountIn(allocatable, resource);

/** Where the request is written: at the only container that makes it, or at the Pod. */
function locationOf(
  resource: string,
  at: FieldPath,
  pod: PodModel,
  excess: number,
): { readonly at: FieldPath; readonly lower?: Facts['lower'] } {
  const { spec } = pod.source;
  const wholePod = spec?.resources?.requests?.[resource];
  if (wholePod !== undefined) return { at: at.child('resources', 'requests', resource) };
  const asking = (['containers', 'initContainers'] as const).flatMap(list =>
    ((spec?.[list] ?? []) as readonly Container[]).flatMap((it, i) => {
      const found = (['requests', 'limits'] as const).find(kind => it.resources?.[kind]?.[resource] !== undefined);
      return found ? [at.child(list).index(i).child('resources', found, resource)] : [];
    }),
  );
  const [only] = asking;
  if (only === undefined) return { at: at.child('containers') };
  const left = amountIn(pod.requests, resource) - excess;
  const isOwn = asking.length === 1 && !resource.includes('/') && spec?.overhead === undefined && left > 0;
  return {
    at: only,
    ...(isOwn && only.toString().includes('.requests.') && { lower: { at: only, text: amountText(resource, left) } }),
  };
}
