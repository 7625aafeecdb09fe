import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { placementsOf } from '../../server/src/analysis/placement/placements';
import { runToEnd } from '../../server/src/base/steps';
import { loadKube } from '../../server/src/kube/load';
import { snapshotOf } from '../support/check';
import { readPack } from '../support/packs';
import { analysisOf } from './analyse';

const node = (name: string, memory: string): string => `apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {topology.kubernetes.io/zone: a}}
status: {allocatable: {cpu: "4", memory: ${memory}, pods: "10"}}
---
`;
const pod = (name: string, memory: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec: {containers: [{name: main, image: nginx, resources: {requests: {memory: ${memory}}}}]}
`;

const lensOf = (files: Record<string, string>, uri: string): string | undefined =>
  analysisOf(files).codeLenses(uri)[0]?.title;

describe('where a file looks for its nodes', () => {
  it('finds them in its own folder', () => {
    const files = { 'file:///ws/a/nodes.yaml': node('n1', '4Gi'), 'file:///ws/a/pod.yaml': pod('p', '1Gi') };
    expect(lensOf(files, 'file:///ws/a/pod.yaml')).toBe('lands on n1 · 1 of 1 nodes fit');
  });

  it('finds them in the nearest folder above', () => {
    const files = { 'file:///ws/nodes.yaml': node('n1', '4Gi'), 'file:///ws/deep/er/pod.yaml': pod('p', '1Gi') };
    expect(lensOf(files, 'file:///ws/deep/er/pod.yaml')).toBe('lands on n1 · 1 of 1 nodes fit');
  });

  it('finds them from the folder where the command line is', () => {
    const files = { 'nodes.yaml': node('n1', '4Gi'), 'pod.yaml': pod('p', '1Gi'), 'deep/er/pod.yaml': pod('q', '1Gi') };
    expect(lensOf(files, 'pod.yaml')).toBe('lands on n1 · 1 of 1 nodes fit');
    expect(lensOf(files, 'deep/er/pod.yaml')).toBe('lands on n1 · 1 of 1 nodes fit');
  });

  it('finds them in a folder beside it, if no other folder has any', () => {
    const files = { 'file:///ws/a/nodes.yaml': node('n1', '4Gi'), 'file:///ws/b/pod.yaml': pod('p', '1Gi') };
    expect(lensOf(files, 'file:///ws/b/pod.yaml')).toBe('lands on n1 · 1 of 1 nodes fit');
    expect(analysisOf(files).preview({ uri: 'file:///ws/b/pod.yaml', offset: 0 }).cluster.kind).toBe('workspace');
  });

  it('falls back to the example cluster, and says so, if two folders beside it have some', () => {
    const files = {
      'file:///ws/a/nodes.yaml': node('n1', '4Gi'),
      'file:///ws/b/pod.yaml': pod('p', '1Gi'),
      'file:///ws/c/nodes.yaml': node('n2', '4Gi'),
    };
    const titles = analysisOf(files)
      .codeLenses('file:///ws/b/pod.yaml')
      .map(it => it.title);
    expect(titles).toEqual([
      expect.stringMatching(/^lands on \S+ .* · example cluster$/),
      'Nodes of other folders are not used here: choose',
    ]);
    expect(analysisOf(files).preview({ uri: 'file:///ws/b/pod.yaml', offset: 0 }).cluster.kind).toBe('default');
  });

  it('links to the Pod in the shown folder, whichever file of that name changed last', () => {
    const of = (folder: string): string => `file:///ws/${folder}/all.yaml`;
    const both = ['a', 'b'].map(it => ({ uri: of(it), text: node(`n-${it}`, '4Gi') + pod('p', '1Gi') }));
    const host = createAnalysisHost({ readPack, onBug: expect.unreachable });
    host.apply({ files: both });
    for (const [at, folder] of ['a', 'b', 'a'].entries()) {
      const text = both.find(it => it.uri === of(folder))!.text.replace('1Gi', `${at + 2}Gi`);
      host.apply({ files: [{ uri: of(folder), text }] });
      for (const it of ['a', 'b']) {
        const [shown] = host.analysis().preview({ uri: of(it), offset: 0 }).pods;
        expect(shown).toMatchObject({ node: `n-${it}`, source: { uri: of(it) } });
      }
    }
  });

  it("shows upstream's reason when no node fits", () => {
    const files = { 'file:///ws/a/all.yaml': node('n1', '4Gi') + pod('p', '5Gi') };
    expect(lensOf(files, 'file:///ws/a/all.yaml')).toBe('does not fit: 1 Insufficient memory');
  });
});

describe('the preview', () => {
  const uri = 'file:///ws/a/all.yaml';
  const text = `${node('n1', '4Gi')}${pod('first', '1Gi')}---\n${pod('second', '2Gi')}`;

  it('chooses the Pod under the cursor', () => {
    const preview = analysisOf({ [uri]: text }).preview({ uri, offset: text.indexOf('second') });
    expect(preview.chosen).toBe('default/second');
  });

  it('sums up the requests on each node', () => {
    const [n1] = analysisOf({ [uri]: text }).preview({ uri, offset: 0 }).nodes;
    expect(n1?.resources.find(it => it.name === 'memory')).toEqual({
      name: 'memory',
      allocatable: 4 * 2 ** 30,
      running: 0,
      placed: 3 * 2 ** 30,
    });
    expect(n1?.resources.find(it => it.name === 'pods')).toMatchObject({ allocatable: 10, placed: 2 });
  });

  it('has the location of each Pod', () => {
    const preview = analysisOf({ [uri]: text }).preview({ uri, offset: 0 });
    const second = preview.pods.find(it => it.id === 'default/second');
    expect(text.slice(second?.source?.offset)).toContain('name: second');
  });
});

it('keeps the placements after the last rounds of reschedulers, and not all of them', () => {
  const uri = 'file:///ws/all.yaml';
  const kube = loadKube('1.37', {}, readPack);
  const placement = placementsOf(snapshotOf({ [uri]: node('n1', '4Gi') + pod('p', '1Gi') }), kube, defaultSettings).of(
    uri,
  );
  const made: string[] = [];
  const over = (key: string) =>
    runToEnd(
      // biome-ignore lint/correctness/useYield: there is nothing to wait for.
      placement.over(key, function* () {
        made.push(key);
        return { objects: placement.inputs.objects, lost: [], problems: [] };
      }),
    );
  for (const key of ['1', '1', '2', '3', '4', '4', '1']) over(key);
  expect(made).toEqual(['1', '2', '3', '4', '1']);
});
