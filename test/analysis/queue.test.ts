import { describe, expect, it } from 'vitest';
import { analysisOf } from './analyse';

const uri = 'file:///ws/all.yaml';
const NODE = `apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 4Gi, pods: "10"}}
---
`;
const PICKY = `apiVersion: v1
kind: Pod
metadata: {name: picky}
spec: {nodeSelector: {disk: ssd}, containers: [{name: main, image: nginx}]}
`;
const configuration = (more: string): string =>
  `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n${more}\n---\n`;

const preview = (text: string) => analysisOf({ [uri]: text }).preview({ uri, offset: 0 });

describe('a pending Pod', () => {
  it('shows in its hover which events would requeue it', () => {
    const text = NODE + PICKY;
    const hover = analysisOf({ [uri]: text }).hover(uri, text.indexOf('Pod'));
    expect(JSON.stringify(hover)).toContain(
      'Stays in the unschedulable queue until a Node is added or its labels change',
    );
  });

  it('shows them in the preview, too', () => {
    expect(preview(NODE + PICKY).pods.map(it => it.queued)).toEqual([
      { queue: 'unschedulable', waitsFor: 'a Node is added or its labels change' },
    ]);
  });
});

describe('a scheduler configuration beside the Pods', () => {
  it('is used, and its problems are noted', () => {
    const off = 'podMaxBackoffSeconds: 0\nprofiles: [{ plugins: { filter: { disabled: [{ name: NodeAffinity }] } } }]';
    const { pods, notes } = preview(configuration(off) + NODE + PICKY);
    expect(pods[0]).toMatchObject({ state: 'placed', node: 'n1' });
    expect(notes).toEqual([
      'kube-scheduler does not start with this configuration: podMaxBackoffSeconds: Invalid value: 0: must be greater than or equal to PodInitialBackoffSeconds',
    ]);
  });

  it('never calls its extenders', () => {
    const { notes } = preview(configuration('extenders: [{ urlPrefix: "http://x", filterVerb: f }]') + NODE + PICKY);
    expect(notes).toEqual([
      'Extender http://x was not asked (filter); it is asked about every Pod: default/picky; without its answer kube-scheduler places none of them.',
    ]);
  });
});
