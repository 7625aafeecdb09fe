import { jsonText } from '../../../base/printed';
import { type NodeMatcher, nodeSelectorMatcher } from '../../../kube/labelSelector';
import type { NodeSelectorRequirement } from '../../../kube/types';
import type { DeviceFeatures } from './features';
import type { DeviceCandidate } from './requests';

/** The nodes that reach all of these devices; undefined for all nodes. Upstream: createNodeSelector. */
export function nodesOf(
  taken: readonly DeviceCandidate[],
  node: string,
  { allocator }: DeviceFeatures,
): NodeMatcher | { readonly error: string } | undefined {
  const matchFields: NodeSelectorRequirement[] = [];
  const matchExpressions: NodeSelectorRequirement[] = [];
  for (const { device, slice } of taken) {
    const { nodeName, nodeSelector } = slice.perDeviceNodeSelection ? device.reach : slice.reach;
    if (nodeName !== '' || (allocator === 'incubating' && device.bindsToNode)) {
      const here = { key: 'metadata.name', operator: 'In', values: [node] };
      return nodeSelectorMatcher({ nodeSelectorTerms: [{ matchFields: [here] }] });
    }
    const terms = nodeSelector?.written.nodeSelectorTerms ?? [];
    if (terms.length > 1) return { error: `unsupported ResourceSlice.NodeSelector with ${terms.length} terms` };
    addNew(matchFields, terms[0]?.matchFields ?? []);
    addNew(matchExpressions, terms[0]?.matchExpressions ?? []);
  }
  if (matchFields.length + matchExpressions.length === 0) return undefined;
  return nodeSelectorMatcher({ nodeSelectorTerms: [{ matchFields, matchExpressions }] });
}

function addNew(to: NodeSelectorRequirement[], more: readonly NodeSelectorRequirement[]): void {
  const textOf = ({ key, operator, values }: NodeSelectorRequirement): string =>
    jsonText([key, operator, [...new Set(values ?? [])].sort()]);
  for (const it of more) if (!to.some(known => textOf(known) === textOf(it))) to.push(it);
}
