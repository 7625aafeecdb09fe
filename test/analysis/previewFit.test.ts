import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../server/src/base/steps';
import { analysisOf } from './analyse';
import { node } from './twoZones';

const uri = 'file:///ws/all.yaml';

const TAINTED = `apiVersion: v1
kind: Node
metadata: { name: gpu1, labels: { kubernetes.io/hostname: gpu1, disk: hdd } }
spec: { taints: [{ key: dedicated, value: gpu, effect: NoSchedule }] }
status: { allocatable: { cpu: "8", memory: 32Gi, pods: "10", nvidia.com/gpu: "1" } }
---
`;

const pod = (name: string, spec: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: ${name} } }
spec: { ${spec} }
---
`;

const asking = (requests: string): string =>
  `containers: [{ name: main, image: nginx, resources: { requests: { ${requests} } } }]`;

const analysis = (...pods: readonly string[]) =>
  analysisOf({ [uri]: node('a1', 'a') + node('b1', 'b') + TAINTED + pods.join('') });

const reasons = (name: string, ...pods: readonly string[]) =>
  analysis(...pods).preview({ uri, offset: 0, pod: `default/${name}` }).reasons;

describe('why a node rejects the chosen Pod', () => {
  it('is the taint that it does not tolerate, and what is asked for beside what was free then', () => {
    const first = pod('first', asking('cpu: 2110m'));
    const second = pod('second', `nodeName: b1, ${asking('cpu: 3500m')}`);
    expect(reasons('big', first, second, pod('big', asking('cpu: 3, memory: 1536Mi')))).toEqual({
      a1: 'needs 3 CPU, 1.89 free',
      b1: 'needs 3 CPU, 0.5 free',
      gpu1: 'taint dedicated=gpu:NoSchedule not tolerated',
    });
  });

  it('does not count Pods that were placed after it', () => {
    const wide = pod('wide', asking('memory: 9Gi'));
    expect(reasons('wide', wide, pod('later', asking('memory: 7Gi')))).toMatchObject({
      a1: 'needs 9 GiB memory, 8 GiB free',
      b1: 'needs 9 GiB memory, 8 GiB free',
    });
  });

  it.each<[string, string, string]>([
    ['a label', 'nodeSelector: { disk: ssd }', 'no label disk=ssd'],
    [
      'another name',
      'affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: disk, operator: In, values: [ssd] }] }] } } }',
      'the labels there are not what the Pod asks for (disk In ssd)',
    ],
    ['a resource', 'tolerations: [{ operator: Exists }]', 'has no nvidia.com/gpu'],
  ])('is told for %s', (what, spec, reason) => {
    const gpu = what === 'a resource' ? 'nvidia.com/gpu: 2' : 'cpu: 1';
    const limits = what === 'a resource' ? ', limits: { nvidia.com/gpu: 2 }' : '';
    const containers = `containers: [{ name: main, image: nginx, resources: { requests: { ${gpu} }${limits} } }]`;
    const found = reasons('picky', pod('picky', `${spec}, ${containers}`));
    expect(found?.a1).toBe(reason);
    if (what === 'a resource') expect(found?.gpu1).toBe('needs 2 nvidia.com/gpu, 1 free');
  });

  it('is the Pod that it must be apart from', () => {
    const anti = `affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: topology.kubernetes.io/zone, labelSelector: { matchLabels: { app: other } } }] } }`;
    const found = reasons(
      'shy',
      pod('other', `nodeName: a1, ${asking('cpu: 1')}`),
      pod('shy', `${anti}, ${asking('cpu: 1')}`),
    );
    expect(found).toMatchObject({ a1: 'must be apart from other' });
  });
});

describe('a Pod tried on another node', () => {
  const fitOf = (name: string, on: string, ...pods: readonly string[]) =>
    runToEnd(analysis(...pods).previewFit({ uri, offset: 0, pod: `default/${name}`, node: on }));
  const web = pod('web', asking('cpu: 1'));

  it('fits where there is room with all others placed, and is told with its rank', () => {
    const other = fitOf('web', 'b1', web, pod('wide', `nodeName: b1, ${asking('cpu: 2')}`));
    expect(other).toMatchObject({ fits: true, words: [] });
    expect(other?.summary).toBe('web would fit on b1, with 1 CPU left. By score it is number 2 of 2 nodes that fit.');
  });

  it('does not take its own room on its node', () => {
    expect(
      fitOf('wide', 'a1', pod('wide', asking('cpu: 4')), pod('other', `nodeName: b1, ${asking('cpu: 4')}`)),
    ).toMatchObject({
      fits: true,
    });
  });

  it('does not fit where there is none, with the reason and upstream’s words', () => {
    expect(fitOf('web', 'gpu1', web)).toEqual({
      pod: 'default/web',
      node: 'gpu1',
      fits: false,
      summary: 'web does not fit on gpu1: taint dedicated=gpu:NoSchedule not tolerated.',
      words: ['node(s) had untolerated taint(s)'],
    });
    const full = pod('full', `nodeName: b1, ${asking('cpu: 3500m')}`);
    expect(fitOf('web', 'b1', web, full)?.summary).toBe('web does not fit on b1: needs 1 CPU, 0.5 free.');
  });

  it('is nothing for a Pod or a node that is not there', () => {
    expect(fitOf('web', 'nowhere', web)).toBeUndefined();
    expect(fitOf('nobody', 'a1', web)).toBeUndefined();
  });
});
