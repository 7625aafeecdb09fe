import { describe, expect, it } from 'vitest';
import { analysisOf } from '../analysis/analyse';
import { readPack } from '../support/packs';
import {
  busyCluster,
  clusterFolder,
  coldIndex,
  completions,
  counterfactualTimes,
  crossFileEdits,
  deployments,
  filesOfDeployments,
  keystrokes,
  knownIssueTimes,
  lensTimes,
  listOf,
  placementKeystrokes,
  podSecurityChecks,
  podValidation,
  previewTimes,
  schedulingCycles,
  serverTimes,
  typedLines,
  typicalPod,
  upgradeTimes,
} from './host';
import { HOSTILE, WORKSPACES } from './hostile';
import { readingTimes } from './kyverno';
import { repositories } from './repositories';

describe('what the benchmark measures', () => {
  it.each(HOSTILE)('a hostile file of $name is as long as it is asked to be', ({ text }) => {
    for (const size of [4_000, 8_000]) {
      expect(text(size).length).toBeGreaterThanOrEqual(size * 0.6);
      expect(text(size).length).toBeLessThan(size * 1.6);
    }
  });

  it.each(WORKSPACES)('a hostile workspace of $name has manifests and what is asked about them', ({ files }) => {
    const [first, second] = Object.keys(files());
    expect(first).toMatch(/^(?:berth|kustomization)\.yaml$|^\.gitignore$/);
    expect(second).toMatch(/\.yaml$/);
  });

  it.each([300, 5_000, 50_000])('a file of %i lines has about as many', lines => {
    const { length } = deployments(lines).split('\n');
    expect(Math.abs(length - lines) / lines).toBeLessThan(0.1);
  });

  it('repositories beside each other have no problems', () => {
    const analysis = analysisOf(repositories(2, { apps: 2, definitions: 1, manifests: 2, policies: 1 }));
    expect(analysis.uris).toHaveLength(51);
    expect(analysis.uris.flatMap(it => analysis.diagnostics(it))).toEqual([]);
  });

  it('takes one time for each keystroke, and the manifests are good ones', async () => {
    expect(keystrokes(300, 3, readPack).times).toHaveLength(3);
    const { told, untold } = knownIssueTimes(300, 3, '1.34.0', readPack);
    expect([told.length, untold.length]).toEqual([3, 3]);
    expect((await upgradeTimes(2, readPack)).upgrade).toBeGreaterThan(0);
    const { analysis } = coldIndex(2, readPack);
    expect(analysis.uris.flatMap(it => analysis.diagnostics(it))).toEqual([]);
  });

  it('types in a List and in a file among many, and touches the edited file alone', () => {
    const list = typedLines(listOf(deployments(120)), [], 3, readPack);
    const among = typedLines(deployments(120), filesOfDeployments(5), 3, readPack);
    const inEnvironments = typedLines(deployments(120), filesOfDeployments(5, 1), 3, readPack, clusterFolder);
    expect([list.keys.length, list.touched, among.completions.length, among.touched]).toEqual([3, 1, 3, 1]);
    expect([inEnvironments.keys.length, inEnvironments.touched]).toEqual([3, 1]);
  });

  it('completes where fields are to be had', () => {
    const { times, offered } = completions(300, 3, readPack);
    expect([times.length, offered > 15]).toEqual([3, true]);
  });

  it('the busy cluster has room for some Pods, by preemption for others', () => {
    const { pods, placed } = schedulingCycles(busyCluster(20, 10, 12), readPack);
    expect([pods, placed]).toEqual([12, 9]);
    expect(placementKeystrokes(5, 4, 2, readPack)).toHaveLength(2);
  });

  it('the Pod that asks what would help it gets an answer', () => {
    const { times, suggestions } = counterfactualTimes(20, 2, 'one', readPack);
    expect([times.length, suggestions > 0]).toEqual([2, true]);
  });

  it('the big environment is previewed, and each edit makes the preview another one', () => {
    const size = { nodes: 10, workloads: 4, podsEach: 3 };
    for (const edit of ['image', 'cpu', 'replicas'] as const) {
      const { pods, edits, wires } = previewTimes(size, { edit, workload: 3, rounds: 2 }, readPack);
      expect([pods, edits.length]).toEqual([12, 2]);
      // The preview shows no image.
      expect(wires[1].includes('"added"')).toBe(edit !== 'image');
    }
    expect(lensTimes(size, 1, readPack).lenses).toBe(4);
    const pending = JSON.parse(previewTimes(size, { edit: 'cpu', workload: 0, rounds: 1 }, readPack).wires[0]).pods;
    expect(pending.filter((it: { readonly state: string }) => it.state === 'pending')).toEqual([]);
  });

  it('the typical Pod is one that the API server takes', () => {
    const problems = analysisOf({ 'pod.yaml': typicalPod }).diagnostics('pod.yaml');
    expect(problems.filter(it => it.severity === 'error')).toEqual([]);
    expect(podValidation(1, readPack)).toHaveLength(1);
  });

  it('the many files are good ones, and an edit is told in the file that reads what is edited, and looked at nowhere else', () => {
    const { times, lookedAt } = crossFileEdits(40, 6, readPack);
    expect([times.length, lookedAt]).toEqual([6, 2]);
  });

  it('the server reads all files, and tells an edit in the other file', async () => {
    const { files, crossFile } = await serverTimes(60, 4, readPack);
    expect([files, crossFile.length]).toEqual([64, 4]);
  });

  it('the edited Deployment lacks the labels that policies ask for, but one', async () => {
    const { edits, problems } = await readingTimes(readPack, {
      deployments: 3,
      policies: 4,
      edits: 2,
      more: 'one that clones',
    });
    expect([edits.length, problems]).toEqual([2, 3]);
  });

  it('the checks of Pod security complain of every Pod', () => {
    expect(podSecurityChecks(100, readPack).findings).toBe(200);
  });
});
