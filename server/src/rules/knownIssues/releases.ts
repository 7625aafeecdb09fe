import { asObject, asText } from '../../base/json';
import type { Kube } from '../../kube/kube';
import { type KubernetesVersion, type Release, releaseOf, versionIn } from '../../kube/version';
import type { RuleContext } from '../framework/rule';
import type { Component } from './knownIssue';

const OF_NODES: readonly Component[] = ['kubelet', 'kube-proxy'];

export const isOfNodes = (component: Component): boolean => OF_NODES.includes(component);

/** The distinct releases of a component: of the nodes' programs as many as the nodes have, else that of the control plane. */
export function releasesOf(component: Component, context: RuleContext): readonly Release[] {
  const { answers } = context;
  const key = isOfNodes(component) ? 'releases of nodes' : 'release of the control plane';
  const known = answers?.get(key) as readonly Release[] | undefined;
  if (known !== undefined) return known;
  const ofNodes = isOfNodes(component) ? nodeReleases(context) : [];
  const made = ofNodes.length > 0 ? ofNodes : [controlPlaneRelease(context)];
  answers?.set(key, made);
  return made;
}

/** The patch release that the settings name, else that of the chosen cluster if it has their minor, else the newest. */
function controlPlaneRelease({ kube, clusterVersion }: Pick<RuleContext, 'kube' | 'clusterVersion'>): Release {
  const running = clusterVersion === undefined ? undefined : versionIn(clusterVersion);
  const isSameMinor = running?.minor === kube.minor;
  return releaseOf(kube.patch === undefined && isSameMinor ? running : kube);
}

/** What the kubelets of the nodes say that they run, in the workspace and in the chosen cluster. */
function nodeReleases({ kube, snapshot, clusterObjects }: RuleContext): readonly Release[] {
  const written = snapshot.objectsOf('', 'Node');
  const running = clusterObjects?.('', 'Node') ?? [];
  if (written.length + running.length === 0) return [];
  const all = [
    ...distinct(kube, written, () => written.map(it => it.manifest.value.status)),
    ...distinct(kube, running, () => running.map(it => it.status)),
  ];
  return [...new Map(all.map(it => [`${it.minor}.${it.patch}`, it])).values()];
}

/** Computed once for each list of nodes. */
function distinct(kube: Kube, nodes: readonly unknown[], statuses: () => readonly unknown[]): readonly Release[] {
  return kube.parts.of('node releases', nodes, () => {
    const texts = new Set(statuses().flatMap(it => asText(asObject(asObject(it)?.nodeInfo)?.kubeletVersion) ?? []));
    return [...texts].flatMap(it => patchReleaseOf(versionIn(it)) ?? []);
  });
}

/** A kubelet names its patch release; it may be of a minor that Berth does not know. */
function patchReleaseOf(version: KubernetesVersion | undefined): Release | undefined {
  return version?.patch === undefined ? undefined : { minor: version.minor, patch: version.patch };
}
