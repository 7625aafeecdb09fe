import { asList, asObject, asText, type JsonValue } from '../../../base/json';
import { lazy, lazyByObject, lazyByText } from '../../../base/lazy';
import { push } from '../../../base/multiMap';
import { requiredNodeAffinity } from '../../../cluster/pods/requiredAffinity';
import { isTolerated } from '../../../cluster/pods/tolerations';
import type { Kube } from '../../../kube/kube';
import { labelMatcher } from '../../../kube/labelSelector';
import type { PodSpec, StringMap, Taint } from '../../../kube/types';
import { fieldAt } from '../../../manifest/valueAt';
import type { WorkspaceObject } from '../../../workspace/object';
import { selectorOf, textsOf } from '../../../workspace/references/references';
import { decodedOfKind } from '../../apiserver/validate/decoded';
import type { RuleContext, RuleTarget } from '../../framework/rule';
import { podSpecOf } from '../../reading/podSpec';
import type { IssueFunction } from './issueFunction';

const HOSTNAME = 'kubernetes.io/hostname';

/** Whether a node selector requirement on the host name means a Node whose label is not its name. */
export const hasNodeOfOtherHostname: IssueFunction = (self, _target, { snapshot }) => {
  const { key, values } = asObject(self) ?? {};
  if (key !== HOSTNAME) return false;
  const names = otherHostnames(snapshot.objectsOf('', 'Node'));
  return asList(values).some(it => names.has(it));
};

/** The names and host names of the Nodes where these differ. A list of the index goes with its snapshot. */
const otherHostnames = lazyByObject(
  (nodes: readonly WorkspaceObject[]): ReadonlySet<unknown> =>
    new Set(
      nodes.flatMap(({ name, manifest }) => {
        const label = asText(fieldAt(manifest.value, 'metadata', 'labels', HOSTNAME));
        return label === undefined || label === name ? [] : [label, name];
      }),
    ),
);

/** Whether the labels of a Pod without a controller match the selector of a DaemonSet in another namespace. */
export const isSelectedByOtherDaemonSet: IssueFunction = (self, { object, value }, { snapshot }) => {
  if (asList(fieldAt(value, 'metadata', 'ownerReferences')).length > 0) return false;
  const labels = textsOf(asObject(self as JsonValue | undefined));
  const others = selectorsOfDaemonSets(snapshot.objectsOf('apps', 'DaemonSet'));
  return others.some(it => it.namespace !== object.namespace && it.matcher.matches(labels));
};

const selectorsOfDaemonSets = lazyByObject((daemonSets: readonly WorkspaceObject[]) =>
  daemonSets.flatMap(({ namespace, manifest }) => {
    const selector = asObject(fieldAt(manifest.value, 'spec', 'selector'));
    return selector === undefined ? [] : [{ namespace, matcher: labelMatcher(selectorOf(selector)) }];
  }),
);

/**
 * Whether a constraint counts a domain of the workspace's Nodes that takes none of its Pods.
 * Upstream: topologyspreadconstraint.matchNodeInclusionPolicies; nodeTaintsPolicy is Ignore where it is absent.
 */
export const countsDomainOfTaintedNodes: IssueFunction = (self, target, context) => {
  const { topologyKey, whenUnsatisfiable, nodeTaintsPolicy, nodeAffinityPolicy } = asObject(self) ?? {};
  const key = asText(topologyKey);
  if (whenUnsatisfiable !== 'DoNotSchedule' || nodeTaintsPolicy === 'Honor' || key === undefined) return false;
  const { ofAll, ofMeant } = closedDomainsFor(target, context);
  return (nodeAffinityPolicy === 'Ignore' ? ofAll : ofMeant)(key);
};

interface TopologyNode {
  /** Its place in the list of nodes. */
  readonly index: number;
  readonly name: string;
  readonly labels: StringMap;
  readonly taints: readonly Taint[];
}

/** Whether a topology key has a domain that is closed to a Pod, among those of all nodes and of those that it selects. */
interface ClosedDomains {
  readonly ofAll: (key: string) => boolean;
  readonly ofMeant: (key: string) => boolean;
}

interface TopologyNodes {
  readonly all: readonly TopologyNode[];
  readonly byLabel: ReadonlyMap<string, readonly TopologyNode[]>;
}

const NO_CLOSED_DOMAINS: ClosedDomains = { ofAll: () => false, ofMeant: () => false };

/** Computed once for the object: any number of constraints may name the same key. */
function closedDomainsFor(target: RuleTarget, { kube, snapshot, answers }: RuleContext): ClosedDomains {
  const known = answers?.get('domains of tainted nodes') as ClosedDomains | undefined;
  if (known !== undefined) return known;
  const written = snapshot.objectsOf('', 'Node');
  const nodes = kube.parts.of('nodes by label', written, () => topologyNodes(written, kube));
  const made = nodes.all.every(it => it.taints.length === 0) ? NO_CLOSED_DOMAINS : closedDomains(target, kube, nodes);
  answers?.set('domains of tainted nodes', made);
  return made;
}

function topologyNodes(written: readonly WorkspaceObject[], kube: Kube): TopologyNodes {
  const byLabel = new Map<string, TopologyNode[]>();
  const all = written.map(({ name = '', apiVersion, kind, manifest }, index) => {
    const value = decodedOfKind(manifest.value, kube.kindOf(apiVersion, kind), kube);
    const labels = (asObject(fieldAt(value, 'metadata', 'labels')) ?? {}) as StringMap;
    const taints = asList(fieldAt(value, 'spec', 'taints')) as unknown as readonly Taint[];
    const node = { index, name, labels, taints: taints.filter(it => it.effect !== 'PreferNoSchedule') };
    for (const key of Object.keys(labels)) push(byLabel, key, node);
    return node;
  });
  return { all, byLabel };
}

function closedDomains(target: RuleTarget, kube: Kube, { all, byLabel }: TopologyNodes): ClosedDomains {
  const spec = podSpecOf({ ...target, value: decodedOfKind(target.value, target.kind, kube) })?.spec as
    | PodSpec
    | undefined;
  if (spec === undefined) return NO_CLOSED_DOMAINS;
  const comparison = kube.isGateOn('TaintTolerationComparisonOperators') ? 'on' : 'off';
  const { tolerations = [] } = spec;
  const isClosed = lazy(() => all.map(it => it.taints.some(taint => !isTolerated(taint, tolerations, comparison))));
  const isMeant = lazy(() => {
    const affinity = requiredNodeAffinity(spec);
    return all.map(it => affinity.matches(it));
  });
  const hasClosed = (key: string, isCounted: (node: TopologyNode) => boolean): boolean => {
    const counted = (byLabel.get(key) ?? []).filter(isCounted);
    const open = new Set(counted.flatMap(it => (isClosed()[it.index] ? [] : [it.labels[key]])));
    return open.size > 0 && counted.some(it => !open.has(it.labels[key]));
  };
  return {
    ofAll: lazyByText(key => hasClosed(key, () => true)),
    ofMeant: lazyByText(key => hasClosed(key, it => isMeant()[it.index] === true)),
  };
}
