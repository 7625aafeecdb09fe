import { describe, expect, test } from 'vitest';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { createPublishing } from '../../server/src/lsp/publishing';
import type { Problem } from '../../server/src/rules/problem';
import { readPack } from '../support/packs';

const NODE =
  'apiVersion: v1\nkind: Node\nmetadata: { name: n1, labels: { disk: ssd } }\nstatus: { allocatable: { cpu: "4", memory: 8Gi, pods: "110" } }\n';
const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec:\n  nodeSelector: { disk: hdd }\n  containers: [{ name: web }]\n';
const uri = 'file:///ws/pod.yaml';

/** A publisher whose rests end when the test says so. */
function publisher(files: Readonly<Record<string, string>>) {
  const host = createAnalysisHost({
    readPack,
    onBug: (code, error) => {
      throw new Error(`${code}: ${error}`);
    },
  });
  const sent: { readonly uri: string; readonly told: readonly string[] }[] = [];
  const rests: (() => void)[] = [];
  const soon = createPublishing({
    analysis: () => host.analysis(),
    isOpen: it => it === uri,
    breathe: () => new Promise(resolve => setImmediate(resolve)),
    pause: () => new Promise(resolve => rests.push(resolve)),
    send: (uri, problems) => sent.push({ uri, told: problems.map(it => shown(it, host.analysis().text(uri) ?? '')) }),
  });
  const change = (texts: Readonly<Record<string, string>>): void => {
    host.apply({ files: Object.entries(texts).map(([uri, text]) => ({ uri, text })) });
    soon(Object.keys(texts));
  };
  change(files);
  return {
    change,
    sent,
    rests,
    lastTold: () => sent.findLast(it => it.uri === uri)?.told ?? [],
    settle: () => new Promise(resolve => setTimeout(resolve, 50)),
  };
}

const shown = ({ code, span }: Problem, text: string): string => `${code}: ${text.slice(span.start, span.end)}`;

const SELECTOR = 'placement/selector-matches-no-node: disk: hdd';

describe('what the scheduler says comes later', () => {
  test('the quick problems are there at once, the others after a rest', async () => {
    const { settle, lastTold, rests } = publisher({ 'file:///ws/node.yaml': NODE, [uri]: POD });
    await settle();
    expect(lastTold()).toEqual([expect.stringMatching(/^apiserver\/required/)]);
    rests[0]?.();
    await settle();
    expect(lastTold()).toContain(SELECTOR);
    expect(lastTold().some(it => it.startsWith('apiserver/required'))).toBe(true);
  });

  test('a change while nobody has answered yet begins the rest anew', async () => {
    const { settle, change, rests, lastTold } = publisher({ 'file:///ws/node.yaml': NODE, [uri]: POD });
    await settle();
    change({ [uri]: `# typed\n${POD}` });
    rests[0]?.();
    await settle();
    expect(lastTold()).not.toContain(SELECTOR);
    expect(rests).toHaveLength(2);
    rests[1]?.();
    await settle();
    expect(lastTold()).toContain(SELECTOR);
  });

  test('until the next answer the last one moves with its text, and goes where its place is changed', async () => {
    const { settle, change, rests, lastTold } = publisher({ 'file:///ws/node.yaml': NODE, [uri]: POD });
    await settle();
    rests[0]?.();
    await settle();
    change({ [uri]: `# typed\n${POD}` });
    await settle();
    expect(lastTold()).toContain(SELECTOR);
    change({ [uri]: `# typed\n${POD.replace('hdd', 'hd')}` });
    await settle();
    expect(lastTold().filter(it => it.startsWith('placement/selector'))).toEqual([]);
  });

  test('what is mended is told by nobody any more, also from another file', async () => {
    const { settle, change, rests, lastTold } = publisher({ 'file:///ws/node.yaml': NODE, [uri]: POD });
    await settle();
    rests[0]?.();
    await settle();
    expect(lastTold()).toContain(SELECTOR);
    change({ 'file:///ws/node.yaml': NODE.replace('ssd', 'hdd'), [uri]: POD });
    await settle();
    rests[1]?.();
    await settle();
    expect(lastTold().filter(it => it.startsWith('placement/'))).toEqual([]);
  });

  test('nobody waits where no nodes are known', async () => {
    const { settle, rests, sent } = publisher({ [uri]: POD });
    await settle();
    expect(rests).toEqual([]);
    expect(sent).toHaveLength(1);
  });
});
